/** Reads the branch, its upstream, the unfinished operation, and the changed, staged and new files with `git status`. */
import type { ToolError } from "@bough/protocol"
import type { RepositoryRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import { join } from "node:path"
import type { View } from "../internal/openFile.ts"
import * as GitSettings from "./GitSettings.ts"
import * as Paths from "./Paths.ts"
import { type Git, records, completeRecords } from "./Repository.ts"

export const read = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  limit: number
): Effect.fn.Return<RepositoryRead.Status, ToolError.ToolError> {
  const output = yield* git.run([
    "status",
    "--porcelain=v2",
    "-z",
    "--branch",
    "--untracked-files=normal",
    "--ignored=no",
    GitSettings.commitsOfSubmodules,
    "--renames"
  ])
  const { files, headers, untracked } = parse(view, completeRecords(output, "\0"))
  const shown = files.slice(0, limit)
  const shownUntracked = untracked.slice(0, Math.max(0, limit - shown.length))
  const oid = headers.get("branch.oid")
  const branch = headers.get("branch.head")
  return {
    branch: branch === undefined || branch === "(detached)" ? null : branch,
    commit: oid === undefined || oid === "(initial)" ? null : oid,
    upstream: upstreamOf(headers),
    operation: operationIn(git),
    files: shown,
    untracked: shownUntracked,
    truncated: output.truncated || shown.length + shownUntracked.length < files.length + untracked.length
  }
})

interface ParsedStatus {
  readonly headers: ReadonlyMap<string, string>
  readonly files: ReadonlyArray<RepositoryRead.ChangedFile>
  readonly untracked: ReadonlyArray<string>
}

const parse = (view: View, text: string): ParsedStatus => {
  const headers = new Map<string, string>()
  const files: Array<RepositoryRead.ChangedFile> = []
  const untracked: Array<string> = []
  const all = records(text)
  for (let at = 0; at < all.length; at++) {
    const record = all[at]
    const kind = record[0]
    if (kind === "#") {
      const [, key, value] = /^# (\S+) (.*)$/su.exec(record) ?? []
      headers.set(key, value)
    } else if (kind === "?") untracked.push(Paths.fromGit(view, record.slice(2)))
    else if (kind === "1" || kind === "u") {
      files.push(fileOf(view, record, { skipped: kind === "1" ? 8 : 10, from: null, conflicted: kind === "u" }))
    } else if (kind === "2") files.push(fileOf(view, record, { skipped: 9, from: all[++at], conflicted: false }))
  }
  return { headers, files, untracked }
}

interface Shape {
  /** The number of fields before the path. */
  readonly skipped: number
  readonly from: string | null
  readonly conflicted: boolean
}

const fileOf = (view: View, record: string, { conflicted, from, skipped }: Shape): RepositoryRead.ChangedFile => {
  const fields = record.split(" ")
  const [staged, unstaged] = fields[1]
  return {
    path: Paths.fromGit(view, fields.slice(skipped).join(" ")),
    from: from === null ? null : Paths.fromGit(view, from),
    staged: conflicted ? null : changeOf(staged),
    unstaged: conflicted ? null : changeOf(unstaged),
    conflicted
  }
}

const changes: Readonly<Record<string, RepositoryRead.Change>> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type changed"
}

/** Returns the change for git's letter; null: none. */
export const changeOf = (letter: string | undefined): RepositoryRead.Change | null => changes[letter ?? ""] ?? null

const upstreamOf = (headers: ReadonlyMap<string, string>): RepositoryRead.Upstream | null => {
  const name = headers.get("branch.upstream")
  if (name === undefined) return null
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/u.exec(headers.get("branch.ab") ?? "") ?? []
  return ahead === undefined
    ? { name, ahead: null, behind: null }
    : { name, ahead: Number(ahead), behind: Number(behind) }
}

const marks: ReadonlyArray<readonly [string, RepositoryRead.Operation]> = [
  ["rebase-merge", "rebase"],
  // `git am` and a rebase by patches share the directory.
  ["rebase-apply/applying", "am"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"]
]

/** Returns the unfinished operation of git; null: none. */
export const operationIn = ({ directory }: Pick<Git, "directory">): RepositoryRead.Operation | null =>
  marks.find(([name]) => fs.existsSync(join(directory, name)))?.[1] ?? null

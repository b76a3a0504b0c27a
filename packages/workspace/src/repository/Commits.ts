/** Commits chosen files, chosen hunks, or the index. Other staged changes stay staged. */
import type { ToolError } from "@bough/protocol"
import type { RepositoryWrite } from "@bough/tool"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Buffer } from "node:buffer"
import * as fs from "node:fs"
import { join } from "node:path"
import type { View } from "../internal/openFile.ts"
import { quote } from "../Refusal.ts"
import * as Diff from "./Diff.ts"
import * as Filters from "./Filters.ts"
import * as GitSettings from "./GitSettings.ts"
import type { Identity } from "./Identity.ts"
import * as Paths from "./Paths.ts"
import { failed, type Git, invalid, records } from "./Repository.ts"
import * as Revisions from "./Revisions.ts"
import { operationIn } from "./Status.ts"

const maxPatchBytes = 64 * 1024 ** 2

export const commit = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  { files, hunks, identity, message }: RepositoryWrite.CommitOptions & { readonly identity: Identity }
): Effect.fn.Return<RepositoryWrite.CommitResult, ToolError.ToolError> {
  if (message.trim() === "") return yield* invalid("message", "write what the commit does")
  const before = yield* Revisions.head(git)
  const isWhole = files.length === 0 && hunks.length === 0
  const operation = operationIn(git)
  if (!isWhole && operation !== null) {
    return yield* failed(
      `git: ${operation === "am" ? "an" : "a"} ${operation} is under way, which is committed as a whole`,
      "stage all of it with a command"
    )
  }
  yield* isWhole
    ? record(git, { message, identity })
    : Effect.scoped(
        Effect.gen(function* () {
          const paths = yield* changedBelow(git, view, files)
          const patch = yield* patchOf(git, view, { ids: hunks, fullPaths: paths })
          const index = yield* temporaryIndex(git, before)
          yield* stage(git, { paths, patch, env: { GIT_INDEX_FILE: index } })
          yield* record(git, { message, identity, env: { GIT_INDEX_FILE: index } })
          // Stages the committed changes in the user's own index too; other staged changes stay staged.
          yield* stage(git, { paths, patch, env: {} })
        })
      )
  const id = yield* Revisions.resolve(git, "HEAD")
  const compared = yield* Diff.list(git, view, {
    sides: { _tag: "between", from: before ?? "", to: id },
    paths: []
  })
  return {
    id,
    branch: yield* Revisions.currentBranch(git),
    subject: message.trim().split("\n", 1)[0],
    files: Diff.pathsOf(compared).map((path) => Paths.fromGit(view, path))
  }
})

interface CommitRecord {
  readonly message: string
  readonly identity: Identity
  readonly env?: Readonly<Record<string, string>>
}

const record = (git: Git, { env, identity, message }: CommitRecord) =>
  git.run(["commit", "--quiet", "--no-verify", "--no-gpg-sign", "--cleanup=whitespace", "--file=-"], {
    input: message,
    env: { ...env, ...identity }
  })

/** Returns the changed, new and deleted files at or below the paths. Each path has to match at least one file. */
const changedBelow = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  files: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<Paths.GitPath>, ToolError.ToolError> {
  const found = new Set<Paths.GitPath>()
  for (const [at, file] of files.entries()) {
    const path = yield* Paths.toGit(view, file, "read")
    const changed = yield* changedAt(git, path)
    if (changed.length === 0) {
      return yield* invalid(`files.${at}`, `nothing is changed at ${quote(file)}, or git ignores it`)
    }
    for (const each of changed) {
      if (Paths.isVisible(view, each)) found.add(each)
      else if (each === path) yield* Paths.toGit(view, file, "read")
    }
  }
  const paths = [...found]
  yield* Filters.none(git, paths, instead)
  return paths
})

const names = ["--name-only", "--no-renames", "-z", GitSettings.commitsOfSubmodules]

const changedAt = (git: Git, path: Paths.GitPath) =>
  Effect.map(
    Effect.all([
      git.run(["diff", ...names, "HEAD", "--", path], { successCodes: [0, 128] }),
      git.run(["ls-files", "-z", "--others", "--exclude-standard", "--", path]),
      git.run(["diff", "--cached", ...names, "--", path])
    ]),
    (outputs) => [...new Set(outputs.flatMap(({ exitCode, text }) => (exitCode === 0 ? records(text) : [])))]
  )

const instead = "commit it with a command"

/** Makes the patch of the chosen hunks that `fullPaths` does not contain; null: there are none. */
const patchOf = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  { ids, fullPaths }: { readonly ids: ReadonlyArray<string>; readonly fullPaths: ReadonlyArray<Paths.GitPath> }
): Effect.fn.Return<Uint8Array | null, ToolError.ToolError> {
  if (ids.length === 0) return null
  const compared = yield* Diff.list(git, view, { sides: { _tag: "unstaged" }, paths: [] })
  const { bytes, truncated } = yield* Diff.patch(git, { ...compared, contextLines: 3, maxBytes: maxPatchBytes })
  if (truncated) return yield* failed("git: the changes are too large to choose hunks of them", "commit whole files")
  const selectedIds = new Set(ids)
  const chosen = Diff.sectionsOf(bytes)
    .map((section) => ({ ...section, hunks: section.hunks.filter(({ id }) => selectedIds.has(id)) }))
    .filter(({ hunks }) => hunks.length > 0)
  const found = new Set(chosen.flatMap(({ hunks }) => hunks.map(({ id }) => id)))
  const missing = ids.findIndex((id) => !found.has(id))
  if (missing !== -1) {
    return yield* invalid(`hunks.${missing}`, `no hunk is called ${quote(ids[missing])}: the file was changed since`)
  }
  // A file that is committed as a whole already includes its hunks.
  const parts = chosen.filter(({ path }) => !fullPaths.includes(path))
  if (parts.length === 0) return null
  yield* Filters.none(
    git,
    parts.map(({ path }) => path),
    instead
  )
  const lines = parts.flatMap(({ head, hunks }) => [
    ...head,
    ...hunks.flatMap(({ header, lines: changed }) => [header, ...changed])
  ])
  return Buffer.from(`${lines.join("\n")}\n`, "latin1")
})

interface StageOptions {
  readonly paths: ReadonlyArray<Paths.GitPath>
  readonly patch: Uint8Array | null
  readonly env: Readonly<Record<string, string>>
}

const stage = Effect.fnUntraced(function* (
  git: Git,
  { env, patch, paths }: StageOptions
): Effect.fn.Return<void, ToolError.ToolError> {
  if (paths.length > 0) {
    yield* git.run(["update-index", "--add", "--remove", "-z", "--stdin"], { input: `${paths.join("\0")}\0`, env })
  }
  if (patch !== null)
    yield* git.run(["apply", "--cached", "--whitespace=nowarn", "--recount", "-"], { input: patch, env })
})

/** Makes a temporary index of the last commit, until the scope ends. */
const temporaryIndex = (git: Git, head: string | null): Effect.Effect<string, ToolError.ToolError, Scope.Scope> =>
  Effect.gen(function* () {
    const path = yield* Effect.acquireRelease(
      Effect.sync(() => join(git.directory, `bough-index-${process.pid}-${Math.random().toString(36).slice(2)}`)),
      (indexFile) =>
        Effect.sync(() => [indexFile, `${indexFile}.lock`].forEach((file) => fs.rmSync(file, { force: true })))
    )
    yield* git.run(["read-tree", head ?? "--empty"], { env: { GIT_INDEX_FILE: path } })
    return path
  })

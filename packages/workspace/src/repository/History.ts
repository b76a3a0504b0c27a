/** Commits, blame, branches, and earlier versions of files. */
import type { ToolError } from "@bough/protocol"
import type { RepositoryRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { View } from "../internal/openFile.ts"
import { quote } from "../Refusal.ts"
import * as Diff from "./Diff.ts"
import * as Paths from "./Paths.ts"
import { failed, type Git, invalid, records, completeRecords } from "./Repository.ts"
import * as Revisions from "./Revisions.ts"

const commitFields = ["%H", "%P", "%an", "%ae", "%at", "%s", "%b"]
/** Each field ends in a NUL, the only byte that no field can contain. */
const format = `--format=tformat:${commitFields.join("%x00")}`

const commitOf = (fields: ReadonlyArray<string>): RepositoryRead.Commit => {
  const [id, parents, author, email, seconds, subject, body] = fields
  return {
    id,
    parents: parents === "" ? [] : parents.split(" "),
    author,
    email,
    atMillis: Number(seconds) * 1000,
    subject,
    body: body.trim()
  }
}

/**
 * Reads commits by ids that git has resolved, or by ranges of ids. `truncated`: there are more, whose messages are too
 * long to be read.
 */
export const commits = (
  git: Git,
  args: ReadonlyArray<string>,
  paths: ReadonlyArray<Paths.GitPath> = []
): Effect.Effect<RepositoryRead.Log, ToolError.ToolError> =>
  Effect.map(git.run(["log", "-z", "--no-show-signature", format, ...args, "--", ...paths]), ({ text, truncated }) => {
    // The last part has no end, and is empty if the output is complete.
    const parts = text.split("\0").slice(0, -1)
    const count = Math.floor(parts.length / commitFields.length)
    const found = Array.from({ length: count }, (_, at) =>
      commitOf(parts.slice(at * commitFields.length, (at + 1) * commitFields.length))
    )
    return { commits: found, truncated }
  })

/** Returns the first `limit` of the commits that were read. */
export const firstCommits = ({ commits: found, truncated }: RepositoryRead.Log, limit: number): RepositoryRead.Log => ({
  commits: found.slice(0, limit),
  truncated: truncated || found.length > limit
})

export const log = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  { author, limit, message, paths, range }: RepositoryRead.LogOptions
): Effect.fn.Return<RepositoryRead.Log, ToolError.ToolError> {
  const pathsInGit = yield* Effect.forEach(paths, (path) => Paths.toGit(view, path, "read"))
  const start = range === null ? yield* Revisions.head(git) : yield* Revisions.range(git, range)
  if (start === null) return { commits: [], truncated: false }
  const found = yield* commits(
    git,
    [
      `--max-count=${limit + 1}`,
      "--fixed-strings",
      "--regexp-ignore-case",
      ...(message === null ? [] : [`--grep=${message}`]),
      ...(author === null ? [] : [`--author=${author}`]),
      start
    ],
    pathsInGit
  )
  return firstCommits(found, limit)
})

export const commit = Effect.fnUntraced(function* (
  git: Git,
  revision: string
): Effect.fn.Return<RepositoryRead.Commit, ToolError.ToolError> {
  const id = yield* Revisions.resolve(git, revision)
  const [found] = (yield* commits(git, ["--max-count=1", id])).commits
  return found ?? (yield* failed(`git: the message of ${id.slice(0, 10)} is too long to be read`))
})

const uncommitted = /^0+$/u

export const blame = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  { commit: revision, fromLine, path, toLine }: RepositoryRead.BlameOptions
): Effect.fn.Return<ReadonlyArray<RepositoryRead.BlamedLine>, ToolError.ToolError> {
  const file = yield* Paths.toGit(view, path, "read")
  const at = revision === null ? [] : [yield* Revisions.resolve(git, revision)]
  if (toLine < fromLine)
    return yield* invalid("toLine", `the last line ${toLine} is before the first line, ${fromLine}`)
  const output = yield* git.run([
    "blame",
    "--no-textconv",
    "--line-porcelain",
    `-L${fromLine},${toLine}`,
    ...at,
    "--",
    file
  ])
  const lines: Array<RepositoryRead.BlamedLine> = []
  let id = ""
  let line = 0
  let fields = new Map<string, string>()
  for (const row of completeRecords(output, "\n").split("\n")) {
    const head = /^([0-9a-f]{40,64}) \d+ (\d+)/u.exec(row)
    if (row.startsWith("\t")) {
      const isKept = !uncommitted.test(id)
      const atMillis = Number(fields.get("author-time")) * 1000
      lines.push({ line, text: row.slice(1), commit: isKept ? id : null, author: fields.get("author") ?? "", atMillis })
    } else if (head !== null) {
      id = head[1]
      line = Number(head[2])
      fields = new Map()
    } else {
      const space = row.indexOf(" ")
      fields.set(row.slice(0, space), row.slice(space + 1))
    }
  }
  return lines
})

const separator = "\u001F"
const branchFields = [
  "%(refname:short)",
  "%(objectname)",
  "%(HEAD)",
  "%(upstream:short)",
  "%(upstream:track)",
  "%(committerdate:unix)",
  "%(contents:subject)"
]

export const branches = (
  git: Git,
  limit: number
): Effect.Effect<ReadonlyArray<RepositoryRead.Branch>, ToolError.ToolError> =>
  Effect.map(
    git.run([
      "for-each-ref",
      "--sort=-committerdate",
      `--count=${limit}`,
      `--format=${branchFields.join(separator)}`,
      "refs/heads"
    ]),
    (output) =>
      completeRecords(output, "\n")
        .split("\n")
        .filter((row) => row !== "")
        .map(branchOf)
  )

const branchOf = (row: string): RepositoryRead.Branch => {
  const [name, id, mark, upstream, track, seconds, ...subject] = row.split(separator)
  const count = (word: string): number => Number(new RegExp(`${word} (\\d+)`, "u").exec(track)?.[1] ?? 0)
  const isGone = track === "[gone]"
  return {
    name,
    commit: id,
    isCurrent: mark === "*",
    upstream:
      upstream === ""
        ? null
        : { name: upstream, ahead: isGone ? null : count("ahead"), behind: isGone ? null : count("behind") },
    subject: subject.join(separator),
    atMillis: Number(seconds) * 1000
  }
}

export const readFile = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  { commit: revision, maxBytes, path }: { readonly commit: string; readonly path: string; readonly maxBytes: number }
): Effect.fn.Return<Uint8Array, ToolError.ToolError> {
  const file = yield* Paths.toGit(view, path, "read")
  const id = yield* Revisions.resolve(git, revision)
  const { text } = yield* git.run(["ls-tree", "-z", id, "--", file])
  const [, mode = "", blob = ""] = /^(\d+) blob ([0-9a-f]+)\t/u.exec(text) ?? []
  if (mode === "" || mode === "120000") {
    return yield* failed(`git: ${quote(path)} is not a file in ${id.slice(0, 10)}`, "look at the commit with git_show")
  }
  const { bytes, truncated } = yield* git.run(["cat-file", "blob", blob], { maxBytes })
  if (truncated) return yield* failed(`git: ${quote(path)} is larger than ${maxBytes} bytes in ${id.slice(0, 10)}`)
  return bytes
})

const remotesOf = (git: Git): Effect.Effect<ReadonlyArray<string>, ToolError.ToolError> =>
  Effect.map(git.run(["remote"]), ({ text }) => text.split("\n").filter((name) => name !== ""))

/** Returns the name if the repository has a remote of that name; `field` is the parameter with the name. */
export const remoteNamed = Effect.fnUntraced(function* (
  git: Git,
  name: string,
  field: string
): Effect.fn.Return<string, ToolError.ToolError> {
  const remotes = yield* remotesOf(git)
  return remotes.includes(name)
    ? name
    : yield* invalid(
        field,
        `there is no remote ${quote(name)}: ${remotes.length === 0 ? "the repository has none" : `there is ${remotes.join(", ")}`}`
      )
})

/** Returns the remote of a branch: its own, else the only one. */
export const remoteOf = Effect.fnUntraced(function* (
  git: Git,
  branch: string,
  revision: string | null
): Effect.fn.Return<string, ToolError.ToolError> {
  if (revision !== null) return yield* remoteNamed(git, revision, "remote")
  const remotes = yield* remotesOf(git)
  const pushRemote = (yield* git.run([
    "for-each-ref",
    "--format=%(push:remotename)",
    `refs/heads/${branch}`
  ])).text.trim()
  if (remotes.includes(pushRemote)) return pushRemote
  if (remotes.length === 1) return remotes[0]
  if (remotes.length === 0) {
    return yield* invalid("remote", "the repository has no remote: add one with a command: git remote add origin URL")
  }
  return yield* invalid("remote", `name the remote: there is ${remotes.join(", ")}`)
})

/** Determines what a push of a branch would send, as far as is known without contacting the remote. */
export const outgoingCommits = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  { branch: givenBranch, limit, remote: givenRemote }: RepositoryRead.OutgoingOptions
): Effect.fn.Return<RepositoryRead.OutgoingChanges, ToolError.ToolError> {
  const branch = givenBranch ?? (yield* Revisions.currentBranch(git))
  if (branch === null) return yield* invalid("branch", "no branch is checked out: name the branch to push")
  yield* Revisions.checkBranchName(git, branch, "branch")
  const to = yield* Revisions.resolve(git, `refs/heads/${branch}`, "branch")
  const remote = yield* remoteOf(git, branch, givenRemote)
  const url = yield* urlOf(git, remote)
  const from = yield* Revisions.find(git, `refs/remotes/${remote}/${branch}`)
  const excluded = from === null ? ["--not", `--remotes=${remote}`] : [`^${from}`]
  const found = yield* commits(git, [`--max-count=${limit + 1}`, to, ...excluded])
  const behind = from === null ? "" : (yield* git.run(["rev-list", "--max-count=1", from, `^${to}`])).text.trim()
  const base = from ?? found.commits.at(-1)?.parents[0] ?? ""
  const files = (yield* Diff.read(git, view, {
    sides: { _tag: "between", from: base, to },
    paths: [],
    contextLines: 0,
    maxBytes: 1
  })).files.map(({ hunks: _, ...file }) => file)
  return {
    remote,
    url,
    branch,
    from,
    to,
    diverged: behind !== "",
    ...firstCommits(found, limit),
    files
  }
})

/** Reads the address to which pushes to a remote go. */
export const urlOf = Effect.fnUntraced(function* (
  git: Git,
  remote: string
): Effect.fn.Return<string, ToolError.ToolError> {
  for (const key of ["pushurl", "url"]) {
    const { text } = yield* git.run(["config", "--null", "--get-all", `remote.${remote}.${key}`], {
      successCodes: [0, 1]
    })
    const urls = records(text)
    if (urls.length > 1) return yield* failed(`git: ${remote} has ${urls.length} addresses`, "push with a command")
    if (urls.length === 1) return urls[0]
  }
  return yield* failed(`git: ${remote} has no address`)
})

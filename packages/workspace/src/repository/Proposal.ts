/** Determines the commits and files that a request to merge a branch would contain. */
import type { ToolError } from "@bough/protocol"
import type { RepositoryRead } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { View } from "../internal/openFile.ts"
import { quote } from "../Refusal.ts"
import * as Diff from "./Diff.ts"
import * as History from "./History.ts"
import { type Git, invalid } from "./Repository.ts"
import * as Revisions from "./Revisions.ts"

export const read = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  options: RepositoryRead.ProposalOptions
): Effect.fn.Return<RepositoryRead.Proposal, ToolError.ToolError> {
  const branch = options.branch ?? (yield* Revisions.currentBranch(git))
  if (branch === null) return yield* invalid("branch", "no branch is checked out: name the branch to merge")
  yield* Revisions.checkBranchName(git, branch, "branch")
  const to = yield* Revisions.resolve(git, `refs/heads/${branch}`, "branch")
  const remote = yield* History.remoteOf(git, branch, options.remote)
  const into = options.into === null ? remote : yield* History.remoteNamed(git, options.into, "into")
  const base = options.base ?? (yield* defaultBranch(git, into))
  yield* Revisions.checkBranchName(git, base, "base")
  if (remote === into && branch === base) {
    return yield* invalid("base", `${quote(branch)} cannot be merged into itself: make a branch, or name another base`)
  }
  const baseCommit = yield* Revisions.find(git, `refs/remotes/${into}/${base}`)
  if (baseCommit === null) {
    return yield* invalid("base", `${into} has no branch ${quote(base)}, as last fetched: git fetch ${into}`)
  }
  const log = yield* History.commits(git, [`--max-count=${options.limit + 1}`, to, `^${baseCommit}`])
  if (log.commits.length === 0 && !log.truncated)
    return yield* invalid("branch", `${into}/${base} has every commit of ${quote(branch)}`)
  const { files } = yield* Diff.read(git, view, {
    sides: { _tag: "between", from: yield* forkOf(git, baseCommit, to), to },
    paths: [],
    contextLines: 0,
    maxBytes: 1
  })
  return {
    remote,
    url: yield* History.urlOf(git, remote),
    branch,
    to,
    pushed: yield* Revisions.find(git, `refs/remotes/${remote}/${branch}`),
    into,
    intoUrl: yield* History.urlOf(git, into),
    base,
    baseCommit,
    ...History.firstCommits(log, options.limit),
    files: files.map(({ hunks: _, ...file }) => file)
  }
})

/** Returns the newest common commit; "" if there is none. */
const forkOf = (git: Git, base: string, to: string): Effect.Effect<string, ToolError.ToolError> =>
  Effect.map(git.run(["merge-base", base, to], { successCodes: [0, 1] }), ({ text }) => text.trim())

/** Returns the branch that the remote checks out, if it is known here. */
const defaultBranch = Effect.fnUntraced(function* (
  git: Git,
  remote: string
): Effect.fn.Return<string, ToolError.ToolError> {
  const prefix = `refs/remotes/${remote}/`
  const { exitCode, text } = yield* git.run(["symbolic-ref", "--quiet", `${prefix}HEAD`], { successCodes: [0, 1] })
  if (exitCode === 0 && text.startsWith(prefix)) return text.slice(prefix.length).trim()
  for (const name of ["main", "master"]) {
    if ((yield* Revisions.find(git, `${prefix}${name}`)) !== null) return name
  }
  return yield* invalid("base", `name the base: which branch ${remote} checks out is not known here`)
})

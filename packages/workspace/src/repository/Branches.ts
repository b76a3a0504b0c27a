/** Creates and checks out branches, and stashes changes. */
import type { ToolError } from "@bough/protocol"
import type { RepositoryWrite } from "@bough/tool"
import * as Effect from "effect/Effect"
import { lstatSync } from "node:fs"
import { join } from "node:path"
import type { View } from "../internal/openFile.ts"
import { quote } from "../Refusal.ts"
import * as Diff from "./Diff.ts"
import * as Filters from "./Filters.ts"
import * as GitSettings from "./GitSettings.ts"
import type { Identity } from "./Identity.ts"
import * as Paths from "./Paths.ts"
import { settingNames, failed, type Git, invalid, records } from "./Repository.ts"
import * as Revisions from "./Revisions.ts"
import * as Submodules from "./Submodules.ts"

export const create = Effect.fnUntraced(function* (
  git: Git,
  { from, name }: RepositoryWrite.BranchOptions
): Effect.fn.Return<{ readonly commit: string }, ToolError.ToolError> {
  yield* Revisions.checkBranchName(git, name, "name")
  const commit = yield* Revisions.resolve(git, from ?? "HEAD", "from")
  if ((yield* Revisions.find(git, `refs/heads/${name}`)) !== null) {
    return yield* invalid("name", `there is a branch ${quote(name)} already`)
  }
  yield* git.run(["branch", "--no-track", name, commit])
  return { commit }
})

export const switchTo = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  { at, branch }: RepositoryWrite.SwitchOptions
): Effect.fn.Return<RepositoryWrite.SwitchResult, ToolError.ToolError> {
  yield* Revisions.checkBranchName(git, branch, "branch")
  const to = yield* Revisions.find(git, `refs/heads/${branch}`)
  if (to === null) return yield* invalid("branch", `there is no branch ${quote(branch)}`)
  if (at !== null && to !== at) return yield* hasMoved(`the branch ${quote(branch)}`)
  const from = yield* Revisions.head(git)
  const compared = yield* Diff.list(git, view, {
    sides: { _tag: "between", from: from ?? "", to },
    paths: []
  })
  const changed = Diff.pathsOf(compared)
  if ((yield* settingNames(git.run, GitSettings.filters)).length > 0) {
    yield* Filters.none(git, changed, `switch to ${quote(branch)} with a command`)
  }
  yield* Effect.flatMap(Revisions.currentBranch(git), (current) =>
    current === branch ? Effect.void : checkOut(git, branch, to)
  )
  return { branch, commit: to, files: changed.map((path) => Paths.fromGit(view, path)) }
})

/**
 * Checks out the judged commit by its id, and then makes the branch the current one. Even if a command moves the branch
 * at the last moment, no file of another commit is checked out.
 */
const checkOut = Effect.fnUntraced(function* (
  git: Git,
  branch: string,
  to: string
): Effect.fn.Return<void, ToolError.ToolError> {
  const reference = `refs/heads/${branch}`
  const otherWorktree = (yield* git.run(["for-each-ref", "--format=%(worktreepath)", reference])).text.trim()
  if (otherWorktree !== "") {
    return yield* failed(`git: ${quote(branch)} is already checked out at ${quote(otherWorktree)}`)
  }
  const before = (yield* Revisions.currentBranch(git)) ?? (yield* Revisions.head(git)) ?? "nothing"
  yield* git.run(["switch", "--quiet", "--detach", "--no-recurse-submodules", to])
  if ((yield* Revisions.find(git, reference)) !== to) {
    return yield* hasMoved(`the branch ${quote(branch)}, whose judged commit is checked out without a branch,`)
  }
  yield* git.run(["symbolic-ref", "-m", `checkout: moving from ${before} to ${branch}`, "HEAD", reference])
})

const hasMoved = (subject: string) =>
  failed(`git: ${subject} has moved since the call was judged`, "look at it again, then repeat the call")

interface StashOptions {
  readonly message: string
  readonly untracked: boolean
  readonly identity: Identity
}

export const stash = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  { identity, message, untracked }: StashOptions
): Effect.fn.Return<RepositoryWrite.StashEntry, ToolError.ToolError> {
  yield* checkNoMergeDriver(git)
  yield* checkVisible(git, view, untracked)
  const before = (yield* stashes(git)).length
  // Paths are not literal here, because git removes the new files by a pattern of its own.
  const run = git.runWith(yield* Submodules.commitsAlone(git))
  yield* run(["stash", "push", "--quiet", ...(untracked ? ["--include-untracked"] : []), `--message=${message}`], {
    env: { ...identity, GIT_LITERAL_PATHSPECS: "0" }
  })
  const [entry] = yield* stashes(git)
  if (entry === undefined || (yield* stashes(git)).length === before) {
    return yield* failed(
      "git: there is nothing to stash",
      untracked ? undefined : "untracked files stay unless untracked is true"
    )
  }
  return entry
})

/**
 * Checks for files that the session may not read: commands could read the contents from the repository, and the files
 * would be removed from the workspace.
 */
const checkVisible = Effect.fnUntraced(function* (
  git: Git,
  view: View,
  untracked: boolean
): Effect.fn.Return<void, ToolError.ToolError> {
  const outputs = yield* Effect.all([
    git.run(["diff", "--name-only", "--no-renames", GitSettings.commitsOfSubmodules, "-z", "HEAD"], {
      successCodes: [0, 128]
    }),
    ...(untracked ? [git.run(["ls-files", "-z", "--others", "--exclude-standard"])] : [])
  ])
  const unseen = outputs
    .flatMap(({ exitCode, text }) => (exitCode === 0 ? records(text) : []))
    .filter((path) => !Paths.isVisible(view, path))
  if (unseen.length === 0) return
  return yield* failed(
    `git: ${unseen.map(quote).join(", ")} may not be read here, and would be stashed`,
    "commit the other files, or ask the user to stash them"
  )
})

export const unstash = Effect.fnUntraced(function* (
  git: Git,
  { at, identity, index }: RepositoryWrite.UnstashOptions & { readonly identity: Identity }
): Effect.fn.Return<RepositoryWrite.StashEntry, ToolError.ToolError> {
  yield* checkNoMergeDriver(git)
  const all = yield* stashes(git)
  const entry = all.find((each) => each.index === index)
  if (entry === undefined) return yield* invalid("index", `there is no stash entry ${index}: there are ${all.length}`)
  const id = yield* Revisions.resolve(git, `stash@{${index}}`, "index")
  if (at !== null && id !== at) return yield* hasMoved(`stash@{${index}}`)
  yield* checkNoConflictingFiles(git, id)
  // The entry is applied by its id, because its number changes if another entry is stashed in the meantime.
  yield* Effect.catchTag(
    git.run(["stash", "apply", "--quiet", "--index", id], { env: identity }),
    "ExecutionError",
    (error) => applyFailure(git, error)
  )
  const ids = records((yield* git.run(["stash", "list", "-z", "--format=tformat:%H"])).text)
  const number = ids.indexOf(id)
  if (number !== -1) yield* git.run(["stash", "drop", "--quiet", `stash@{${number}}`], { env: identity })
  return entry
})

/**
 * Checks for files at the paths of untracked files to restore. Git would restore the other files, and then fail at
 * every further attempt.
 */
const checkNoConflictingFiles = Effect.fnUntraced(function* (
  git: Git,
  id: string
): Effect.fn.Return<void, ToolError.ToolError> {
  const untracked = yield* Revisions.find(git, `${id}^3`)
  if (untracked === null) return
  const { text } = yield* git.run(["ls-tree", "-r", "-z", "--name-only", "--full-tree", untracked])
  const present = records(text).filter(
    (path) => lstatSync(join(git.root.path, path), { throwIfNoEntry: false }) !== undefined
  )
  if (present.length > 0) {
    return yield* failed(`git: ${present.map(quote).join(", ")} would be overwritten; the stash entry is kept`)
  }
})

/** Names the files in conflict, which git leaves with conflict markers and does not report. */
const applyFailure = Effect.fnUntraced(function* (
  git: Git,
  error: ToolError.ExecutionError
): Effect.fn.Return<never, ToolError.ToolError> {
  const { text } = yield* git.run(["diff", "--name-only", "--diff-filter=U", GitSettings.commitsOfSubmodules, "-z"])
  const files = records(text).map(quote)
  return files.length === 0
    ? yield* failed(`${error.message}; the stash entry is kept`)
    : yield* failed(`git: conflicts are now in ${files.join(", ")}; the stash entry is kept`)
})

/**
 * Fails if the repository configures programs that merge. They cannot just be disabled, because git would then use our
 * side as the result.
 */
const checkNoMergeDriver = Effect.fnUntraced(function* (git: Git): Effect.fn.Return<void, ToolError.ToolError> {
  const [driver] = yield* settingNames(git.run, GitSettings.mergeDrivers)
  if (driver === undefined) return
  return yield* failed(`git: the repository merges with its own program (${driver})`, "use a command")
})

export const stashes = (git: Git): Effect.Effect<ReadonlyArray<RepositoryWrite.StashEntry>, ToolError.ToolError> =>
  Effect.map(git.run(["stash", "list", "-z", "--format=tformat:%gs"]), ({ text }) =>
    records(text).map((subject, index) => ({ index, subject }))
  )

/**
 * The repository of a linked git worktree, which is in another directory: without it git does not work in the sandbox.
 */
import * as Effect from "effect/Effect"
import { basename, dirname, join, resolve } from "node:path"
import { contains } from "../Toolchains.ts"
import * as Disk from "./Disk.ts"
import * as GitFile from "./GitFile.ts"

/**
 * Returns the directory to show, if there is one. The link in the workspace is not trusted on its own: the repository,
 * which no command can write, must also name this worktree.
 */
export const repositoryOf = Effect.fnUntraced(function* (workspace: string): Effect.fn.Return<ReadonlyArray<string>> {
  const pointer = join(workspace, ".git")
  const gitFile = GitFile.read(pointer)
  const gitdirLine = typeof gitFile === "string" ? /^gitdir: (.+)$/m.exec(gitFile)?.[1] : undefined
  const gitDirectory = gitdirLine === undefined ? null : yield* Disk.withoutLinks(resolve(workspace, gitdirLine))
  if (gitDirectory === null || contains(workspace, gitDirectory) || basename(dirname(gitDirectory)) !== "worktrees")
    return []
  const repository = dirname(dirname(gitDirectory))
  const backPointer = GitFile.read(join(gitDirectory, "gitdir"))
  const namedWorktree =
    typeof backPointer === "string" ? yield* Disk.withoutLinks(resolve(gitDirectory, backPointer.trim())) : null
  const parts = yield* Effect.forEach(["HEAD", "objects", "refs"], (name) => Disk.entry(join(repository, name)))
  return namedWorktree === pointer && !parts.includes(null) ? [repository] : []
})

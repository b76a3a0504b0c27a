/**
 * The repository of a linked git worktree, which is in another directory: without it git does not work in the sandbox.
 */
import * as Effect from "effect/Effect"
import { basename, dirname, join, resolve } from "node:path"
import { contains } from "../Toolchains.ts"
import * as Disk from "./Disk.ts"

/**
 * Returns the directory to show, if there is one. The link in the workspace is not trusted on its own: the repository,
 * which no command can write, must also name this worktree.
 */
export const repositoryOf = Effect.fnUntraced(function* (workspace: string): Effect.fn.Return<ReadonlyArray<string>> {
  const pointer = join(workspace, ".git")
  if (!(yield* Disk.entry(pointer))?.isFile()) return []
  const named = /^gitdir: (.+)$/m.exec((yield* Disk.text(pointer)) ?? "")?.[1]
  const own = named === undefined ? null : yield* Disk.withoutLinks(resolve(workspace, named))
  if (own === null || contains(workspace, own) || basename(dirname(own)) !== "worktrees") return []
  const repository = dirname(dirname(own))
  const back = yield* Disk.text(join(own, "gitdir"))
  const answered = back === null ? null : yield* Disk.withoutLinks(resolve(own, back.trim()))
  const parts = yield* Effect.forEach(["HEAD", "objects", "refs"], (name) => Disk.entry(join(repository, name)))
  return answered === pointer && !parts.includes(null) ? [repository] : []
})

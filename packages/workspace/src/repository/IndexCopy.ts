/**
 * A copy of the index for comparisons with files: `git diff` writes a refreshed index for files with new times and the
 * same content, in spite of GIT_OPTIONAL_LOCKS, and its lock would make a commit of the user fail.
 */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Git } from "./Repository.ts"

/** Runs comparisons with git on a copy of the index, which is removed afterwards. */
export const withIndexCopy = <A>(
  git: Git,
  compare: (git: Git) => Effect.Effect<A, ToolError.ToolError>
): Effect.Effect<A, ToolError.ToolError> =>
  Effect.acquireUseRelease(
    // Without space for a copy, git reads the index itself.
    Effect.sync(() =>
      Result.getOrElse(
        Result.try(() => copyOf(join(git.directory, "index"))),
        () => null
      )
    ),
    (copy) => compare(copy === null ? git : on(git, copy.index)),
    (copy) => Effect.sync(() => copy !== null && fs.rmSync(copy.folder, { recursive: true, force: true }))
  )

/** Null: there is no index, or it is not a regular file, whose reading could block. */
const copyOf = (original: string) => {
  const found = fs.lstatSync(original, { throwIfNoEntry: false })
  if (found?.isFile() !== true) return null
  const folder = fs.mkdtempSync(join(tmpdir(), "bough-index-"))
  const index = join(folder, "index")
  fs.copyFileSync(original, index, fs.constants.COPYFILE_FICLONE)
  const seconds = secondBefore(found.mtimeMs)
  fs.utimesSync(index, seconds, seconds)
  return { folder, index }
}

/**
 * Returns a time for the copy that is earlier than the index. Git compares the content of files that are not older than
 * the index: with the copy's own time, it would miss a change right after the index was written. Git ignores the time 0.
 */
const secondBefore = (mtimeMs: number): number => Math.max(1, Math.floor(mtimeMs / 1000) - 1)

const on = (git: Git, index: string): Git => ({
  ...git,
  run: (args, options = {}) => git.run(args, { ...options, env: { GIT_INDEX_FILE: index, ...options.env } })
})

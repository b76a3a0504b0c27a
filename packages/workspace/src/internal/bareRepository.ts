/**
 * Finds paths that are, or would become, part of a repository under another name than `.git`. If git runs in a
 * directory with `HEAD`, `objects` and `refs`, it treats the directory as a repository, and runs the programs that its
 * `config` names.
 */
import * as Result from "effect/Result"
import { lstatSync } from "node:fs"
import { join } from "node:path"
import type { Root } from "./root.ts"

const head = "HEAD"

/** The entries that git looks for; with a `commondir` the others may be in another directory. */
const parts: ReadonlySet<string> = new Set([
  "objects",
  "refs",
  "commondir",
  "config",
  "config.worktree",
  "hooks",
  "info",
  "worktrees",
  "modules"
])

/** True for a `HEAD`, and for an entry that git would look for beside a `HEAD`. */
export const isPartOfRepository = (root: Root, segments: ReadonlyArray<string>): boolean =>
  segments.at(-1) === head ||
  segments.some((name, at) => parts.has(name) && exists(join(root.path, ...segments.slice(0, at), head)))

const exists = (path: string): boolean =>
  Result.getOrElse(
    Result.try(() => lstatSync(path, { throwIfNoEntry: false }) !== undefined),
    () => false
  )

/** The HEAD of the repository around a directory, read from files only: no program is started. */
import { SmallFile } from "@bough/disk"
import * as Result from "effect/Result"
import * as fs from "node:fs"
import * as path from "node:path"

export interface RepositoryHead {
  readonly root: string
  /** The directory that contains HEAD: `.git`, or the directory that a linked worktree or a submodule names. */
  readonly directory: string
  /** The text of HEAD. */
  readonly text: string
}

/** Finds HEAD; null: no repository encloses the directory, or the directory does not exist. */
export const find = (directory: string): RepositoryHead | null => {
  const real = Result.try(() => fs.realpathSync(directory))
  if (Result.isFailure(real)) return null
  for (let root = real.success; ; root = path.dirname(root)) {
    const head = headOf(root)
    if (head !== null) return head
    if (path.dirname(root) === root) return null
  }
}

/** The branch that HEAD names; null: HEAD is detached. */
export const branch = ({ text }: RepositoryHead): string | null =>
  /^ref: refs\/heads\/(\S+)\s*$/u.exec(text)?.[1] ?? null

/**
 * Returns the commit that HEAD names; null: there is none yet, or its branch cannot be read; undefined: only git can
 * determine it.
 */
export const commit = ({ directory, text }: RepositoryHead): string | null | undefined => {
  const detached = nameIn(text)
  if (detached !== null) return detached
  const name = branchReference.exec(text)?.[1]
  if (name === undefined) return undefined
  const common = commonDirectory(directory)
  if (common === undefined || fs.existsSync(path.join(common, "reftable"))) return undefined
  const loose = read(path.join(common, name))
  // Git cannot read such a file either, and would wait at a pipe in its place.
  if (loose === undefined) return null
  if (loose !== null) return nameIn(loose) ?? undefined
  const packed = read(path.join(common, "packed-refs"))
  return packed === undefined ? undefined : packedIn(packed ?? "", name)
}

const headOf = (root: string): RepositoryHead | null => {
  const dotGit = path.join(root, ".git")
  const stats = statOf(dotGit)
  if (stats === undefined) return null
  const link = stats.isDirectory() ? undefined : /^gitdir: (.+)\s*$/u.exec(read(dotGit) ?? "")?.[1]
  const directory = link === undefined ? dotGit : path.resolve(root, link)
  const text = read(path.join(directory, "HEAD"))
  return text === null || text === undefined ? null : { root, directory, text }
}

/** Undefined: the file is missing. No exception is thrown then, because most directories have no `.git`. */
const statOf = (file: string): fs.Stats | undefined =>
  Result.getOrElse(
    Result.try(() => fs.statSync(file, { throwIfNoEntry: false })),
    () => undefined
  )

/** Returns the repository whose branches a linked worktree shares; undefined: it cannot be read. */
const commonDirectory = (directory: string): string | undefined => {
  const named = read(path.join(directory, "commondir"))
  return named === null ? directory : named === undefined ? undefined : path.resolve(directory, named.trim())
}

/** Returns the text if it is the full name of a commit. */
export const nameIn = (text: string): string | null => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/u.exec(text.trim())?.[0] ?? null

/** Branches are shared by all worktrees of a repository; other references may not be. */
const branchReference = /^ref: (refs\/heads\/(?!.*\.\.)[\w./+@-]+)\s*$/u

const packedIn = (packed: string, name: string): string | null => {
  const line = packed.split("\n").find((text) => text.endsWith(` ${name}`))
  return line === undefined ? null : nameIn(line.slice(0, -name.length))
}

/**
 * Reads a file; null: it does not exist; undefined: it cannot be read, or is too large. Synchronous, because handing
 * such a small file to a thread takes longer than reading it.
 */
const read = (file: string): string | null | undefined =>
  Result.getOrElse(
    Result.try(() => SmallFile.read(file)),
    () => undefined
  )

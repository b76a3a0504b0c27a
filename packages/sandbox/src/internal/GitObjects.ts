/**
 * Objects that a command adds to a repository. Existing ones are read-only in the sandbox, so that no command can lose
 * commits; new ones are written to a separate directory, which the user's git also reads, and are moved to the others
 * when no command is running.
 */
import * as Effect from "effect/Effect"
import {
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"

/** The folder below the repository's own directory. */
export const folder = "bough-objects"

/** The line in `objects/info/alternates` through which a user's git finds the new objects. */
export const alternates = `../${folder}\n`

const loose = /^[0-9a-f]{38}(?:[0-9a-f]{24})?$/u
// The index of a pack is moved last, because git considers a pack complete once it has an index. Files that only speed
// up reading are not moved, because git trusts them when it deletes: a forged bitmap could mark reachable objects as
// unreachable.
const packs = [/^pack-[0-9a-f]{40,64}\.(?:pack|promisor)$/u, /^pack-[0-9a-f]{40,64}\.idx$/u]

const isDirectory = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const makeDirectory = (repository: string, path: string): void => {
  if (isDirectory(path)) return
  mkdirSync(path)
  const { gid, uid } = lstatSync(repository)
  if (process.getuid?.() === 0) chownSync(path, uid, gid)
}

/** Makes the directory for new objects if it is missing. */
export const prepare = (repository: string): void => {
  const directory = join(repository, folder)
  for (const path of [directory, join(directory, "info"), join(directory, "pack")]) makeDirectory(repository, path)
  const file = join(directory, "info/alternates")
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) writeFileSync(file, "")
}

/** Moves the new objects to the others. */
export const move = (repository: string): void => {
  const from = join(repository, folder)
  const to = join(repository, "objects")
  for (const name of readdirSync(from)) {
    if (/^[0-9a-f]{2}$/u.test(name))
      moveFiles(repository, { from: join(from, name), to: join(to, name), pattern: loose })
  }
  discardCompanions(from, to)
  for (const pattern of packs) moveFiles(repository, { from: join(from, "pack"), to: join(to, "pack"), pattern })
}

/**
 * Moves the new objects and removes their directory; `conclude` runs before it is removed, so that the user's git finds
 * the objects at any time.
 */
export const collect = (repository: string, conclude: () => void): void => {
  const from = join(repository, folder)
  move(repository)
  conclude()
  for (const name of ["info/alternates", "info", "pack", ""]) removeOne(join(from, name))
  if (isDirectory(from)) rmSync(from, { recursive: true, force: true })
}

/** Removes files for a pack that the repository already has: a command may have forged them. */
const discardCompanions = (from: string, to: string): void => {
  const added = join(from, "pack")
  for (const name of isDirectory(added) ? readdirSync(added) : []) {
    const pack = /^(pack-[0-9a-f]{40,64})\./u.exec(name)?.[1]
    const index = join(to, "pack", `${pack}.idx`)
    if (pack !== undefined && lstatSync(index, { throwIfNoEntry: false }) !== undefined) removeOne(join(added, name))
  }
}

/** Removes a path, which rarely contains more than one entry. */
const removeOne = (path: string): void => {
  Effect.runSync(Effect.ignore(Effect.try(() => (isDirectory(path) ? rmdirSync(path) : unlinkSync(path)))))
}

interface Move {
  readonly from: string
  readonly to: string
  readonly pattern: RegExp
}

const moveFiles = (repository: string, { from, pattern, to }: Move): void => {
  if (!isDirectory(from)) return
  for (const name of readdirSync(from)) {
    const source = join(from, name)
    if (!pattern.test(name) || !lstatSync(source).isFile()) continue
    makeDirectory(repository, to)
    const target = join(to, name)
    if (lstatSync(target, { throwIfNoEntry: false }) === undefined) renameSync(source, target)
    else unlinkSync(source)
  }
}

/**
 * Creates and syncs directories. The module does not use Effect, because a program needs a directory before it has
 * loaded any other module. Node's recursive mkdir is not used: if the parent exists but nothing can be created in it,
 * as below /proc, it retries forever.
 */
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

/** Readable by the owner only. */
const mode = 0o700

/** Makes a directory and its parents, durably; an existing one is unchanged. Throws the system's error. */
export const make = (path: string): void => {
  for (const missing of missingOn(resolve(path))) {
    makeOne(missing)
    sync(dirname(missing))
  }
}

/** Makes a directory as `make` does, and restricts an existing one to its owner. */
export const makePrivate = (path: string): void => {
  make(path)
  if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0) chmodSync(path, mode)
}

/** Makes the entries of a directory durable, if the platform and the file system support that. */
export const sync = (path: string): void => {
  if (process.platform === "win32") return
  try {
    const descriptor = openSync(path, "r")
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (!unsyncable.has((error as NodeJS.ErrnoException).code ?? "")) throw error
  }
}

/** Error codes of a file system that cannot sync directories, and of a directory that may not be read. */
const unsyncable: ReadonlySet<string> = new Set(["EINVAL", "ENOTSUP", "EOPNOTSUPP", "EACCES", "EPERM"])

/**
 * Returns the missing directories of the path, from the top down. The last one is included even if an entry of another
 * kind is in its place.
 */
const missingOn = (path: string): ReadonlyArray<string> => {
  const missing: Array<string> = []
  for (let at = path; !isDirectory(at); at = dirname(at)) {
    missing.unshift(at)
    if (at === dirname(at) || exists(at)) break
  }
  return missing
}

const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const makeOne = (path: string): void => {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have created it first.
    if (!isDirectory(path)) throw error
  }
}

/**
 * Making directories. Without Effect: a program makes one before it has loaded anything.
 *
 * Node's own recursive mkdir makes the directory above when the system says that there is none, and then tries again: for
 * ever, where the directory above is there and none can be made in it, as below /proc.
 */
import { mkdirSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

/** Nobody else may look into it. */
const mode = 0o700

/** Makes a directory and those above it; one that is there stays as it is. Throws what the system says. */
export const make = (path: string): void => {
  for (const missing of missingOn(resolve(path))) makeOne(missing)
}

/** From the top down, the last one also where something else is in its place. */
const missingOn = (path: string): ReadonlyArray<string> => {
  const missing: Array<string> = []
  for (let at = path; !isDirectory(at); at = dirname(at)) {
    missing.unshift(at)
    if (at === dirname(at) || isThere(at)) break
  }
  return missing
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const makeOne = (path: string): void => {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another process may have been first.
    if (!isDirectory(path)) throw error
  }
}

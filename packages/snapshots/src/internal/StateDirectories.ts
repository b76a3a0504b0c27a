/**
 * Ignores watch reports about the state directories at the root, which no snapshot contains. A sandbox creates such a
 * directory before each command and removes it afterwards. A directory cannot be a hard link to a file, so no file has
 * to be checked for it.
 */
import * as Directories from "./Directories.ts"
import { isState } from "./names.ts"

/** Returns true if the reported name is such a directory, or was one at its last report. */
export type IsStateDirectory = (name: string) => boolean

export const make = ({ directory }: Directories.Root): IsStateDirectory => {
  const there = new Set<string>()
  return (name) => {
    if (!isState(name)) return false
    const found = Directories.statsOf(directory.prefix + name)
    if (found === null) return there.delete(name)
    if (!found.isDirectory()) return false
    there.add(name)
    return true
  }
}

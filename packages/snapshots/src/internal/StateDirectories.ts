/**
 * Reports of directories at the root that no snapshot holds. A sandbox makes such a directory before each command and
 * removes it afterwards. A directory is no other name of a file, so no file has to be looked at for it.
 */
import * as Directories from "./Directories.ts"
import { isState } from "./names.ts"

/** Returns true for the report of a name that is such a directory, or was one when it was last reported. */
export type IsStateDirectory = (name: string) => boolean

export const make = ({ directory }: Directories.Root): IsStateDirectory => {
  const there = new Set<string>()
  return (name) => {
    if (!isState(name)) return false
    const found = Directories.look(directory.prefix + name)
    if (found === null) return there.delete(name)
    if (!found.isDirectory()) return false
    there.add(name)
    return true
  }
}

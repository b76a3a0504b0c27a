/** Makes a directory and those above it, for others to read too: what a build writes is no data of the user. */
import { existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"

export const makeFolder = (path: string): void => {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path)
}

/**
 * Makes a directory and its missing parents, readable for all users: the output of a build is not private data of the
 * user.
 */
import { existsSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"

export const makeFolder = (path: string): void => {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path)
}

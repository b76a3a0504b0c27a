/** The folders in which a rule counts that was saved for one of them. */
import { existsSync } from "node:fs"
import { dirname, join, sep } from "node:path"

/** True if the directory is `folder` or below it. */
export const isWithin = (directory: string, folder: string): boolean =>
  directory === folder || directory.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)

/** True if a repository other than that of `folder` contains the directory, which is `folder` or below it. */
export const isInNestedRepository = (directory: string, folder: string): boolean =>
  directory !== folder && (existsSync(join(directory, ".git")) || isInNestedRepository(dirname(directory), folder))

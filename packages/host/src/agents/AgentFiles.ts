/** Finds the files of agents: Markdown files of one folder, in the order of their names. */
import * as Result from "effect/Result"
import { readdirSync } from "node:fs"
import { join } from "node:path"

/** The folder below a directory of a project. */
export const projectFolder = join(".bough", "agents")

const maxFiles = 100

/** Lists the Markdown files of a folder; a folder that cannot be read has none. */
export const inFolder = (folder: string): ReadonlyArray<string> =>
  Result.getOrElse(
    Result.try(() => readdirSync(folder)),
    (): ReadonlyArray<string> => []
  )
    .filter((name) => name.endsWith(".md"))
    .toSorted()
    .slice(0, maxFiles)
    .map((name) => join(folder, name))

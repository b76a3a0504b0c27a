/** The rules of .gitignore files above a workspace that lies inside a repository. */
import * as IgnoreRules from "@bough/disk/IgnoreRules"
import * as fs from "node:fs"
import * as path from "node:path"
import { orElse } from "./attempt.ts"
import * as ByteName from "./ByteName.ts"

export interface RulesAbove {
  readonly rules: ReadonlyArray<IgnoreRules.RuleFile>
  /** The names from the top of the repository down to the workspace, as bytes. */
  readonly inner: ReadonlyArray<string>
}

const none: RulesAbove = { rules: [], inner: [] }

export const read = (root: string): RulesAbove => {
  const above: Array<string> = []
  for (let at = root; ; at = path.dirname(at)) {
    above.unshift(at)
    if (fs.existsSync(path.join(at, ".git"))) break
    if (at === path.dirname(at)) return none
  }
  const top = above[0]
  const namesTo = (directory: string): ReadonlyArray<string> =>
    path
      .relative(top, directory)
      .split(path.sep)
      .filter((name) => name !== "")
      .map(ByteName.fromText)
  return {
    inner: namesTo(root),
    rules: [
      ...fileAt([], path.join(top, ".git", "info", "exclude")),
      ...above.slice(0, -1).flatMap((directory) => fileAt(namesTo(directory), path.join(directory, ".gitignore")))
    ]
  }
}

const isReadable = (stats: fs.Stats): boolean => stats.isFile() && stats.size <= IgnoreRules.maxBytes

const fileAt = (base: ReadonlyArray<string>, file: string): ReadonlyArray<IgnoreRules.RuleFile> =>
  orElse(
    () => (isReadable(fs.lstatSync(file)) ? [IgnoreRules.parse(base, fs.readFileSync(file))] : []),
    () => []
  )

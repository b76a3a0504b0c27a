/**
 * The folders of user-defined commands: Bough's, and those of other agents whose files have the same form. Why:
 * adr/0154-commands-of-other-agents.md.
 */
import { basename, dirname, join } from "node:path"
import * as Home from "../config/Home.ts"

/** Folders of Claude Code and OpenCode in a project. */
const projectFoldersOfOthers = [
  join(".claude", "commands"),
  join(".opencode", "command"),
  join(".opencode", "commands")
]

/** Folders of Claude Code, Codex and OpenCode in the home directory. */
const userFoldersOfOthers = [
  join(".claude", "commands"),
  join(".codex", "prompts"),
  join(".config", "opencode", "command"),
  join(".config", "opencode", "commands")
]

/** The folders below a directory of a project; the first takes precedence. */
export const projectFolders = [join(".bough", "commands"), ...projectFoldersOfOthers]

/** The user's folders; the first takes precedence. */
export const userFolders = (environment: Home.HomeEnvironment): ReadonlyArray<string> => {
  const own = join(Home.configDirectory(environment), "commands")
  const { home } = environment
  return home === "" ? [own] : [own, ...userFoldersOfOthers.map((folder) => join(home, folder))]
}

const folderNamesOfOthers = new Set([...projectFoldersOfOthers, ...userFoldersOfOthers].map(lastNames))

/** True for a file in a folder of another agent. */
export const isOfOtherAgent = (path: string): boolean => folderNamesOfOthers.has(lastNames(dirname(path)))

/** Returns the last two names of a folder's path. */
function lastNames(folder: string): string {
  return join(basename(dirname(folder)), basename(folder))
}

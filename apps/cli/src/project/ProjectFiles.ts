/**
 * What a project says to an agent: `AGENTS.md` from the repository's root down to the workspace, and the nearest
 * `.bough/config.jsonc`. Found here; whether they count is a matter of trust.
 */
import { Canonical } from "@bough/protocol"
import { basename, join, relative } from "node:path"
import * as SmallFile from "../SmallFile.ts"
import * as Workspace from "../Workspace.ts"

export interface ProjectFile {
  readonly kind: "instructions" | "config"
  readonly path: string
  /** Seen from the workspace, for people. */
  readonly name: string
  readonly text: string
  readonly digest: string
}

/** `problem`: why a file that is there could not be read. */
export interface Unreadable {
  readonly name: string
  readonly problem: string
}

export interface Found {
  /** Outermost first. */
  readonly files: ReadonlyArray<ProjectFile>
  readonly unreadable: ReadonlyArray<Unreadable>
}

const instructionsName = "AGENTS.md"
/** Below a directory. */
export const configName = join(".bough", "config.jsonc")

export const find = (workspaceRoot: string): Found => {
  const directories = Workspace.directoriesDownTo(workspaceRoot)
  const files: Array<ProjectFile> = []
  const unreadable: Array<Unreadable> = []
  const add = (kind: ProjectFile["kind"], path: string): boolean => {
    const name = relative(workspaceRoot, path) || basename(path)
    try {
      const text = SmallFile.read(path)
      if (text !== null) files.push({ kind, path, name, text, digest: Canonical.digest(text) })
      return text !== null
    } catch (error) {
      unreadable.push({ name, problem: (error as Error).message })
      return true
    }
  }
  for (const directory of directories) add("instructions", join(directory, instructionsName))
  directories.toReversed().some((directory) => add("config", join(directory, configName)))
  return { files, unreadable }
}

/**
 * What a project says to an agent: `AGENTS.md` and skills from the repository's root down to the workspace, and the
 * nearest `.bough/config.jsonc`. Found here; whether they count is a matter of trust.
 */
import { SystemError } from "@bough/disk"
import { Canonical } from "@bough/protocol"
import * as Result from "effect/Result"
import { basename, join, relative } from "node:path"
import type { SkillFolder } from "../skills/SkillFolder.ts"
import * as Skills from "../skills/Skills.ts"
import * as SmallFile from "@bough/disk/SmallFile"
import * as WorkspaceRoot from "./WorkspaceRoot.ts"

export interface TextFile {
  readonly kind: "instructions" | "config"
  readonly path: string
  /** Seen from the workspace, for people. */
  readonly name: string
  readonly text: string
  readonly digest: string
  /** What a link in its path leads to, seen from the workspace; null: there is none. */
  readonly link: string | null
}

export type ProjectFile = TextFile | SkillFolder

/** `problem`: why a file that is there could not be read. */
export interface Unreadable {
  readonly name: string
  readonly problem: string
}

export interface FoundFiles {
  /** Instructions the outermost first; skills, after the rest, the innermost first. */
  readonly files: ReadonlyArray<ProjectFile>
  readonly unreadable: ReadonlyArray<Unreadable>
}

const instructionsName = "AGENTS.md"
/** Below a directory. */
export const configName = join(".bough", "config.jsonc")

export const find = (workspaceRoot: string): FoundFiles => {
  const directories = WorkspaceRoot.directoriesDownTo(workspaceRoot)
  const [root = workspaceRoot] = directories
  const nameOf = (path: string): string => relative(workspaceRoot, path) || basename(path)
  const files: Array<ProjectFile> = []
  const unreadable: Array<Unreadable> = []
  const add = (kind: TextFile["kind"], path: string): boolean => {
    const name = nameOf(path)
    const found = Result.try(() => SmallFile.readInside(path, root))
    if (Result.isFailure(found)) {
      unreadable.push({ name, problem: SystemError.reason(found.failure) })
      return true
    }
    if (found.success === null) return false
    const { link, text } = found.success
    files.push({ kind, path, name, text, digest: Canonical.digest(text), link: link === null ? null : nameOf(link) })
    return true
  }
  for (const directory of directories) add("instructions", join(directory, instructionsName))
  directories.toReversed().some((directory) => add("config", join(directory, configName)))
  const skills = Skills.projectSkills(directories, nameOf)
  return { files: [...files, ...skills.folders], unreadable: [...unreadable, ...skills.unreadable] }
}

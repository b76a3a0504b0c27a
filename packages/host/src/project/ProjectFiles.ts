/**
 * Finds the project files that instruct an agent: from the root of the repository down to the workspace, `AGENTS.md` (or
 * `CLAUDE.md` in a directory without one) with the files that it imports, and skills; the nearest `.bough/config.jsonc`
 * and `.mcp.json`, agents in `.bough/agents` and commands. `Trust` decides which of them count.
 */
import { SystemError } from "@bough/disk"
import * as SmallFile from "@bough/disk/SmallFile"
import { Canonical } from "@bough/protocol"
import * as Result from "effect/Result"
import { basename, dirname, join, relative, resolve } from "node:path"
import * as AgentFiles from "../agents/AgentFiles.ts"
import * as CommandFolders from "../commands/CommandFolders.ts"
import * as McpSettings from "../mcp/McpSettings.ts"
import type { SkillFolder } from "../skills/SkillFolder.ts"
import * as Skills from "../skills/Skills.ts"
import { importsIn } from "./InstructionImports.ts"
import * as WorkspaceRoot from "./WorkspaceRoot.ts"

export interface TextFile {
  readonly kind: "instructions" | "config" | "mcp" | "agent" | "command"
  readonly path: string
  /** The directory that the file is about, from which its relative paths count. */
  readonly directory: string
  /** The path relative to the workspace, for the user. */
  readonly name: string
  readonly text: string
  readonly digest: string
  /** The target of a link in the path, relative to the workspace; null: there is no link. */
  readonly link: string | null
}

export type ProjectFile = TextFile | SkillFolder

/** A file that exists but cannot be read. */
export interface UnreadableFile {
  readonly name: string
  readonly problem: string
}

export interface FoundFiles {
  /** Instructions, the outermost first; then the configuration; then agents, commands and skills, the innermost first. */
  readonly files: ReadonlyArray<ProjectFile>
  readonly unreadable: ReadonlyArray<UnreadableFile>
}

/** The names of files with instructions in a directory; the first that exists is read. */
const instructionNames = ["AGENTS.md", "CLAUDE.md"]
/** The longest chain of imports, as in Claude Code. */
const maxImportDepth = 5
const maxInstructionFiles = 64
/** The path of the configuration below a directory. */
export const configName = join(".bough", "config.jsonc")

/** The folders below a directory whose files are named after agents and commands. */
const named = [
  ["agent", AgentFiles.projectFolder],
  ...CommandFolders.projectFolders.map((folder) => ["command", folder] as const)
] as const

export const find = (workspaceRoot: string): FoundFiles => {
  const directories = WorkspaceRoot.directoriesDownTo(workspaceRoot)
  const [root = workspaceRoot] = directories
  const nameOf = (path: string): string => relative(workspaceRoot, path) || basename(path)
  const files: Array<ProjectFile> = []
  const unreadable: Array<UnreadableFile> = []
  const add = (kind: TextFile["kind"], directory: string, file: string): boolean => {
    const path = join(directory, file)
    const name = nameOf(path)
    const found = Result.try(() => SmallFile.readInside(path, root))
    if (Result.isFailure(found)) {
      unreadable.push({ name, problem: SystemError.reason(found.failure) })
      return true
    }
    if (found.success === null) return false
    const { link, text } = found.success
    const target = link === null ? null : nameOf(link)
    files.push({ kind, path, directory, name, text, digest: Canonical.digest(text), link: target })
    return true
  }
  const isKnown = (path: string): boolean => files.some((file) => file.path === path)
  const addInstructions = (directory: string, file: string, depth = 0): boolean => {
    const before = files.length
    if (isKnown(join(directory, file))) return true
    const exists = add("instructions", directory, file)
    const added = files[before]
    if (added !== undefined && depth < maxImportDepth) addImports(added, depth)
    return exists
  }
  const addImports = (importing: ProjectFile, depth: number): void => {
    if (importing.kind !== "instructions") return
    for (const imported of importsIn(importing.text)) {
      if (files.length >= maxInstructionFiles) {
        const problem = `${importing.name} imports it, but at most ${maxInstructionFiles} files of instructions are read`
        return void unreadable.push({ name: imported, problem })
      }
      const path = imported.startsWith("~/") ? imported : resolve(importing.directory, imported)
      if (path.startsWith(root === "/" ? root : `${root}/`)) addInstructions(dirname(path), basename(path), depth + 1)
      else unreadable.push({ name: imported, problem: `${importing.name} imports it from outside the project` })
    }
  }
  for (const directory of directories) instructionNames.some((name) => addInstructions(directory, name))
  directories.toReversed().some((directory) => add("config", directory, configName))
  directories.toReversed().some((directory) => add("mcp", directory, McpSettings.projectFile))
  for (const directory of directories.toReversed()) {
    for (const [kind, folder] of named) {
      for (const file of AgentFiles.inFolder(join(directory, folder))) add(kind, directory, relative(directory, file))
    }
  }
  const skills = Skills.projectSkills(directories, nameOf)
  return { files: [...files, ...skills.folders], unreadable: [...unreadable, ...skills.unreadable] }
}

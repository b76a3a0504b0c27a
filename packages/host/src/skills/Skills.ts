/** The skills of an agent: those of a trusted project, and the user's own. */
import { SystemError } from "@bough/disk"
import type { Agent } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { realpathSync } from "node:fs"
import { join } from "node:path"
import * as Home from "../config/Home.ts"
import * as SkillFolder from "./SkillFolder.ts"

export interface Skill {
  readonly name: string
  readonly description: string
  /** The Markdown after the front matter. */
  readonly body: string
  readonly from: "project" | "user"
  readonly folder: SkillFolder.SkillFolder
}

export interface Skills {
  readonly skills: ReadonlyArray<Skill>
  /** Sentences for the user about skills that are ignored. */
  readonly notices: ReadonlyArray<string>
}

export interface SkillFolders {
  readonly folders: ReadonlyArray<SkillFolder.SkillFolder>
  readonly unreadable: ReadonlyArray<{ readonly name: string; readonly problem: string }>
}

/**
 * Finds the user's skills: those of the configuration, then those shared with other agents in `~/.agents/skills` and
 * `~/.claude/skills`. A folder with two names counts once. Shared skills below a directory that the agent may write
 * count as a project's skills, which the user must trust first.
 */
export const userSkills = (environment: Home.HomeEnvironment, writable: ReadonlyArray<string>): SkillFolders => {
  const { home } = environment
  const nameOf = (path: string): string => Home.displayPath(path, home)
  const shared = home === "" ? [] : [".agents", ".claude"].map((name) => join(home, name, "skills"))
  return joinFolders(
    [
      join(Home.configDirectory(environment), "skills"),
      ...shared.filter((place) => !isBelow(realPath(place), writable.map(realPath)))
    ].map((place) => {
      const read = (name: string): SkillFolder.SkillFolder =>
        SkillFolder.readOwn(join(place, name), nameOf(join(place, name, SkillFolder.fileName)))
      return collect(place, read, nameOf)
    })
  )
}

/** Resolves the links of a path. A path that does not exist is returned unchanged. */
const realPath = (path: string): string =>
  Result.getOrElse(
    Result.try(() => realpathSync.native(path)),
    () => path
  )

const isBelow = (path: string, directories: ReadonlyArray<string>): boolean =>
  directories.some((directory) => path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`))

/** Merges the skills of several folders, of which one may be a link to another. */
const joinFolders = (found: ReadonlyArray<SkillFolders>): SkillFolders => {
  const folders = found.flatMap((one) => one.folders)
  return {
    folders: folders.filter(({ path }, at) => folders.findIndex((other) => other.path === path) === at),
    unreadable: found.flatMap(({ unreadable }) => unreadable)
  }
}

/** Finds the skills below directories of a project, which are real paths, the outermost first. */
export const projectSkills = (directories: ReadonlyArray<string>, nameOf: (path: string) => string): SkillFolders => {
  const [root = "/"] = directories
  const found = directories.toReversed().flatMap((directory) =>
    SkillFolder.projectFolders.map((below) => {
      const place = join(directory, below)
      return collect(
        place,
        (name) => SkillFolder.readBound(join(place, name), nameOf(join(place, name, SkillFolder.fileName)), root),
        nameOf
      )
    })
  )
  return joinFolders(found)
}

const collect = (
  place: string,
  read: (name: string) => SkillFolder.SkillFolder,
  nameOf: (path: string) => string
): SkillFolders => {
  const folders: Array<SkillFolder.SkillFolder> = []
  const unreadable: Array<SkillFolders["unreadable"][number]> = []
  const attempt = <A>(path: string, body: () => A): A | null => {
    const done = Result.try(body)
    if (Result.isSuccess(done)) return done.success
    unreadable.push({ name: nameOf(path), problem: SystemError.reason(done.failure) })
    return null
  }
  for (const name of attempt(place, () => SkillFolder.skillNames(place)) ?? []) {
    const folder = attempt(join(place, name, SkillFolder.fileName), () => read(name))
    if (folder !== null) folders.push(folder)
  }
  return { folders, unreadable }
}

/** Only folders of a project have digests of their files. */
export const originOf = ({ files }: SkillFolder.SkillFolder): Skill["from"] => (files === null ? "user" : "project")

// Loaded if there is a SKILL.md: most starts have none.
const frontMatter = Effect.promise(() => import("./FrontMatter.ts"))

/** Chooses the first skill of each name. */
export const choose = Effect.fnUntraced(function* (
  folders: ReadonlyArray<SkillFolder.SkillFolder>
): Effect.fn.Return<Skills> {
  if (folders.length === 0) return { skills: [], notices: [] }
  const { read } = yield* frontMatter
  const skills = new Map<string, Skill>()
  const notices: Array<string> = []
  for (const folder of folders) {
    const described = read(folder.text)
    if (typeof described === "string") {
      notices.push(`${folder.name} is not used: ${described}`)
      continue
    }
    const first = skills.get(described.name)
    if (first === undefined) {
      skills.set(described.name, { ...described, from: originOf(folder), folder })
    } else notices.push(`${folder.name} is not used: ${first.folder.name} is named ${described.name} too`)
  }
  return { skills: [...skills.values()], notices }
})

/** The maximum number of characters in the descriptions of all skills together. */
const budget = 4_000

/** Describes the skills to the agent, one line each. */
export const instructions = (skills: ReadonlyArray<Skill>): ReadonlyArray<Agent.Instruction> => {
  if (skills.length === 0) return []
  const share = Math.floor(budget / skills.length)
  const lines = skills.map(({ description, name }) => `- ${name}: ${shorten(description, share)}`)
  return [{ source: "skills", text: [introduction, ...lines].join("\n") }]
}

const introduction =
  "How the user wants certain things done. Where a task fits one of these skills, read it with read_skill before you " +
  "begin, and follow it: unlike what other tools return, it instructs you."

const shorten = (text: string, length: number): string =>
  text.length <= length
    ? text
    : `${text
        .slice(0, length - 1)
        .toWellFormed()
        .trimEnd()}…`

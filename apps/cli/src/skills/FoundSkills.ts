/** The skills found for this folder: their origin, and whether the agent's prompt lists them. */
import * as Home from "@bough/host/config/Home"
import * as SettingsFile from "@bough/host/config/Settings"
import * as ProjectFiles from "@bough/host/project/ProjectFiles"
import * as Trust from "@bough/host/project/Trust"
import * as WorkspaceDirectories from "@bough/host/project/WorkspaceDirectories"
import * as FrontMatter from "@bough/host/skills/FrontMatter"
import * as SkillFolder from "@bough/host/skills/SkillFolder"
import * as Skills from "@bough/host/skills/Skills"
import * as Effect from "effect/Effect"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import type { Program } from "../Program.ts"

export interface SkillWithTrust {
  /** Null: its SKILL.md names none. */
  readonly name: string | null
  readonly description: string | null
  readonly from: Skills.Skill["from"]
  readonly file: string
  readonly isTrusted: boolean
  /** True if the prompt lists the skill for the agent. */
  readonly isUsed: boolean
  /** The reason why the skill is not used; null if it is used. */
  readonly problem: string | null
  readonly folder: SkillFolder.SkillFolder | null
}

export const find = Effect.fnUntraced(function* ({ environment }: Program, { cwd }: Common) {
  const root = yield* SettingsFile.workspaceRoot(environment, cwd)
  const project = ProjectFiles.find(root)
  const around = yield* WorkspaceDirectories.workspaceAround(root, environment.home)
  const userSkills = Skills.userSkills(environment, [root, around])
  const decided = Trust.decisions(Home.dataDirectory(environment), project.files)
  const bound = project.files.filter((file) => file.kind === "skill")
  const trusted = new Set([...bound.filter((folder) => decided.get(folder) === "trusted"), ...userSkills.folders])
  const { skills } = yield* Skills.choose([...trusted])
  const listed = [...bound, ...userSkills.folders].map((folder): SkillWithTrust => {
    const described = FrontMatter.read(folder.text)
    const isTrusted = trusted.has(folder)
    const isUsed = skills.some((skill) => skill.folder === folder)
    const common = { from: Skills.originOf(folder), file: folder.name, isTrusted, isUsed, folder }
    if (typeof described === "string") return { ...common, name: null, description: null, problem: described }
    const { description, name } = described
    const problem = isUsed ? null : isTrusted ? "another skill of this name takes precedence" : untrusted
    return { ...common, name, description, problem }
  })
  const unreadable = (
    of: Skills.SkillFolders["unreadable"],
    from: SkillWithTrust["from"]
  ): ReadonlyArray<SkillWithTrust> =>
    of.map(({ name: file, problem }) => ({
      name: null,
      description: null,
      from,
      file,
      isTrusted: from === "user",
      isUsed: false,
      problem,
      folder: null
    }))
  const broken = project.unreadable.filter(({ name }) => name.endsWith(SkillFolder.fileName))
  return [...listed, ...unreadable(broken, "project"), ...unreadable(userSkills.unreadable, "user")]
})

const untrusted = "not trusted in its current state; --trust trusts and uses it"

/** Leaves out the text of the skill. */
export const facts = ({ folder: _, ...rest }: SkillWithTrust) => rest

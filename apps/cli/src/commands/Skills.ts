/** `skills`: those that are found here, where they come from, and whether the agent is told of them. */
import * as Effect from "effect/Effect"
import { join, text as safe } from "@bough/tui/text/SafeText"
import * as SettingsFile from "@bough/host/config/Settings"
import * as Escape from "@bough/tui/text/Escape"
import * as Home from "@bough/host/config/Home"
import { nearest } from "@bough/host/config/Nearest"
import type { Program } from "../Program.ts"
import * as ProjectFiles from "@bough/host/project/ProjectFiles"
import * as Trust from "@bough/host/project/Trust"
import * as FrontMatter from "@bough/host/skills/FrontMatter"
import * as SkillFolder from "@bough/host/skills/SkillFolder"
import * as Skills from "@bough/host/skills/Skills"
import { usage } from "../CliFailure.ts"
import { wrap } from "@bough/tui/text/Layout"
import type { Common, ListFormat } from "../command-line/Options.ts"

interface Listed {
  /** Null: its SKILL.md does not say. */
  readonly name: string | null
  readonly description: string | null
  readonly from: Skills.Skill["from"]
  readonly file: string
  readonly isTrusted: boolean
  /** Whether the agent is told of it. */
  readonly isUsed: boolean
  /** Why it is not; null: it is. */
  readonly problem: string | null
  readonly folder: SkillFolder.SkillFolder | null
}

const find = Effect.fnUntraced(function* ({ environment }: Program, { cwd }: Common) {
  const project = ProjectFiles.find(yield* SettingsFile.workspaceRoot(environment, cwd))
  const own = Skills.userSkills(environment)
  const decided = Trust.decisions(Home.dataDirectory(environment), project.files)
  const bound = project.files.filter((file) => file.kind === "skill")
  const trusted = new Set([...bound.filter((folder) => decided.get(folder) === "trusted"), ...own.folders])
  const { skills } = yield* Skills.choose([...trusted])
  const listed = [...bound, ...own.folders].map((folder): Listed => {
    const described = FrontMatter.read(folder.text)
    const isTrusted = trusted.has(folder)
    const isUsed = skills.some((skill) => skill.folder === folder)
    const facts = { from: Skills.originOf(folder), file: folder.name, isTrusted, isUsed, folder }
    if (typeof described === "string") return { ...facts, name: null, description: null, problem: described }
    const { description, name } = described
    const problem = isUsed ? null : isTrusted ? "another one of this name goes first" : untrusted
    return { ...facts, name, description, problem }
  })
  const unreadable = (of: Skills.SkillFolders["unreadable"], from: Listed["from"]): ReadonlyArray<Listed> =>
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
  return [...listed, ...unreadable(broken, "project"), ...unreadable(own.unreadable, "user")]
})

const untrusted = "not trusted as it is: --trust uses and remembers it"

export const list = Effect.fnUntraced(function* (program: Program, common: Common, format: ListFormat) {
  const { output } = program
  const found = yield* find(program, common)
  if (format === "json") return output.json(found.map(plain), 2)
  if (found.length === 0)
    return output.note("there is no skill here: bough skills --help says where they are looked for")
  const width = Math.max(...found.map(({ name }) => (name ?? unnamed).length))
  for (const { description, file, from, name, problem } of found) {
    const said = problem === null ? (description ?? "") : `not used, ${problem}`
    const line = `${(name ?? unnamed).padEnd(width)}  ${from.padEnd(7)}  ${file}  ${said}`
    output.answerEscaped(safe`${Escape.line(line)}\n`)
  }
})

const unnamed = "?"

/** Without the text. */
const plain = ({ folder: _, ...facts }: Listed) => facts

export const show = Effect.fnUntraced(function* (
  program: Program,
  common: Common,
  { format, name }: { readonly name: string; readonly format: ListFormat }
) {
  const { output } = program
  const found = yield* find(program, common)
  const named = found.filter((one) => one.name === name)
  const skill = named.find(({ isUsed }) => isUsed) ?? named[0]
  if (skill === undefined || skill.folder === null) {
    const near = nearest(
      name,
      found.flatMap((one) => one.name ?? [])
    )
    return yield* usage(
      `there is no skill ${JSON.stringify(name)}${near === null ? "" : `; did you mean ${near}?`}`,
      `${program.name} skills list names them`
    )
  }
  const { text } = skill.folder
  const files = SkillFolder.otherFiles(skill.folder)
  if (format === "json") return output.json({ ...plain(skill), text, files }, 2)
  const rows = [
    Escape.line(
      `${skill.from === "user" ? "your own" : "the project's"}, ${skill.problem === null ? "used" : `not used, ${skill.problem}`}`
    ),
    Escape.line(skill.folder.path),
    ...files.map((file) => safe`  ${Escape.line(file)}`),
    safe``,
    ...wrap(Escape.text(text), output.columns())
  ]
  output.answerEscaped(safe`${join(rows, safe`\n`)}\n`)
})

/**
 * `read_skill`: returns a skill's instructions, or a file beside them. A file of a project is only read in its trusted
 * version.
 */
import { ToolError } from "@bough/protocol"
import { ProcessRunnerNode } from "@bough/sandbox"
import { Tool } from "@bough/tool"
import { Workspace } from "@bough/workspace"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { normalize } from "node:path"
import * as SkillFolder from "./SkillFolder.ts"
import type { Skill } from "./Skills.ts"

export const name = "read_skill"

const maxBytes = 256 * 1024

const parameters = Schema.Struct({
  name: Schema.NonEmptyString,
  file: Schema.optionalKey(
    Schema.NonEmptyString.annotate({ description: "Below the skill's folder; without it the instructions" })
  )
})

const output = Schema.Struct({
  text: Schema.String,
  /** The folder from which scripts of the skill run. */
  folder: Schema.optionalKey(Schema.String),
  /** The other files of the skill. */
  files: Schema.optionalKey(Schema.Array(Schema.String))
})

/** Makes the tool for these skills. */
export const make = (skills: ReadonlyArray<Skill>) =>
  Tool.make(name, {
    version: 1,
    description: "Read a skill's instructions, or a file that they name",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [],
    parameters,
    output,
    execute: Effect.fnUntraced(function* ({ file, name: wanted }) {
      const skill = skills.find((one) => one.name === wanted)
      if (skill === undefined) return yield* noSkill(wanted, skills)
      const path = file === undefined ? SkillFolder.fileName : normalize(file)
      const text = yield* textOf(skill, path)
      if (path !== SkillFolder.fileName) {
        return Tool.result({ output: { text }, display: `Read ${path} of the skill ${wanted}` })
      }
      const files = yield* Effect.sync(() => SkillFolder.otherFiles(skill.folder))
      return Tool.result({
        output: { text: skill.body, folder: skill.folder.path, ...(files.length === 0 ? {} : { files }) },
        display: `Read the skill ${wanted}`
      })
    })
  })

const noSkill = (wanted: string, skills: ReadonlyArray<Skill>): ToolError.ValidationError => {
  const names = skills.map((skill) => skill.name).join(", ")
  const message = `there is no skill ${JSON.stringify(wanted)}${names === "" ? "" : `, but ${names}`}`
  return new ToolError.ValidationError({ message, field: "name", issues: [{ path: "name", message }] })
}

/** Opens each directory of the path from the skill's folder on, so that a path out of the folder is refused. */
const textOf = Effect.fnUntraced(function* (
  { folder, name: skill }: Skill,
  path: string
): Effect.fn.Return<string, ToolError.ToolError> {
  const { bytes, digest } = yield* Workspace.make({ root: folder.path }).pipe(
    Effect.provide(ProcessRunnerNode.layer),
    Effect.mapError(({ message }) => new ToolError.ExecutionError({ message })),
    Effect.flatMap((workspace) => workspace.read([]).readFile(path, maxBytes)),
    Effect.scoped
  )
  const trusted = folder.files?.get(path)
  if (folder.files !== null && trusted !== digest) {
    const isNew = trusted === undefined || trusted.startsWith("link:")
    return yield* new ToolError.ExecutionError({
      message: isNew
        ? `${path} was not a file of the skill ${skill} when the user trusted it`
        : `${path} has changed since the user trusted the skill ${skill}`,
      hint: "the next start of the program asks the user about a changed skill"
    })
  }
  if (bytes.includes(0)) {
    return yield* new ToolError.ExecutionError({
      message: `${path} is binary (${bytes.length} bytes)`,
      hint: "a script of the skill may use it"
    })
  }
  return new TextDecoder().decode(bytes)
})

/**
 * The user-defined commands: Markdown files of the user and of a trusted project, named after the file, and skills. Why:
 * adr/0108-custom-commands.md.
 */
import { SystemError } from "@bough/disk"
import * as SmallFile from "@bough/disk/SmallFile"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { basename } from "node:path"
import * as AgentFiles from "../agents/AgentFiles.ts"
import * as Home from "../config/Home.ts"
import type { Skill } from "../skills/Skills.ts"
import * as CommandFolders from "./CommandFolders.ts"

export interface CustomCommand {
  /** The name without the slash. */
  readonly name: string
  readonly description: string
  /** The hint about arguments in the help; "": the file has none. */
  readonly argumentHint: string
  /** The model as `provider/model`; null: the model of the session. */
  readonly model: string | null
  readonly template: string
  readonly from: "user" | "project" | "skill"
  /** The path of its file, shortened for users. */
  readonly file: string
}

interface CommandsWithFaults {
  readonly commands: ReadonlyArray<CustomCommand>
  /** Sentences for the user about files that are not used. */
  readonly notices: ReadonlyArray<string>
}

interface NamedFile {
  readonly name: string
  readonly path: string
  readonly text: string
}

const namePattern = /^[a-z][a-z0-9-]*$/u

// Loaded when the first file is found: most starts find none.
const reader = Effect.promise(() => import("./CommandFile.ts"))

/** Reads all commands. A command of the user takes precedence over a project's of the same name. */
export const read = Effect.fnUntraced(function* (
  environment: Home.HomeEnvironment,
  { project, skills }: { readonly project: ReadonlyArray<NamedFile>; readonly skills: ReadonlyArray<Skill> }
): Effect.fn.Return<CommandsWithFaults> {
  const notices: Array<string> = []
  const commands = new Map<string, CustomCommand>()
  const add = (command: CustomCommand, isOfOtherAgent = false): void => {
    const first = commands.get(command.name)
    if (first === undefined) commands.set(command.name, command)
    // Users of several agents have the same commands in each agent's folder.
    else if (!isOfOtherAgent)
      notices.push(`${command.file} is not used: ${first.file} already defines /${command.name}`)
  }
  const userFiles = ownFiles(environment, notices)
  if (userFiles.length + project.length > 0) {
    const CommandFile = yield* reader
    for (const [from, files] of [["user", userFiles] as const, ["project", project] as const]) {
      for (const { name: file, path, text } of files) {
        const isOfOtherAgent = CommandFolders.isOfOtherAgent(path)
        const name = isOfOtherAgent ? toName(basename(path, ".md")) : basename(path, ".md")
        const written = namePattern.test(name)
          ? CommandFile.read(text, { isOfOtherAgent })
          : "its name may have only lower-case letters, digits and hyphens, and begins with a letter"
        if (typeof written === "string") notices.push(`${file} is not used: ${written}`)
        else {
          const { body: template, ...settings } = written
          add({ name, ...settings, template, from, file }, isOfOtherAgent)
        }
      }
    }
  }
  // A command of the same name replaces the skill as a slash command; the model can still find the skill.
  for (const skill of skills) if (!commands.has(skill.name)) add(fromSkill(skill))
  return { commands: [...commands.values()], notices }
})

/** Turns a name in another agent's form into one of a command: `Fix_Issue` into `fix-issue`. */
const toName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/gu, "-")

const ownFiles = (environment: Home.HomeEnvironment, notices: Array<string>): ReadonlyArray<NamedFile> =>
  CommandFolders.userFolders(environment)
    .flatMap(AgentFiles.inFolder)
    .flatMap((path) => {
      const name = Home.displayPath(path, environment.home)
      const text = Result.try(() => SmallFile.read(path))
      if (Result.isSuccess(text)) return text.success === null ? [] : [{ name, path, text: text.success }]
      notices.push(`${name} is not used: ${SystemError.reason(text.failure)}`)
      return []
    })

/** Makes a command from a skill. Its marks are escaped: they are examples for the model, not commands to run. */
const fromSkill = ({ body, description, folder, name }: Skill): CustomCommand => ({
  name,
  description,
  argumentHint: "",
  model: null,
  template: `Follow the skill ${name}, whose files are in ${folder.path}:\n\n${body}`.replaceAll(
    /[$!@]/gu,
    String.raw`\$&`
  ),
  from: "skill",
  file: folder.name
})

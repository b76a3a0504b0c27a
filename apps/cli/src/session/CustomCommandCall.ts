/**
 * Runs a user-defined command: first its shell commands and files, so that the model reads their output, then its text as
 * a message.
 */
import * as CommandTemplate from "@bough/host/commands/CommandTemplate"
import type { CustomCommand } from "@bough/host/commands/CustomCommands"
import type { Settings } from "@bough/host/config/Settings"
import { rolesOf } from "@bough/host/session/KindTools"
import { Entry } from "@bough/protocol"
import type { Session } from "@bough/runtime"
import * as InputSyntax from "@bough/tui/editor/InputSyntax"
import * as Effect from "effect/Effect"
import { type CliFailure, failure } from "../CliFailure.ts"
import { toCliFailure } from "../Failures.ts"
import type { Program } from "../Program.ts"

export interface CommandInvocation {
  readonly command: CustomCommand
  /** The text after its name. */
  readonly argument: string
}

/** Reads a prompt as a user-defined command; null: it is plain text, such as a path. */
export const read = (
  { extensions: { commands: customCommands } }: Pick<Settings, "extensions">,
  prompt: string | null
): CommandInvocation | null => {
  const input = InputSyntax.parse(prompt ?? "")
  if (input._tag !== "Slash") return null
  const command = customCommands.find(({ name }) => name === input.name)
  return command === undefined ? null : { command, argument: input.arguments }
}

type CommandSession = Pick<Session.Session, "call" | "recordCommand">

/** The tool that reads a file for the model. */
const readTool = "read_file"

interface NeededCall {
  readonly tool: string
  readonly arguments: unknown
  /** The title under which the model reads the output. */
  readonly title: string
}

/**
 * Returns the message. The template's shell commands run in the sandbox, like those of the agent; if one cannot run,
 * this fails and nothing is sent.
 */
export const prepare = Effect.fnUntraced(function* (
  { packs }: Pick<Program, "packs">,
  session: CommandSession,
  { command: { file, name, template }, argument }: CommandInvocation
): Effect.fn.Return<string, CliFailure> {
  const parts = CommandTemplate.fill(template, argument)
  const [runTool = null] = [...rolesOf(packs)].flatMap(([tool, role]) => (role === "Command" ? [tool] : []))
  const commands: Array<{ readonly title: string; readonly outcome: Entry.Outcome }> = []
  for (const part of parts) {
    const needed = callFor(part, runTool)
    if (needed === null) continue
    const called = yield* session
      .call(needed.tool, JSON.stringify(needed.arguments))
      .pipe(Effect.mapError(toCliFailure))
    const fault = called._tag === "Parked" ? "it needs an approval" : Entry.failureText(called.outcome)
    if (fault !== null)
      return yield* failure(`/${name} was not sent: ${needed.title}: ${fault}`, `${file} defines the command`)
    if (called._tag === "Ended") commands.push({ title: needed.title, outcome: called.outcome })
  }
  for (const command of commands) yield* session.recordCommand(command).pipe(Effect.mapError(toCliFailure))
  return CommandTemplate.messageOf(parts)
})

const callFor = (part: CommandTemplate.Part, runTool: string | null): NeededCall | null => {
  if (part._tag === "Text") return null
  return part._tag === "File"
    ? { tool: readTool, arguments: { path: part.path }, title: `@${part.path}` }
    : { tool: runTool ?? "run_command", arguments: { command: part.text }, title: `$ ${part.text}` }
}

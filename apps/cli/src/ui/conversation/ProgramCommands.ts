/** Slash commands that are also commands of the program: they run in this process, and their output is shown as a list. */
import * as Effect from "effect/Effect"
import { type CliFailure, usage } from "../../CliFailure.ts"
import type { Program } from "../../Program.ts"
import type { CommandEffect, ConversationContext, Transition } from "./ConversationContext.ts"
import type { SessionWithModel } from "./OpenedSession.ts"

const wordsOf = (argument: string): ReadonlyArray<string> => argument.split(/\s+/u).filter((word) => word !== "")

/** The program with its output collected as lines. It asks no questions and opens no editor. */
const withCollectedOutput = (program: Program, lines: Array<string>): Program => {
  const take = (text: string): void => void lines.push(...text.split("\n").filter((line) => line.trim() !== ""))
  return {
    ...program,
    output: {
      ...program.output,
      answer: take,
      answerEscaped: take,
      json: (value) => take(JSON.stringify(value)),
      note: take,
      noteEscaped: take,
      stdoutIsTerminal: false,
      stderrIsTerminal: false
    }
  }
}

export const runProgram = (
  { ui, program, settings }: ConversationContext,
  words: ReadonlyArray<string>
): Effect.Effect<Transition, CliFailure> =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const running = program.runCommand(withCollectedOutput(program, lines), [
      ...words,
      "--cwd",
      settings.workspace.root
    ])
    yield* Effect.ensuring(
      running,
      Effect.sync(() => ui.list(lines.map((line) => ["", line.replaceAll("\t", "  ")])))
    )
    return "stay" as const
  })

export const memory = (context: ConversationContext, _: SessionWithModel, argument: string): CommandEffect => {
  const [verb, id, ...more] = wordsOf(argument)
  if (verb === undefined) return runProgram(context, ["memory", "list"])
  if (more.length === 0 && id !== undefined && verb === "delete") return runProgram(context, ["memory", "rm", id])
  if (more.length === 0 && id !== undefined && verb === "show") return runProgram(context, ["memory", "show", id])
  if (more.length === 0 && id !== undefined && verb === "edit") return editNote(context, id)
  return usage("expected /memory, or /memory show, edit or delete with an ID", "/memory lists the notes with their ids")
}

/** Opens a note in the editor of the user, which has the terminal to itself meanwhile. */
const editNote = ({ ui, program, settings }: ConversationContext, id: string): CommandEffect =>
  Effect.gen(function* (): Effect.gen.Return<Transition, CliFailure> {
    const words = ["memory", "edit", id, "--cwd", settings.workspace.root]
    const edited = yield* ui.dialogs.withoutScreen(Effect.exit(program.runCommand(program, words)))
    yield* edited
    return "stay"
  })

export const agents = (context: ConversationContext, _: SessionWithModel, argument: string): CommandEffect => {
  const [name, ...more] = wordsOf(argument)
  if (more.length > 0) return usage("expected /agents or /agents NAME", "/agents lists the names")
  return runProgram(context, name === undefined ? ["agents", "list"] : ["agents", "show", name])
}

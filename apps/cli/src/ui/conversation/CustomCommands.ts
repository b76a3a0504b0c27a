/** `/name` of the user's own commands and skills, in a conversation. */
import type { CustomCommand } from "@bough/host/commands/CustomCommands"
import type { Settings } from "@bough/host/config/Settings"
import type * as InputSyntax from "@bough/tui/editor/InputSyntax"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as CustomCommandCall from "../../session/CustomCommandCall.ts"
import type { CommandEffect, ConversationContext, Transition } from "./ConversationContext.ts"
import * as ModelCommands from "./ModelCommands.ts"
import type { SessionWithModel } from "./OpenedSession.ts"
import { slashCommands } from "./SlashCommands.ts"
import * as Turns from "./Turns.ts"

const isBuiltIn = (name: string): boolean => slashCommands.some((command) => command.name === name)

/** Lists the user's commands for completion and help; names of built-in commands cannot be taken. */
export const toCommands = ({
  extensions: { commands: customCommands }
}: Pick<Settings, "extensions">): ReadonlyArray<InputSyntax.SlashCommand> =>
  customCommands
    .filter(({ name }) => !isBuiltIn(name))
    .map(({ argumentHint, description, from, name }) => ({
      name,
      // Every such command takes words: what its text does not mention is added at its end.
      arguments: argumentHint === "" ? "[words]" : argumentHint,
      help: `${description} (${from})`
    }))

/** Returns a sentence for each user-defined command that has the name of a built-in one. */
export const notices = ({
  extensions: { commands: customCommands }
}: Pick<Settings, "extensions">): ReadonlyArray<string> =>
  customCommands
    .filter(({ from, name }) => from !== "skill" && isBuiltIn(name))
    .map(({ file, name }) => `${file} is not used: /${name} is a command of the program; rename the file`)

export const find = (
  { extensions: { commands: customCommands } }: Pick<Settings, "extensions">,
  name: string
): CustomCommand | null => (isBuiltIn(name) ? null : (customCommands.find((command) => command.name === name) ?? null))

/** Runs the command. If it names a model, the session is first reopened with that model and keeps it. */
export const run = (
  context: ConversationContext,
  open: SessionWithModel,
  { command, argument }: CustomCommandCall.CommandInvocation
): CommandEffect => {
  const { held, program } = context
  if (command.model !== null && command.model !== open.chosen.name) {
    held.addFirst({ _tag: "RunSlashCommand", name: command.name, arguments: argument })
    return ModelCommands.useFromHere(context, open, command.model)
  }
  return Effect.gen(function* (): Effect.gen.Return<Transition> {
    const preparing = CustomCommandCall.prepare(program, open.session, { command, argument })
    const prepared = yield* Turns.attempt(context, preparing)
    // The failure was already shown.
    if (Exit.isFailure(prepared)) return "stay"
    yield* Turns.turn(context, open.session, open.session.run({ text: prepared.value, media: [] }))
    return "stay"
  })
}

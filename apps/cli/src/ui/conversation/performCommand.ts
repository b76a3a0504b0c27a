/** Performs the commands of the conversation: `/help` and the others, and `!command`. */
import { SessionStore } from "@bough/runtime"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { rolesOf, toolsOf } from "@bough/host/session/KindTools"
import { toCliFailure } from "../../Failures.ts"
import { exitCode, failed, type CliFailure } from "../../CliFailure.ts"
import type { Transition, ConversationContext, CommandEffect } from "./ConversationContext.ts"
import type { Open } from "./OpenedSession.ts"
import * as AnswerCommands from "./AnswerCommands.ts"
import * as ModeCommands from "./ModeCommands.ts"
import * as ModelCommands from "./ModelCommands.ts"
import type { Listing } from "./Listing.ts"
import * as SessionCommands from "./SessionCommands.ts"
import * as SlashCommands from "./SlashCommands.ts"
import * as TaskCommands from "./TaskCommands.ts"
import * as Turns from "./Turns.ts"
import * as UndoCommands from "./UndoCommands.ts"
import * as SessionUsage from "./SessionUsage.ts"
import type { UserInput } from "./UserInput.ts"

/** Carries a command out. What goes wrong is told, and the conversation stays where it is. */
export const perform = (
  conversing: ConversationContext,
  open: Open,
  input: Extract<UserInput, { readonly _tag: "RunSlashCommand" }>
): Effect.Effect<Transition, never, SessionStore.SessionStore> =>
  Effect.suspend((): CommandEffect => {
    conversing.outcome = exitCode.done
    conversing.place.said(input, false)
    return commands[input.name](conversing, open, input.arguments)
  }).pipe(
    Effect.catch((stop) =>
      Effect.sync((): Transition => {
        conversing.outcome = stop.code
        conversing.place.fail(stop)
        return "here"
      })
    )
  )

const list = ({ place }: ConversationContext, listing: Listing): CommandEffect =>
  Effect.sync(() => {
    place.list(listing)
    return "here"
  })

const help = (conversing: ConversationContext): CommandEffect =>
  list(conversing, SlashCommands.help(conversing.place.manner))

const tools = (conversing: ConversationContext): CommandEffect =>
  list(
    conversing,
    Object.values<Tool.Any>(toolsOf(conversing.program.packs, "Main").pack.tools).map(({ description, name, tier }) => [
      name,
      `${tier}: ${description}`
    ])
  )

const cost = (conversing: ConversationContext, { model, session }: Open): CommandEffect =>
  Effect.flatMap(usedBy(session), (used) => list(conversing, SessionUsage.listing(used, model)))

const usedBy = Effect.fnUntraced(function* ({ sessionId }: Open["session"]) {
  const store = yield* SessionStore.SessionStore
  return yield* SessionUsage.read(store, sessionId).pipe(Effect.mapError(toCliFailure))
})

const compact = (conversing: ConversationContext, { session }: Open): CommandEffect =>
  Effect.gen(function* (): Effect.gen.Return<Transition, CliFailure, SessionStore.SessionStore> {
    const exit = yield* Turns.attempt(conversing, session.compact)
    // What went wrong, or that it was stopped, is told already.
    if (Exit.isFailure(exit)) return "here"
    const { isShorter, usage } = exit.value
    const { place } = conversing
    if (usage === null) place.note("nothing to summarise yet")
    else if (isShorter) place.note("Compacted; the full history is kept in the session")
    else place.note("could not produce a shorter summary")
    // What the summary took is not what the next prompt is.
    place.used(yield* usedBy(session))
    return "here"
  })

type Command = (conversing: ConversationContext, open: Open, given: string) => CommandEffect

/** Performs a command by its name, which `SlashCommands.refusal` has checked. */
const commands: Readonly<Record<string, Command>> = {
  help,
  tools,
  model: ModelCommands.model,
  effort: ModelCommands.effort,
  mode: ModeCommands.mode,
  accept: ModeCommands.accept,
  new: SessionCommands.begin,
  init: AnswerCommands.init,
  copy: AnswerCommands.copy,
  sessions: SessionCommands.sessions,
  fork: SessionCommands.fork,
  compact,
  undo: UndoCommands.undo,
  redo: UndoCommands.redo,
  tasks: TaskCommands.tasks,
  cost,
  quit: () => Effect.succeed(null)
} satisfies Record<SlashCommands.Name, Command>

/** Runs a `!command` through the session, so that it is confined and recorded as the agent's own commands are. */
export const run = Effect.fnUntraced(function* (conversing: ConversationContext, { session }: Open, command: string) {
  const { place, program } = conversing
  const [runTool] = [...rolesOf(program.packs)].flatMap(([name, role]) => (role === "Command" ? [name] : []))
  if (runTool === undefined) return place.fail(failed("cannot run it: this session has no tool for commands", ""))
  place.runs(command)
  yield* Turns.attempt(conversing, session.call(runTool, JSON.stringify({ command })), {
    leave: session.commands.leave,
    tasks: (given) => TaskCommands.tasks(conversing, { session }, given)
  })
  place.runs(null)
})

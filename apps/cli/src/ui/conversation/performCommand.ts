/** Performs the commands of the conversation: `/help` and the others. */
import { toolsOf } from "@bough/host/session/KindTools"
import { SessionStore } from "@bough/runtime"
import type { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { exitCode, type CliFailure } from "../../CliFailure.ts"
import { toCliFailure } from "../../Failures.ts"
import * as AnswerCommands from "./AnswerCommands.ts"
import type { Transition, ConversationContext, CommandEffect } from "./ConversationContext.ts"
import * as CustomCommands from "./CustomCommands.ts"
import * as ExportCommand from "./ExportCommand.ts"
import * as KeyHelp from "./KeyHelp.ts"
import type { Listing } from "./Listing.ts"
import * as LoginCommand from "./LoginCommand.ts"
import * as ModeCommands from "./ModeCommands.ts"
import * as ModelCommands from "./ModelCommands.ts"
import type { SessionWithModel } from "./OpenedSession.ts"
import * as PermissionCommands from "./PermissionCommands.ts"
import * as ProgramCommands from "./ProgramCommands.ts"
import * as RewindCommand from "./RewindCommand.ts"
import * as ServerPrompts from "./ServerPrompts.ts"
import * as SessionCommands from "./SessionCommands.ts"
import * as SessionUsage from "./SessionUsage.ts"
import * as ShareCommand from "./ShareCommand.ts"
import * as SlashCommands from "./SlashCommands.ts"
import * as TaskCommands from "./TaskCommands.ts"
import * as ThemeCommand from "./ThemeCommand.ts"
import * as Turns from "./Turns.ts"
import * as UndoCommands from "./UndoCommands.ts"
import type { UserInput } from "./UserInput.ts"

/** Performs a command. A failure is reported, and the conversation stays in its session. */
export const perform = (
  context: ConversationContext,
  open: SessionWithModel,
  input: Extract<UserInput, { readonly _tag: "RunSlashCommand" }>
): Effect.Effect<Transition, never, SessionStore.SessionStore> =>
  Effect.suspend((): CommandEffect => {
    context.outcome = exitCode.done
    context.ui.said(input, false)
    if (input.name.includes(":")) {
      return Effect.flatMap(serverCommands, ({ run }) =>
        run(context, open, { name: input.name, argument: input.arguments })
      )
    }
    const command = CustomCommands.find(context.settings, input.name)
    return command === null
      ? commands[input.name](context, open, input.arguments)
      : CustomCommands.run(context, open, { command, argument: input.arguments })
  }).pipe(
    Effect.catch((stop) =>
      Effect.sync((): Transition => {
        context.outcome = stop.code
        context.ui.fail(stop)
        return "stay"
      })
    )
  )

// Loaded with the first prompt of a server: most conversations have no servers.
const serverCommands = Effect.promise(() => import("./ServerCommands.ts"))

const list = ({ ui }: ConversationContext, listing: Listing): CommandEffect =>
  Effect.sync(() => {
    ui.list(listing)
    return "stay"
  })

const help = (context: ConversationContext, { session }: SessionWithModel): CommandEffect => {
  const customCommands = [...CustomCommands.toCommands(context.settings), ...ServerPrompts.toCommands(session.servers)]
  return list(context, [...SlashCommands.help(customCommands), ...keyHelp(context, "own")])
}

const keyHelp = ({ ui, settings }: ConversationContext, scope: "all" | "own"): Listing =>
  KeyHelp.keyHelp(ui.kind, settings, scope)

const tools = (context: ConversationContext): CommandEffect =>
  list(
    context,
    Object.values<Tool.Any>(toolsOf(context.program.packs, "Main").pack.tools).map(({ description, name, tier }) => [
      name,
      `${tier}: ${description}`
    ])
  )

const cost = (context: ConversationContext, { model, session }: SessionWithModel): CommandEffect =>
  Effect.flatMap(usedBy(session), (used) => list(context, SessionUsage.listing(used, model)))

const usedBy = Effect.fnUntraced(function* ({ sessionId }: SessionWithModel["session"]) {
  const store = yield* SessionStore.SessionStore
  return yield* SessionUsage.read(store, sessionId).pipe(Effect.mapError(toCliFailure))
})

const hooks = (context: ConversationContext): CommandEffect => {
  const hooks = context.settings.extensions.hooks
  if (hooks.length === 0) context.ui.note("no hooks are configured")
  return list(
    context,
    hooks.map(({ asOperator, event, name, onFailure, tools }) => [
      event,
      [name, tools?.join(" ") ?? "", asOperator ? "as you" : "in the sandbox", `failure: ${onFailure}`]
        .filter((part) => part !== "")
        .join(" · ")
    ])
  )
}

const compact = (context: ConversationContext, { session }: SessionWithModel, argument: string): CommandEffect =>
  Effect.gen(function* (): Effect.gen.Return<Transition, CliFailure, SessionStore.SessionStore> {
    const exit = yield* Turns.attempt(context, session.compact(argument))
    // The failure or interruption was already reported.
    if (Exit.isFailure(exit)) return "stay"
    const { isShorter, tokens, usage } = exit.value
    const { ui } = context
    if (usage === null) ui.note("nothing to summarise yet")
    else if (isShorter) ui.note(`Compacted ${counts(tokens)}; the full history is kept in the session`)
    else ui.note("could not produce a shorter summary")
    // The usage of the summary request says nothing about the next prompt.
    ui.progress.used(yield* usedBy(session))
    return "stay"
  })

const counts = ({ after, before }: { readonly after: number; readonly before: number }): string =>
  `about ${before.toLocaleString("en")} → ${after.toLocaleString("en")} tokens`

/** Continues a turn that failed: the request that was not answered is sent again. */
const retry = (context: ConversationContext, { session }: SessionWithModel): CommandEffect =>
  Effect.gen(function* (): Effect.gen.Return<Transition, CliFailure> {
    if (yield* session.hasOpenTurn.pipe(Effect.mapError(toCliFailure))) {
      yield* Turns.turn(context, session, session.resume)
    } else context.ui.note("no turn is unfinished: /retry repeats the request of a turn that failed")
    return "stay"
  })

type Command = (context: ConversationContext, open: SessionWithModel, argument: string) => CommandEffect

/** Performs a command by its name, which `SlashCommands.refusal` has checked. */
const commands: Readonly<Record<string, Command>> = {
  help,
  tools,
  login: LoginCommand.login,
  model: ModelCommands.model,
  effort: ModelCommands.effort,
  mode: ModeCommands.mode,
  accept: ModeCommands.accept,
  new: SessionCommands.begin,
  init: AnswerCommands.init,
  copy: AnswerCommands.copy,
  sessions: SessionCommands.sessions,
  resume: SessionCommands.sessions,
  retry,
  rewind: RewindCommand.rewind,
  theme: ThemeCommand.theme,
  fork: SessionCommands.fork,
  rename: ExportCommand.rename,
  export: ExportCommand.exportTo,
  share: ShareCommand.share,
  compact,
  permissions: PermissionCommands.permissions,
  memory: ProgramCommands.memory,
  agents: ProgramCommands.agents,
  hooks,
  keys: (conversing) => list(conversing, keyHelp(conversing, "all")),
  undo: UndoCommands.undo,
  redo: UndoCommands.redo,
  tasks: TaskCommands.tasks,
  cost,
  quit: () => Effect.succeed(null)
} satisfies Record<SlashCommands.Name, Command>

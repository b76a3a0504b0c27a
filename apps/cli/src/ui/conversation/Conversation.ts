/**
 * A conversation: one session after another, each with turns and commands, until the user quits. It is the same in
 * every user interface.
 */
import type { Settings } from "@bough/host/config/Settings"
import * as FindSession from "@bough/host/session/FindSession"
import * as OpenSession from "@bough/host/session/OpenSession"
import * as SessionMode from "@bough/host/session/SessionMode"
import { SessionStore } from "@bough/runtime"
import { BackgroundCommands } from "@bough/sandbox"
import { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { exitCode, type CliFailure } from "../../CliFailure.ts"
import { toCliFailure } from "../../Failures.ts"
import type { Program } from "../../Program.ts"
import * as IdleReflection from "../../session/IdleReflection.ts"
import type * as Models from "../../session/Models.ts"
import * as ProviderKey from "../../session/ProviderKey.ts"
import * as SentKey from "../../session/SentKey.ts"
import type { ConversationContext } from "./ConversationContext.ts"
import type { ConversationUi } from "./ConversationUi.ts"
import * as InputQueue from "./InputQueue.ts"
import { type ArrivedMessage, messagesElsewhere, waitingMessages } from "./messagesElsewhere.ts"
import type { NextSession, SessionWithModel } from "./OpenedSession.ts"
import * as performCommand from "./performCommand.ts"
import { resumeTarget } from "./resumeTarget.ts"
import * as ServerPrompts from "./ServerPrompts.ts"
import * as Turns from "./Turns.ts"
import * as UserCommand from "./UserCommand.ts"
import { textOf, type UserInput } from "./UserInput.ts"

export interface ConversationStart {
  readonly model: Models.Model
  readonly options: FindSession.SessionTarget
  readonly ui: ConversationUi
  readonly mode: SessionMode.SessionMode
}

/** Runs until the user quits, and returns the exit code of the last action. */
export const converse = Effect.fnUntraced(function* (
  program: Program,
  settings: Settings,
  { mode, model, options, ui }: ConversationStart
) {
  program.output.onClosed(() => program.signals.interrupt("SIGTERM"))
  const context: ConversationContext = {
    program,
    settings,
    ui,
    mode,
    held: InputQueue.make({
      dataDirectory: program.terminal.isInteractive ? settings.dataDirectory : null,
      report: ui.mention
    }),
    typed: null,
    outcome: exitCode.done
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => mode.onChange((isStored) => showMode(ui, mode.now(), isStored))),
    (release) => Effect.sync(release)
  )
  const chosen = { name: model.name, effort: settings.model.effort, variables: settings.providers.variables }
  let open: NextSession | null = { which: options, model, chosen, isNew: true }
  const reopening: ReopenState = { background: yield* BackgroundCommands.make, isNext: false }
  let before: PreviousSession | null = null
  let last: PreviousSession | null = null
  while (open !== null) {
    const { left, opened }: SessionEnd = yield* Effect.scoped(inSession(context, open, { last, reopening }))
    last = opened ?? last
    // If a session cannot be opened, the conversation stays in the previous one.
    if (opened !== null || before === null || Exit.isSuccess(left)) {
      before = opened
      open = yield* left
      continue
    }
    const stop = Turns.stopOf(left.cause)
    context.outcome = stop.code
    ui.fail(stop)
    open = { ...before, which: yield* resumeTarget(before.sessionId) }
    before = null
  }
  if (last !== null) yield* nameResumption(context, last)
  return context.outcome
}, Effect.scoped)

/** Shows the mode, and names one that another process chose. */
const showMode = (ui: ConversationUi, mode: SessionMode.Mode, isStored: boolean): void => {
  ui.session.modeChanged(mode)
  if (isStored) ui.mention(SessionMode.describe(mode))
}

/** The characters of an id that distinguish sessions which did not begin in the same millisecond. */
const shortId = "ses_".length + 12

const maxTitle = 60

/** Names the command that resumes the conversation which the user has left. */
const nameResumption = Effect.fnUntraced(function* (
  { program, ui }: ConversationContext,
  { sessionId }: PreviousSession
): Effect.fn.Return<void, never, SessionStore.SessionStore> {
  if (!program.terminal.isInteractive) return
  const store = yield* SessionStore.SessionStore
  const session = yield* Effect.option(store.session(sessionId))
  if (Option.isNone(session)) return
  const words = session.value.title.replaceAll(/\s+/gu, " ").trim()
  const title = words.length > maxTitle ? `${words.slice(0, maxTitle)}…` : words
  ui.note(`“${title}” is saved; resume it with: ${program.name} --session ${sessionId.slice(0, shortId)}`)
})

/** The session that was open, to be opened again. */
type PreviousSession = Omit<NextSession, "which"> & Pick<SessionWithModel["session"], "sessionId">

interface SessionEnd {
  /** Null: the session could not be opened. */
  readonly opened: PreviousSession | null
  readonly left: Exit.Exit<NextSession | null, CliFailure>
}

/**
 * Opening a session again does not continue its failed turn; the user's next message does. A new key continues the turn
 * that was refused without it.
 */
const isResumed = (opened: PreviousSession, last: PreviousSession | null): boolean =>
  opened.sessionId !== last?.sessionId || opened.chosen.variables !== last.chosen.variables

/** Commands that keep running while a session is reopened, for example with another model. */
interface ReopenState {
  readonly background: BackgroundCommands.BackgroundCommands
  /** True: the session that is about to close is the next one, too. */
  isNext: boolean
}

interface OpenContext {
  readonly last: PreviousSession | null
  readonly reopening: ReopenState
}

const inSession = (context: ConversationContext, next: NextSession, { last, reopening }: OpenContext) =>
  Effect.gen(function* () {
    reopening.isNext = false
    if (next.arrival !== undefined) context.ui.note(next.arrival)
    const opening = yield* Effect.exit(openSession(context, next, reopening))
    if (Exit.isFailure(opening)) return { opened: null, left: Exit.failCause(opening.cause) } satisfies SessionEnd
    const session = opening.value
    const { chosen, model } = next
    const opened: PreviousSession = { sessionId: session.sessionId, model, chosen, isNew: false }
    const left = context.held.open(session.sessionId)
    if (left.length > 0) context.ui.progress.showHeld(context.held.waiting())
    const isContinued = isResumed(opened, last) && (yield* resumeTurn(context, session))
    if (!isContinued) returnLeft(context, left)
    const ended = yield* Effect.exit(talk(context, { session, model, chosen }))
    reopening.isNext = Exit.isSuccess(ended) && ended.value?.which.session === session.sessionId
    return { opened, left: ended } satisfies SessionEnd
  })

const openSession = Effect.fnUntraced(function* (
  context: ConversationContext,
  next: NextSession,
  reopening: ReopenState
) {
  const { mode, ui, program } = context
  const settings = ProviderKey.withVariables(context.settings, next.chosen.variables)
  const session = yield* OpenSession.open(program, settings, {
    which: next.which,
    kind: "Main",
    model: next.model,
    channel: settlingTaken(context, UserCommand.approvingTypedCall(context, ui.channel)),
    elicit: ui.dialogs.elicit,
    mode,
    restoresMode: next.isNew,
    onIndexing: ui.progress.indexing,
    reflects: settings.memory.reflect ?? program.terminal.isInteractive,
    isLeaving: program.signals.isLeaving,
    background: reopening.background,
    keepsCommands: () => reopening.isNext,
    onNotice: ui.mention
  }).pipe(Effect.mapError(toCliFailure))
  yield* ui.session.opened({ ...next, session })
  yield* completePrompts(ui, session)
  return session
})

/** Makes a channel that removes a queued message from its file once the journal has recorded the message. */
const settlingTaken = (
  { held }: ConversationContext,
  channel: ConversationUi["channel"]
): ConversationUi["channel"] => ({
  ...channel,
  publish: (event, position) => {
    if (event._tag === "Recorded" && event.entry.body._tag === "UserMessage") held.settle()
    return channel.publish(event, position)
  }
})

/** Keeps completion in step with the servers' prompts until the scope closes. */
const completePrompts = ({ session: { commandsKnown } }: ConversationUi, { servers }: SessionWithModel["session"]) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const update = () => commandsKnown(ServerPrompts.toCommands(servers))
      if (servers !== null) update()
      return servers?.onPrompts(update) ?? (() => {})
    }),
    (release) => Effect.sync(release)
  )

/** Continues the turn that the session was left in, by a crash or by a user who quit; false: there is none. */
const resumeTurn = Effect.fnUntraced(function* (context: ConversationContext, session: SessionWithModel["session"]) {
  if (!(yield* session.hasOpenTurn.pipe(Effect.mapError(toCliFailure)))) return false
  context.ui.note("resuming the unfinished turn")
  for (const message of yield* waitingMessages(session.sessionId).pipe(Effect.mapError(toCliFailure))) {
    showArrived(context.ui, [message], message.command._tag === "SteerSession")
  }
  yield* Turns.turn(context, session, session.resume)
  return true
})

/**
 * Gives the user the input that an earlier process left in the queue and that no turn precedes any more: messages return
 * to the editor, and commands are not run without the user.
 */
const returnLeft = (context: ConversationContext, left: ReadonlyArray<UserInput>): void => {
  if (left.length === 0) return
  const { held, ui } = context
  if (Turns.returnQueued(context)) ui.note("messages that were queued before are in the editor again")
  const commands = left.filter(({ _tag }) => _tag !== "Say")
  for (const command of commands) ui.note(`was queued and not run: ${textOf(command)}`)
  held.giveBack(commands)
  ui.progress.showHeld(held.waiting())
}

/** Shows messages that were not typed here; those of `bough send` are shown when they join the conversation. */
const showArrived = (ui: ConversationUi, messages: ReadonlyArray<ArrivedMessage>, isSteering: boolean): void => {
  for (const { command, dedupeKey } of messages) {
    const { media = [], text } = command
    if (!SentKey.isSent(dedupeKey)) ui.said({ _tag: "Say", text, media, waits: false }, isSteering, true)
  }
}

const talk = Effect.fnUntraced(function* (
  context: ConversationContext,
  open: SessionWithModel
): Effect.fn.Return<NextSession | null, CliFailure, SessionStore.SessionStore> {
  const { ui, program, settings } = context
  const { session } = open
  const known = new Set<string>()
  let isAdvised = false
  let next: NextSession | null | "stay" = "stay"
  while (next === "stay") {
    const typed = IdleReflection.reflectWhile(session, nextInput(context), {
      afterSeconds: settings.memory.reflectAfterSeconds,
      show: (lines) => mention(ui, lines)
    })
    const input = yield* Effect.raceFirst(typed, sentElsewhere(context, open, known))
    if (input._tag === "Sent") {
      showArrived(ui, input.messages, false)
      yield* Turns.turn(context, session, session.resume)
      continue
    }
    next = yield* execute(context, open, input)
    if (!isAdvised && input._tag === "Say") {
      isAdvised = true
      yield* adviseIndex(context)
    }
  }
  // A script's session reflects at the end of its input; a user who quits does not wait for that.
  if (!program.terminal.isInteractive) yield* IdleReflection.now(session, (lines) => mention(ui, lines))
  return next
})

/** Suggests the library of the index for a large memory, once, and after a turn: no start waits for the count of notes. */
const adviseIndex = Effect.fnUntraced(function* ({ program, settings, ui }: ConversationContext) {
  const store = yield* Effect.serviceOption(NoteStore.NoteStore)
  if (Option.isNone(store)) return
  const { once } = yield* Effect.promise(() => import("../../notes/IndexAdvice.ts"))
  yield* Effect.ignoreCause(once(program, settings, { store: store.value, say: ui.mention }))
})

/** Waits for messages of other processes. A script is not interrupted: they are answered with its next input. */
const sentElsewhere = ({ program }: ConversationContext, { session }: SessionWithModel, known: Set<string>) =>
  !program.terminal.isInteractive
    ? Effect.never
    : messagesElsewhere(session.sessionId, known).pipe(
        Effect.map((messages) => ({ _tag: "Sent", messages }) as const),
        // A fault of the store is reported by the next turn.
        Effect.catch(() => Effect.never)
      )

const mention = (ui: ConversationUi, lines: ReadonlyArray<string>): void => {
  for (const line of lines) ui.mention(line)
}

const execute = Effect.fnUntraced(function* (context: ConversationContext, open: SessionWithModel, input: UserInput) {
  switch (input._tag) {
    case "Quit":
      return null
    // Work that has ended meanwhile cannot be left.
    case "LeaveRunning":
      return "stay"
    case "Refused":
      context.outcome = exitCode.usage
      context.ui.note(input.reason)
      return "stay"
    case "Say":
      yield* Turns.say(context, open.session, input)
      return "stay"
    case "RunCommand":
      yield* UserCommand.run(context, open, input.command)
      return "stay"
    case "RunSlashCommand":
      return yield* performCommand.perform(context, open, input)
  }
})

/** Takes queued input before new input. */
const nextInput = ({ held, ui }: ConversationContext): Effect.Effect<UserInput> =>
  Effect.suspend(() => {
    held.settle()
    const first = held.take()
    if (first === null) return Effect.tap(ui.input.next, () => Effect.sync(held.forgetGivenBack))
    ui.progress.showHeld(held.waiting())
    return Effect.succeed(first)
  })

/**
 * Work that a user waits for and can stop: turns, and the user's own commands. The conversation continues after every
 * outcome.
 */
import type { SessionWithMemory } from "@bough/host/session/SessionWithMemory"
import type { Session, Turn } from "@bough/runtime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { type ExitCode, exitCode, CliFailure } from "../../CliFailure.ts"
import { type Failure, toCliFailure, unexpectedFailure } from "../../Failures.ts"
import * as LiveText from "../../format/LiveText.ts"
import * as TurnText from "../../format/TurnText.ts"
import * as ProviderKey from "../../session/ProviderKey.ts"
import type { ConversationContext } from "./ConversationContext.ts"
import * as TaskCommands from "./TaskCommands.ts"
import { textOf, type UserInput } from "./UserInput.ts"

/** Sends one message and runs the agent on it. */
export const say = Effect.fnUntraced(function* (
  context: ConversationContext,
  session: SessionWithMemory,
  input: PromptInput
): Effect.fn.Return<void> {
  context.ui.said(input, false)
  const attached = yield* attach(context, session, input.text)
  // The failure was already shown.
  if (attached === null) return
  yield* turn(context, session, session.run({ text: input.text, media: [...input.media, ...attached] }))
})

/** Returns the images among the server resources that the message names; null: a resource could not be read. */
const attach = Effect.fnUntraced(function* (
  context: ConversationContext,
  session: SessionWithMemory,
  text: string
): Effect.fn.Return<PromptInput["media"] | null> {
  if (session.servers === null || !text.includes("@")) return []
  const { attach } = yield* Effect.promise(() => import("../../session/ServerTexts.ts"))
  const exit = yield* attempt(context, attach(session, text))
  return Exit.isFailure(exit) ? null : exit.value
})

/** Runs a turn, and reports how it ended. */
export const turn = (
  context: ConversationContext,
  session: Session.Session,
  work: Effect.Effect<Turn.TurnResult | null, Session.TurnFailure>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const startedAtMillis = Date.now()
    const { ui } = context
    let hasSteered = false
    const steer = (input: PromptInput): Effect.Effect<void> => {
      hasSteered = true
      ui.said(input, true)
      return session
        .steer(input.text, input.media)
        .pipe(Effect.catch((error) => Effect.sync(() => ui.fail(toCliFailure(error)))))
    }
    const tasks = (argument: string) => TaskCommands.tasks(context, { session }, argument)
    const exit = yield* attempt(context, work, { steer, tasks, leave: session.commands.leave })
    if (Exit.isFailure(exit)) return yield* offerRetry(context, session, exit.cause)
    if (exit.value === null) return
    const { live, reason, status } = exit.value
    context.outcome = codes[status]
    if (status !== "completed") ui.note(reason)
    const atWork = LiveText.runningChildrenNotice(status === "suspended" ? 0 : live)
    if (atWork !== null) ui.note(atWork)
    ui.progress.turnEnded(Date.now() - startedAtMillis)
    if (status === "completed" && context.mode.now() === "plan") ui.note(TurnText.planReady)
    // Input that came after the turn's last check starts another turn; without such input there is nothing to resume.
    if (hasSteered && status === "completed") yield* turn(context, session, session.resume)
  })

/** Names the command that repeats the request of a turn which failed. A script is told by the exit code. */
const offerRetry = ({ program, ui }: ConversationContext, session: Session.Session, cause: Cause.Cause<Failure>) =>
  Effect.gen(function* () {
    if (Cause.hasInterrupts(cause) || !program.terminal.isInteractive) return
    // A fault of the store was reported with the turn's failure.
    if (yield* Effect.orElseSucceed(session.hasOpenTurn, () => false)) ui.note(TurnText.retry)
  })

const codes: Readonly<Record<Turn.TurnResult["status"], ExitCode>> = {
  completed: exitCode.done,
  suspended: exitCode.needsApproval,
  spent: exitCode.budgetSpent,
  stopped: exitCode.failed
}

type PromptInput = Extract<UserInput, { readonly _tag: "Say" }>

/** The input that running work takes; other input waits until the work has ended. */
export interface RunningInput {
  readonly steer?: (words: PromptInput) => Effect.Effect<void>
  /** Leaves the running commands in the background; returns their number. */
  readonly leave?: () => number
  /** Runs `/tasks`, which is allowed while work is running. */
  readonly tasks?: (argument: string) => Effect.Effect<unknown, CliFailure>
}

/** Runs work that Ctrl-C stops, and reports an interruption or a failure. */
export const attempt = <A, E extends Failure>(
  context: ConversationContext,
  work: Effect.Effect<A, E>,
  taken: RunningInput = {}
): Effect.Effect<Exit.Exit<A, E>> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { ui, program } = context
      ui.progress.begin()
      const fiber = yield* Effect.forkScoped(work)
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          program.signals.duringWork(() => {
            ui.progress.stopping()
            fiber.interruptUnsafe()
          })
        ),
        (release) => Effect.sync(release)
      )
      const inputs = yield* ui.input.whileWorking
      // Accepted input is processed even if the work ends at the same moment.
      const next = Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(Queue.take(inputs)), (input) => handleInputs(context, input, taken))
      )
      yield* Effect.forkScoped(Effect.forever(next))
      const exit = yield* Fiber.await(fiber)
      ui.progress.finish()
      reportEnd(context, exit)
      return exit
    })
  )

const reportEnd = (context: ConversationContext, exit: Exit.Exit<unknown, Failure>): void => {
  const { ui } = context
  context.outcome = exitCode.done
  if (Exit.isSuccess(exit)) return
  if (Exit.hasInterrupts(exit)) {
    context.outcome = exitCode.interrupted
    ui.note(TurnText.stopped)
    returnQueued(context)
    return
  }
  context.outcome = exitCode.failed
  ui.fail(stopOf(exit.cause))
}

/**
 * Returns queued messages to the user who stopped the work; false: none returned. Messages with images stay queued, and
 * so do all of them if the user quits: they are there when the session is opened again.
 */
export const returnQueued = ({ held, program, ui }: ConversationContext): boolean => {
  const waiting = held.waiting()
  if (program.signals.isLeaving() || waiting.some(({ _tag }) => _tag === "Quit")) return false
  const words = waiting.filter((input) => input._tag === "Say" && input.media.length === 0)
  if (words.length === 0 || !ui.input.returnQueued(words.map(textOf).join("\n"))) return false
  held.giveBack(words)
  ui.progress.showHeld(held.waiting())
  return true
}

/** Sends text to the running work if it can be steered; other input waits until the work has ended. */
const handleInputs = (
  { held, ui, program }: ConversationContext,
  input: UserInput,
  { leave, steer, tasks }: RunningInput
): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (input._tag === "LeaveRunning") {
      if ((leave?.() ?? 0) === 0) ui.mention("no running command to move to the background")
      return Effect.void
    }
    if (steer !== undefined && input._tag === "Say" && !input.waits) return steer(input)
    if (tasks !== undefined && input._tag === "RunSlashCommand" && input.name === "tasks") {
      ui.said(input, false)
      return tasks(input.arguments).pipe(Effect.catch((failure) => Effect.sync(() => ui.fail(failure))))
    }
    held.add(input)
    ui.progress.showHeld(held.waiting())
    if (input._tag === "Quit") program.signals.interrupt("SIGINT")
    return Effect.void
  })

/** The failure with which the program would end outside of a conversation. */
export const stopOf = (cause: Cause.Cause<Failure | CliFailure>): CliFailure => {
  const error = Cause.squash(cause)
  if (error instanceof CliFailure) return error
  const found = Cause.findErrorOption(cause)
  return found._tag === "Some" && found.value._tag !== "Stop"
    ? ProviderKey.toCliFailure(found.value)
    : unexpectedFailure(error)
}

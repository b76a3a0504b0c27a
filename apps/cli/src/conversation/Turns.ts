/** Work that a person waits for and can stop: turns, and commands of their own. Whatever becomes of it, the talk goes on. */
import type { Session, Turn } from "@bough/runtime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { type Failure, toStop, unexpected } from "../Failures.ts"
import { type ExitCode, exitCode, Stop } from "../Stop.ts"
import * as EventText from "../terminal/EventText.ts"
import * as LiveText from "../terminal/LiveText.ts"
import type { Conversing } from "./Conversing.ts"
import type { Wish } from "./Wish.ts"

/** One message and what the agent does with it. */
export const say = (
  conversing: Conversing,
  session: Session.Session,
  wish: Extract<Wish, { readonly _tag: "Say" }>
): Effect.Effect<void> =>
  Effect.suspend(() => {
    conversing.place.said(wish, false)
    return turn(conversing, session, session.run({ text: wish.text, media: wish.media }))
  })

/** A turn, and how it ended. */
export const turn = (
  conversing: Conversing,
  session: Session.Session,
  work: Effect.Effect<Turn.TurnResult | null, Session.TurnFailure>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const begun = Date.now()
    const exit = yield* attempt(conversing, session, work)
    if (Exit.isFailure(exit) || exit.value === null) return
    const { live, reason, status, usage } = exit.value
    const { place } = conversing
    conversing.outcome = codes[status]
    if (status !== "completed") place.note(reason)
    const atWork = LiveText.stillAtWork(status === "suspended" ? 0 : live)
    if (atWork !== null) place.note(atWork)
    place.turnEnded({ millis: Date.now() - begun, usage: EventText.usage(usage) })
  })

const codes: Readonly<Record<Turn.TurnResult["status"], ExitCode>> = {
  completed: exitCode.done,
  suspended: exitCode.needsApproval,
  spent: exitCode.budgetSpent,
  stopped: exitCode.failed
}

/** Work that Ctrl-C stops. That it was stopped, or why it failed, is told. */
export const attempt = <A, E extends Failure>(
  conversing: Conversing,
  session: Session.Session,
  work: Effect.Effect<A, E>
): Effect.Effect<Exit.Exit<A, E>> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { place, program } = conversing
      place.begin()
      const fiber = yield* Effect.forkScoped(work)
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          program.signals.duringWork(() => {
            place.stopping()
            fiber.interruptUnsafe()
          })
        ),
        (release) => Effect.sync(release)
      )
      const wishes = yield* place.meanwhile
      // What was taken is carried out, though the work ends in the same moment.
      const next = Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(restore(Queue.take(wishes)), (wish) => meanwhile(conversing, session, wish))
      )
      yield* Effect.forkScoped(Effect.forever(next))
      const exit = yield* Fiber.await(fiber)
      place.finish()
      tell(conversing, exit)
      return exit
    })
  )

const tell = (conversing: Conversing, exit: Exit.Exit<unknown, Failure>): void => {
  const { place } = conversing
  conversing.outcome = exitCode.done
  if (Exit.isSuccess(exit)) return
  if (Exit.hasInterrupts(exit)) {
    conversing.outcome = exitCode.interrupted
    return place.note("stopped")
  }
  conversing.outcome = exitCode.failed
  place.fail(stopOf(exit.cause))
}

/** Words join the turn before its next step; everything else waits until it is over. */
const meanwhile = (conversing: Conversing, session: Session.Session, wish: Wish): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { held, place, program } = conversing
    if (wish._tag === "Say" && !wish.waits) {
      place.said(wish, true)
      return session
        .steer(wish.text, wish.media)
        .pipe(Effect.catch((error) => Effect.sync(() => place.fail(toStop(error)))))
    }
    held.push(wish)
    place.showHeld(held)
    if (wish._tag === "Quit") program.signals.interrupt("SIGINT")
    return Effect.void
  })

/** What the program would end with, were it not to go on. */
export const stopOf = (cause: Cause.Cause<Failure | Stop>): Stop => {
  const error = Cause.squash(cause)
  if (error instanceof Stop) return error
  const found = Cause.findErrorOption(cause)
  return found._tag === "Some" && found.value._tag !== "Stop" ? toStop(found.value) : unexpected(error)
}

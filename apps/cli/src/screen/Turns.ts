/** Work that a person waits for and can stop: turns, and commands of their own. Whatever becomes of it, the talk goes on. */
import type { Message } from "@bough/protocol"
import type { Session, Turn } from "@bough/runtime"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { type Failure, toStop, unexpected } from "../Failures.ts"
import { Stop } from "../Stop.ts"
import * as EventText from "../terminal/EventText.ts"
import * as LiveText from "../terminal/LiveText.ts"
import type { Conversing } from "./Conversing.ts"
import * as Frame from "./Frame.ts"
import type { Wish } from "./Stage.ts"
import * as View from "./View.ts"

export interface Said {
  readonly text: string
  readonly media: ReadonlyArray<Message.Media>
}

/** One message and what the agent does with it. */
export const say = (conversing: Conversing, session: Session.Session, said: Said): Effect.Effect<void> =>
  Effect.suspend(() => {
    conversing.stage.print([{ _tag: "Said", text: said.text, note: "" }])
    return turn(conversing, session, session.run(said))
  })

/** A turn, with how it ended on the screen. */
export const turn = (
  conversing: Conversing,
  session: Session.Session,
  work: Effect.Effect<Turn.TurnResult | null, Session.TurnFailure>
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const begun = Date.now()
    const exit = yield* attempt(conversing, session, work)
    if (exit === null || Exit.isFailure(exit) || exit.value === null) return
    const { live, reason, status, usage } = exit.value
    const { stage } = conversing
    if (status !== "completed") stage.note(reason)
    const atWork = LiveText.stillAtWork(status === "suspended" ? 0 : live)
    if (atWork !== null) stage.note(atWork)
    const spent = `${Frame.elapsed(Date.now() - begun)} · ${EventText.usage(usage)}`
    stage.print([{ _tag: "Ended", text: spent }])
  })

/** Work that Ctrl-C stops. Null: it was stopped, or it failed and that is told. */
export const attempt = <A, E extends Failure>(
  conversing: Conversing,
  session: Session.Session,
  work: Effect.Effect<A, E>
): Effect.Effect<Exit.Exit<A, E> | null> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { program, stage } = conversing
      stage.update((view) => ({ view: View.started(view, Date.now()), blocks: [] }))
      const fiber = yield* Effect.forkScoped(work)
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          program.signals.duringWork(() => {
            stage.update((view) => ({ view: View.stopping(view), blocks: [] }))
            fiber.interruptUnsafe()
          })
        ),
        (release) => Effect.sync(release)
      )
      yield* Effect.forkScoped(meanwhile(conversing, session))
      const exit = yield* Fiber.await(fiber)
      stage.update(View.finished)
      if (Exit.isSuccess(exit)) return exit
      if (Exit.hasInterrupts(exit)) stage.note("stopped")
      else stage.note(stopText(exit.cause, program.output.verbose), "error")
      return null
    })
  )

/** Words join the turn before its next step; everything else waits until it is over. */
const meanwhile = (conversing: Conversing, session: Session.Session): Effect.Effect<never> =>
  Effect.gen(function* () {
    const { held, program, stage, wishes } = conversing
    while (true) {
      const wish = yield* Queue.take(wishes)
      if (wish._tag === "Say" && !wish.waits) {
        stage.print([{ _tag: "Said", text: wish.text, note: "for the next step" }])
        yield* session
          .steer(
            wish.text,
            wish.images.map(({ media }) => media)
          )
          .pipe(Effect.catch((error) => Effect.sync(() => stage.note(toStop(error).message ?? "", "error"))))
        continue
      }
      held.push(wish)
      showHeld(conversing)
      if (wish._tag === "Quit") program.signals.interrupt("SIGINT")
    }
  })

/** Shows what waits until the turn is over. */
export const showHeld = ({ held, stage }: Conversing): void =>
  stage.update((view) => ({ view: { ...view, followUps: held.map(textOf) }, blocks: [] }))

const textOf = (wish: Wish): string => {
  switch (wish._tag) {
    case "Say":
      return wish.text
    case "RunCommand":
      return `!${wish.command}`
    case "RunSlashCommand":
      return `/${wish.name} ${wish.arguments}`
    case "Interrupt":
    case "Quit":
      return "quit"
  }
}

/** A failure in one line, and what to do about it; with all there is to say on demand. */
export const stopText = (cause: Cause.Cause<Failure | Stop>, verbose: boolean): string => {
  const { details, hint, message } = stopOf(cause)
  const said = hint === "" ? (message ?? "") : `${message ?? ""} — ${hint}`
  return verbose && details !== "" ? `${said}\n${details}` : said
}

const stopOf = (cause: Cause.Cause<Failure | Stop>): Stop => {
  const error = Cause.squash(cause)
  if (error instanceof Stop) return error
  const found = Cause.findErrorOption(cause)
  return found._tag === "Some" && found.value._tag !== "Stop" ? toStop(found.value) : unexpected(error)
}

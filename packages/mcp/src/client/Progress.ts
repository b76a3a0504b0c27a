/** The progress that a server reports during a call: the newest report, a few times a second at most. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Definition from "./Definition.ts"

export interface ServerProgress {
  readonly message?: string | undefined
  readonly progress: number
  readonly total?: number | undefined
}

/** Returns the completed share in percent; undefined: the server states no total. */
export const percentOf = ({ progress, total }: ServerProgress): number | undefined =>
  total === undefined || !(total > 0) ? undefined : Math.min(100, Math.max(0, Math.round((100 * progress) / total)))

const maxLength = 500

export const textOf = (reported: ServerProgress): string => {
  const { message = "", progress } = reported
  const line = Definition.plainText(message.slice(0, 2 * maxLength))
    .replaceAll("\n", " ")
    .slice(0, maxLength)
  return percentOf(reported) === undefined ? `${progress} ${line}`.trimEnd() : line
}

/** The shortest time between two reports. */
export const everyMillis = 250

/**
 * Runs the work with a function that takes the reports of the server. The first report is delivered at once, then the
 * newest one every `everyMillis`, and the last one before the work ends.
 */
export const coalesced = Effect.fnUntraced(function* <A, E, R>(
  deliver: (reported: ServerProgress) => Effect.Effect<void>,
  work: (onProgress: (reported: ServerProgress) => void) => Effect.Effect<A, E, R>
) {
  const newest = yield* Queue.sliding<ServerProgress>(1)
  const next = Effect.uninterruptibleMask((restore) => Effect.flatMap(restore(Queue.take(newest)), deliver))
  const delivering = yield* Effect.forkChild(Effect.forever(Effect.andThen(next, Effect.sleep(everyMillis))))
  const last = Effect.flatMap(Queue.poll(newest), Option.match({ onNone: () => Effect.void, onSome: deliver }))
  return yield* Effect.ensuring(
    work((reported) => void Queue.offerUnsafe(newest, reported)),
    Effect.andThen(Fiber.interrupt(delivering), last)
  )
})

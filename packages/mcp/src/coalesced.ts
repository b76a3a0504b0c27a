/** Bounds the rate of a call's reports: the newest one, a few times a second at most. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"

/** The shortest time between two reports. */
export const everyMillis = 250

/**
 * Runs the work with a function that takes its reports. The first report is delivered at once, then the newest one
 * every `everyMillis`, and the last one before the work ends. The next delivery waits until the one before has ended.
 */
export const coalesced = Effect.fnUntraced(function* <Report, A, E, R>(
  deliver: (report: Report) => Effect.Effect<void>,
  work: (onReport: (report: Report) => void) => Effect.Effect<A, E, R>
) {
  const first = yield* Queue.sliding<Report>(1)
  const newest = yield* Queue.sliding<Report>(1)
  const next = (queue: Queue.Queue<Report>) =>
    Effect.uninterruptibleMask((restore) => Effect.flatMap(restore(Queue.take(queue)), deliver))
  const rest = (queue: Queue.Queue<Report>) =>
    Effect.flatMap(Queue.poll(queue), Option.match({ onNone: () => Effect.void, onSome: deliver }))
  const pause = Effect.sleep(everyMillis)
  const delivering = yield* next(first).pipe(
    Effect.andThen(pause),
    Effect.andThen(Effect.forever(Effect.andThen(next(newest), pause))),
    Effect.forkChild
  )
  let isFirst = true
  const onReport = (report: Report): void => {
    Queue.offerUnsafe(isFirst ? first : newest, report)
    isFirst = false
  }
  return yield* Effect.ensuring(
    work(onReport),
    Fiber.interrupt(delivering).pipe(Effect.andThen(rest(first)), Effect.andThen(rest(newest)))
  )
})

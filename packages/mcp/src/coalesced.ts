/** Bounds the rate of a call's reports: a few at once, then the newest one, a few times a second at most. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"

/** The number of reports that are delivered at once, so that a client of a short call gets all of them. */
export const atOnce = 4

/** The shortest time between two later reports. */
export const everyMillis = 250

/**
 * Runs the work with a function that takes its reports. The first `atOnce` reports are delivered at once, then the newest
 * one every `everyMillis`, and the last one before the work ends. The next delivery waits until the one before has ended.
 */
export const coalesced = Effect.fnUntraced(function* <Report, A, E, R>(
  deliver: (report: Report) => Effect.Effect<void>,
  work: (onReport: (report: Report) => void) => Effect.Effect<A, E, R>
) {
  const first = yield* Queue.bounded<Report>(atOnce)
  const newest = yield* Queue.sliding<Report>(1)
  const next = (queue: Queue.Queue<Report>) =>
    Effect.uninterruptibleMask((restore) => Effect.flatMap(restore(Queue.take(queue)), deliver))
  const rest = (queue: Queue.Queue<Report>): Effect.Effect<void> =>
    Effect.flatMap(
      Queue.poll(queue),
      Option.match({ onNone: () => Effect.void, onSome: (report) => Effect.andThen(deliver(report), rest(queue)) })
    )
  const pause = Effect.sleep(everyMillis)
  const delivering = yield* Effect.replicateEffect(next(first), atOnce, { discard: true }).pipe(
    Effect.andThen(pause),
    Effect.andThen(Effect.forever(Effect.andThen(next(newest), pause))),
    Effect.forkChild
  )
  let reports = 0
  const onReport = (report: Report): void => {
    reports += 1
    Queue.offerUnsafe(reports <= atOnce ? first : newest, report)
  }
  return yield* Effect.ensuring(
    work(onReport),
    Fiber.interrupt(delivering).pipe(Effect.andThen(rest(first)), Effect.andThen(rest(newest)))
  )
})

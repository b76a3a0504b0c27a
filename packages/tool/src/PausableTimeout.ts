/** A time limit that is paused while the user is asked. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** The total time for which one piece of work has been paused; changed in place. */
export interface Pauses {
  /** The number of overlapping pauses. */
  open: number
  sinceNanos: bigint
  totalNanos: bigint
}

export const make = (): Pauses => ({ open: 0, sinceNanos: 0n, totalNanos: 0n })

/** Pauses the limit while the effect runs. */
export const pauseDuring = <A, E, R>(pauses: Pauses, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.map(Clock.monotonicTimeNanos, (now) => {
      if (pauses.open === 0) pauses.sinceNanos = now
      pauses.open += 1
    }),
    () => effect,
    () =>
      Effect.map(Clock.monotonicTimeNanos, (now) => {
        pauses.open -= 1
        if (pauses.open === 0) pauses.totalNanos += now - pauses.sinceNanos
      })
  )

const pausedMillis = (pauses: Pauses, now: bigint): number =>
  Number((pauses.totalNanos + (pauses.open === 0 ? 0n : now - pauses.sinceNanos)) / 1_000_000n)

/** Ends after the given milliseconds, not counting pauses. */
export const sleep = Effect.fnUntraced(function* (pauses: Pauses, durationMillis: number) {
  let sleptMillis = 0
  for (let target = durationMillis; sleptMillis < target;) {
    const remainingMillis = target - sleptMillis
    yield* Effect.sleep(remainingMillis)
    sleptMillis += remainingMillis
    target = durationMillis + pausedMillis(pauses, yield* Clock.monotonicTimeNanos)
  }
})

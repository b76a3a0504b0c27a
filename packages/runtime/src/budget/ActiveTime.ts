/** Counts how long a session has worked. Waiting for users and for other sessions is free. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Signal from "../Signal.ts"

export interface ActiveTime {
  /** Milliseconds, in this process. */
  workedMillis: number
  /** The start of the current count, on a monotonic clock; null: time is not counted now. */
  since: bigint | null
  /** True while the session works, unless it waits. */
  isWorking: boolean
  /** The number of current waits. */
  waits: number
  /** The start of the count, set before counting begins. */
  clock: Clock.Clock | null
  /** The recorded milliseconds, including those of earlier processes. */
  readonly recorded: () => number
  /** The part that was recorded before this process began. */
  readonly recordedBefore: number
  /** Notified when counting starts or stops, or when the remaining time shrinks. */
  readonly changes: Signal.Signal
  /** Counts the changes. */
  version: number
}

export const make = (recorded: () => number): ActiveTime => ({
  workedMillis: 0,
  since: null,
  isWorking: false,
  waits: 0,
  clock: null,
  recorded,
  recordedBefore: recorded(),
  changes: Signal.make(),
  version: 0
})

const nanosPerMilli = 1_000_000n

const countElapsed = (time: ActiveTime): void => {
  if (time.since === null || time.clock === null) return
  const elapsedMillis = (time.clock.monotonicTimeNanosUnsafe() - time.since) / nanosPerMilli
  time.workedMillis += Number(elapsedMillis)
  time.since += elapsedMillis * nanosPerMilli
}

/** Starts or stops counting. */
const turn = (time: ActiveTime, clock: Clock.Clock): void => {
  time.clock = clock
  countElapsed(time)
  if (!time.isWorking || time.waits > 0) time.since = null
  else time.since ??= clock.monotonicTimeNanosUnsafe()
  notifyChange(time)
}

/** Wakes the fibers in `waitUntilSpent`, which check their condition again. */
export const notifyChange = (time: ActiveTime): void => {
  time.version += 1
  time.changes.notify()
}

const countDuring = <A, E, R>(
  time: ActiveTime,
  effect: Effect.Effect<A, E, R>,
  change: { readonly begin: () => void; readonly end: () => void }
): Effect.Effect<A, E, R> => {
  const at = (update: () => void) =>
    Effect.clockWith((clock) =>
      Effect.sync(() => {
        update()
        turn(time, clock)
      })
    )
  return Effect.acquireUseRelease(
    at(change.begin),
    () => effect,
    () => at(change.end)
  )
}

/** Counts time while the effect runs. */
export const whileWorking = <A, E, R>(time: ActiveTime, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  countDuring(time, effect, {
    begin: () => void (time.isWorking = true),
    end: () => void (time.isWorking = false)
  })

/** Stops counting while the effect runs. */
export const whileWaiting = <A, E, R>(time: ActiveTime, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  countDuring(time, effect, {
    begin: () => void (time.waits += 1),
    end: () => void (time.waits -= 1)
  })

/** Returns the whole milliseconds that no entry records yet. */
export const unrecordedMillis = (time: ActiveTime): number => {
  countElapsed(time)
  return time.workedMillis + time.recordedBefore - time.recorded()
}

/** The maximum sleep: timers take at most 2^31 ms. */
const maxSleep = 24 * 60 * 60 * 1000

/** Returns when the session has used up the given milliseconds of work; waiting does not count. */
export const waitUntilSpent = (time: ActiveTime, remainingMillis: () => number): Effect.Effect<void> =>
  Effect.suspend(() => {
    const rest = remainingMillis()
    const counts = time.since !== null
    if (counts && rest <= 0) return Effect.void
    const { version } = time
    const other = time.changes.waitFor(() => (time.version === version ? null : true))
    const soon = counts ? Effect.timeoutOption(other, Math.min(rest, maxSleep)) : Effect.asSome(other)
    return Effect.andThen(soon, waitUntilSpent(time, remainingMillis))
  })

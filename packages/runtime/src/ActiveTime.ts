/** How long a session has worked. Waiting for people and for other sessions is free. */
import * as Effect from "effect/Effect"

export interface ActiveTime {
  /** Since `take` was called last. */
  worked: number
  /** Monotonic; null: it is not counted now. */
  since: bigint | null
  /** It is at work, unless it waits. */
  isWorking: boolean
  /** How many waits are going on. */
  waits: number
}

export const make = (): ActiveTime => ({ worked: 0, since: null, isWorking: false, waits: 0 })

const nanosPerMilli = 1_000_000n

const now: Effect.Effect<bigint> = Effect.clockWith((clock) => Effect.succeed(clock.monotonicTimeNanosUnsafe()))

const settle = (time: ActiveTime, nanos: bigint): void => {
  if (time.since === null) return
  const whole = (nanos - time.since) / nanosPerMilli
  time.worked += Number(whole)
  time.since += whole * nanosPerMilli
}

/** Counts from here on, or stops counting. */
const turn = (time: ActiveTime, nanos: bigint): void => {
  settle(time, nanos)
  if (!time.isWorking || time.waits > 0) time.since = null
  else time.since ??= nanos
}

const during = <A, E, R>(
  time: ActiveTime,
  effect: Effect.Effect<A, E, R>,
  change: { readonly begin: () => void; readonly end: () => void }
): Effect.Effect<A, E, R> => {
  const at = (made: () => void) =>
    Effect.map(now, (nanos) => {
      made()
      turn(time, nanos)
    })
  return Effect.acquireUseRelease(
    at(change.begin),
    () => effect,
    () => at(change.end)
  )
}

/** Counts while the effect runs. */
export const working = <A, E, R>(time: ActiveTime, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  during(time, effect, {
    begin: () => void (time.isWorking = true),
    end: () => void (time.isWorking = false)
  })

/** Does not count while the effect runs. */
export const waiting = <A, E, R>(time: ActiveTime, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  during(time, effect, {
    begin: () => void (time.waits += 1),
    end: () => void (time.waits -= 1)
  })

/** Whole milliseconds that no entry tells of yet. */
export const untold = (time: ActiveTime): Effect.Effect<number> =>
  Effect.map(now, (nanos) => {
    settle(time, nanos)
    return time.worked
  })

/** The same, for an entry that tells of it. */
export const take = (time: ActiveTime): Effect.Effect<number> =>
  Effect.map(untold(time), (worked) => {
    time.worked = 0
    return worked
  })

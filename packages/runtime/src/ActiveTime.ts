/** How long a session has worked. Waiting for people and for other sessions is free. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export interface ActiveTime {
  /** Since `take` was called last. */
  worked: number
  /** Monotonic; null: it is not working now. */
  since: bigint | null
  /** How many waits are going on. */
  waits: number
}

export const make = (): ActiveTime => ({ worked: 0, since: null, waits: 0 })

const nanosPerMilli = 1_000_000n

const settle = (time: ActiveTime, now: bigint): void => {
  if (time.since === null) return
  const whole = (now - time.since) / nanosPerMilli
  time.worked += Number(whole)
  time.since += whole * nanosPerMilli
}

const pause = (time: ActiveTime, now: bigint): void => {
  settle(time, now)
  time.since = null
}

/** Counts while the effect runs. */
export const working = <A, E, R>(time: ActiveTime, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) => {
    time.since = clock.monotonicTimeNanosUnsafe()
    return Effect.ensuring(
      effect,
      Effect.sync(() => pause(time, clock.monotonicTimeNanosUnsafe()))
    )
  })

/** Does not count while the effect runs. */
export const waiting = <A, E, R>(time: ActiveTime, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) => {
    if (time.waits === 0) pause(time, clock.monotonicTimeNanosUnsafe())
    time.waits += 1
    return Effect.ensuring(
      effect,
      Effect.sync(() => {
        time.waits -= 1
        if (time.waits === 0) time.since = clock.monotonicTimeNanosUnsafe()
      })
    )
  })

/** Whole milliseconds that no entry tells of yet. */
export const untold = (time: ActiveTime): Effect.Effect<number> =>
  Effect.map(
    Clock.clockWith((clock) => Effect.sync(() => clock.monotonicTimeNanosUnsafe())),
    (now) => {
      settle(time, now)
      return time.worked
    }
  )

/** The same, for an entry that tells of it. */
export const take = (time: ActiveTime): Effect.Effect<number> =>
  Effect.map(untold(time), (worked) => {
    time.worked = 0
    return worked
  })

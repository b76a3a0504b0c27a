/** The waiters for more of a stream: fibers, and functions. They are woken immediately, or once per turn of the event loop. */
import * as Effect from "effect/Effect"

export interface Waiters {
  readonly wake: () => void
  /** Wakes once in this turn of the event loop, however often it is called, and never in the middle of the caller's work. */
  readonly wakeSoon: () => void
  /** Completes with the next wake-up. */
  readonly more: Effect.Effect<void>
  /** Calls the function at every wake-up, until the returned function is called. It must not throw. */
  readonly listen: (onWake: () => void) => () => void
}

export const make = (): Waiters => {
  const waiting = new Set<() => void>()
  const listening = new Set<() => void>()
  let isWaking = false
  const wake = (): void => {
    for (const resume of Array.from(waiting)) resume()
    if (listening.size > 0) for (const onWake of Array.from(listening)) onWake()
  }
  return {
    wake,
    wakeSoon: () => {
      if (isWaking || waiting.size + listening.size === 0) return
      isWaking = true
      setImmediate(() => {
        isWaking = false
        wake()
      })
    },
    more: Effect.callback<void>((resume) => {
      const wakeUp = (): void => {
        waiting.delete(wakeUp)
        resume(Effect.void)
      }
      waiting.add(wakeUp)
      return Effect.sync(() => waiting.delete(wakeUp))
    }),
    listen: (onWake) => {
      // A new object for each listener, so the same function can listen twice.
      const listener = (): void => onWake()
      listening.add(listener)
      return () => void listening.delete(listener)
    }
  }
}

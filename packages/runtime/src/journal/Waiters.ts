/** The fibers that wait for more of a stream. They are woken immediately, or once per turn of the event loop. */
import * as Effect from "effect/Effect"

export interface Waiters {
  readonly wake: () => void
  /** Wakes once in this turn of the event loop, however often it is called, and never in the middle of the caller's work. */
  readonly wakeSoon: () => void
  /** Completes with the next wake-up. */
  readonly more: Effect.Effect<void>
}

export const make = (): Waiters => {
  const waiting = new Set<() => void>()
  let isWaking = false
  const wake = (): void => {
    for (const resume of Array.from(waiting)) resume()
  }
  return {
    wake,
    wakeSoon: () => {
      if (isWaking || waiting.size === 0) return
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
    })
  }
}

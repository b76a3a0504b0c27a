/** A condition variable of this process: `notify` wakes the waiting fibers, which check their condition again. */
import * as Effect from "effect/Effect"

export interface Signal {
  readonly notify: () => void
  /** Returns the first value that `look` finds. `look` is called at once and after every notification. */
  readonly waitFor: <A>(look: () => A | null) => Effect.Effect<A>
}

export const make = (): Signal => {
  const waiting = new Set<() => void>()
  return {
    notify: () => {
      for (const look of Array.from(waiting)) look()
    },
    waitFor: <A>(look: () => A | null) =>
      Effect.callback<A>((resume) => {
        const checkAgain = () => {
          const found = look()
          if (found === null) return
          waiting.delete(checkAgain)
          resume(Effect.succeed(found))
        }
        waiting.add(checkAgain)
        checkAgain()
        return Effect.sync(() => waiting.delete(checkAgain))
      })
  }
}

/** Waiting until something in this process has come true. Whoever changes something tells; whoever waits looks again. */
import * as Effect from "effect/Effect"

export interface Signal {
  readonly notify: () => void
  /** The first thing that `look` finds; looked for at once and whenever somebody tells. */
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
        const again = () => {
          const found = look()
          if (found === null) return
          waiting.delete(again)
          resume(Effect.succeed(found))
        }
        waiting.add(again)
        again()
        return Effect.sync(() => waiting.delete(again))
      })
  }
}

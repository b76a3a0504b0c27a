/** Waiting until something in this process has come true. Whoever changes something tells; whoever waits looks again. */
import * as Effect from "effect/Effect"

export interface Changes {
  readonly tell: () => void
  /** The first thing that `look` finds; looked for at once and whenever somebody tells. */
  readonly until: <A>(look: () => A | null) => Effect.Effect<A>
}

export const make = (): Changes => {
  const waiting = new Set<() => void>()
  return {
    tell: () => {
      for (const look of Array.from(waiting)) look()
    },
    until: <A>(look: () => A | null) =>
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

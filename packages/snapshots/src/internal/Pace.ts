/** Splits long work into pieces, so that other fibers run in between. */
import * as Effect from "effect/Effect"

/** Yields to other work of the process; a timer would take a whole millisecond. */
export const nextTurn: Effect.Effect<void> = Effect.callback<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

/** The maximum cost of a piece, where checking a file costs one unit: about five milliseconds. */
const pieceCost = 1_000

export interface Pace {
  /** Returns true if a pause is due after work of this cost. */
  readonly spend: (cost: number) => boolean
}

export const make = (): Pace => {
  let spent = 0
  return {
    spend: (cost) => {
      spent += cost
      if (spent < pieceCost) return false
      spent = 0
      return true
    }
  }
}

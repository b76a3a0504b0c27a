/**
 * True if a turn has requested more approvals than allowed. The gate sets it, and the turn reads it after the calls
 * of a step.
 */
export interface TurnAsks {
  readonly refused: boolean
}

export const make = (): TurnAsks => ({ refused: false })

const set = (asks: { refused: boolean }, refused: boolean): void => {
  asks.refused = refused
}

/** Called if a call needs an approval, but the turn has already made the maximum number of requests. */
export const refuse = (asks: TurnAsks): void => set(asks, true)

/** Resets the counts for the calls of another step. */
export const reset = (asks: TurnAsks): void => set(asks, false)

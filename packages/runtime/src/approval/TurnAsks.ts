/**
 * True if a turn asked users for more approvals than it may. The gate sets it, and the turn reads it after the calls
 * of a step.
 */
export interface TurnAsks {
  readonly refused: boolean
}

export const make = (): TurnAsks => ({ refused: false })

const set = (asks: { refused: boolean }, refused: boolean): void => {
  asks.refused = refused
}

/** Called when a call needed an approval, but the turn had already asked as often as it may. */
export const refuse = (asks: TurnAsks): void => set(asks, true)

/** Resets the counts for the calls of another step. */
export const reset = (asks: TurnAsks): void => set(asks, false)

/**
 * The git commit that a session's workspace is at, for its receipts. It is read once a turn, and again after a call that
 * may have moved it: never once for every call.
 */
import { type Receipt, Tier } from "@bough/protocol"
import * as Effect from "effect/Effect"

export interface State {
  /** Null: there is none, or nobody knows. */
  known: string | null
  /** The turn that it was read in; null: it has to be read. */
  turn: number | null
}

export const make = (): State => ({ known: null, turn: null })

/** Before calls run. */
export const refresh = (
  state: State,
  turn: number,
  read: Effect.Effect<string | null> | undefined
): Effect.Effect<void> =>
  read === undefined || state.turn === turn
    ? Effect.void
    : Effect.map(read, (commit) => {
        state.known = commit
        state.turn = turn
      })

/** What may run commands may commit. */
export const ran = (state: State, { tier }: Pick<Receipt.Receipt, "tier">): void => {
  if (Tier.exceeds(tier, "Workspace")) state.turn = null
}

/**
 * The git commit of a session's workspace, for its receipts. It is read once per turn, and again after a call that may
 * have changed it.
 */
import { type Receipt, Tier } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"

export interface CommitState {
  /** Undefined: the app does not read commits. */
  readonly read: Effect.Effect<string | null> | undefined
  /** Null: there is no commit, or it is unknown. */
  known: string | null
  /** The turn in which the commit was read; null: it has to be read. */
  turn: number | null
  /** The fiber that reads the commit; null: it is not being read. */
  reading: Fiber.Fiber<void> | null
}

export const make = (read: CommitState["read"]): CommitState => ({ read, known: null, turn: null, reading: null })

/** Reads the commit if it is not known; runs before the calls. */
export const refresh = (state: CommitState, turn: number): Effect.Effect<void> => {
  if (state.read === undefined || state.turn === turn) return Effect.void
  if (state.reading === null) return storeCommit(state, turn, state.read)
  return Effect.flatMap(Fiber.await(state.reading), () => refresh(state, turn))
}

/** Starts to read the commit that `refresh` will wait for; stops when the scope closes. */
export const begin = (state: CommitState, turn: number, scope: Scope.Scope): Effect.Effect<void> => {
  if (state.read === undefined || state.turn === turn || state.reading !== null) return Effect.void
  return Effect.map(Effect.forkIn(storeCommit(state, turn, state.read), scope, { startImmediately: true }), (fiber) => {
    state.reading = fiber
    fiber.addObserver(() => (state.reading = null))
  })
}

const storeCommit = (state: CommitState, turn: number, read: Effect.Effect<string | null>): Effect.Effect<void> =>
  Effect.map(read, (commit) => {
    state.known = commit
    state.turn = turn
  })

/** Forgets the commit after a call that may have run commands, since commands can commit. */
export const forgetAfterCall = (state: CommitState, { tier }: Pick<Receipt.Receipt, "tier">): void => {
  if (Tier.exceeds(tier, "Workspace")) state.turn = null
}

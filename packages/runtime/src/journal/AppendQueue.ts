/**
 * The appends that wait for their journal. Those that need no sync and wait at the same time, such as the ends of
 * parallel reads, share one commit. An append that the store refuses fails alone.
 */
import type { Batch, Entry, Session } from "@bough/protocol"
import type { Tool } from "@bough/tool"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { EntryRefused } from "../ports/SessionStore.ts"
import * as Durability from "./Durability.ts"
import type * as SessionState from "./SessionState.ts"

/** The content of one commit: bodies in order, and the rows that change with them. */
export interface Append {
  readonly bodies: ReadonlyArray<Entry.Body>
  readonly projections?: ReadonlyArray<Batch.Projection>
  /** The replay class of the tool whose call ends here, which determines the durability. Default: Unsafe. */
  readonly replay?: Tool.Replay
  /** Labels of the bodies, in addition to those that the session already has. */
  readonly labels?: ReadonlyArray<Session.Label>
}

export interface AppendQueueOptions<E> {
  readonly state: SessionState.SessionState
  /** Runs the effect while no other commit of the session can run. */
  readonly hold: <A, F>(effect: Effect.Effect<A, F>) => Effect.Effect<A, F>
  readonly commit: (appends: ReadonlyArray<Append>) => Effect.Effect<void, E>
}

interface WaitingAppend<E> {
  readonly append: Append
  /** Null: it is not committed yet. */
  exit: Exit.Exit<void, E> | null
}

/** Returns the function that commits an append, uninterruptibly. */
export const make = <E>({ commit, hold, state }: AppendQueueOptions<E>) => {
  let waiting: Array<WaitingAppend<E>> = []

  const commitWaiting = (ownAppend: WaitingAppend<E>): Effect.Effect<void, E> => {
    const members = waiting
    waiting = []
    return members.length === 1
      ? commit([ownAppend.append])
      : Effect.flatMap(commitAll(members), () => ownAppend.exit ?? Effect.void)
  }

  const commitAll = (members: ReadonlyArray<WaitingAppend<E>>): Effect.Effect<void> =>
    Effect.flatMap(Effect.exit(commit(members.map(({ append }) => append))), (exit) => {
      // Nothing was written.
      if (isRefused(exit)) return Effect.forEach(members, commitAlone, { discard: true })
      for (const member of members) member.exit = exit
      return Effect.void
    })

  const commitAlone = (member: WaitingAppend<E>): Effect.Effect<void> =>
    Effect.map(Effect.exit(commit([member.append])), (exit) => {
      member.exit = exit
    })

  return (batch: Append | ((state: SessionState.SessionState) => Append)): Effect.Effect<void, E> =>
    Effect.uninterruptible(
      Effect.suspend(() => {
        if (typeof batch === "function") return hold(Effect.suspend(() => commit([batch(state)])))
        if (Durability.durabilityOf(batch.bodies, batch.replay) === "Full")
          return hold(Effect.suspend(() => commit([batch])))
        const ownAppend: WaitingAppend<E> = { append: batch, exit: null }
        waiting.push(ownAppend)
        return hold(Effect.suspend(() => ownAppend.exit ?? commitWaiting(ownAppend)))
      })
    )
}

/** True if the store refused an entry that could not be read back. */
const isRefused = (exit: Exit.Exit<void, unknown>): boolean =>
  Exit.isFailure(exit) &&
  exit.cause.reasons.some((reason) => Cause.isDieReason(reason) && reason.defect instanceof EntryRefused)

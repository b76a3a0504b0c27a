/**
 * Records the workspace before and after a call that may write it, so that the call can be undone. If the state cannot
 * be recorded, a user is asked before the call runs.
 */
import { Tier } from "@bough/protocol"
import type { Snapshots } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { AssessedCall, PreparedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import { mayWrite } from "./MayWrite.ts"

/**
 * Records the state before the call. It is called for each assessment, so that an approved call has the state from
 * after the decision.
 */
export const recordBefore = (call: AssessedCall, { snapshots }: DispatchContext): Effect.Effect<AssessedCall> =>
  snapshots === undefined || !mayWrite(call.tool)
    ? Effect.succeed(call)
    : Effect.match(snapshots.before, {
        onSuccess: (stateBefore) => ({ ...call, stateBefore }),
        onFailure: (failure) => withoutSnapshot(call, failure)
      })

const withoutSnapshot = (call: AssessedCall, { message }: Snapshots.SnapshotFailed): AssessedCall => {
  const reason = `its changes could not be undone: ${message}`
  return {
    ...call,
    stateBefore: null,
    tier: Tier.exceeds("Elevated", call.tier) ? "Elevated" : call.tier,
    raised: call.raised === null ? reason : `${call.raised}; ${reason}`
  }
}

/** Records the state after the call. If that fails, the change counts as part of the next call, or of the undo. */
export const recordAfter = (call: PreparedCall, { snapshots }: DispatchContext): Effect.Effect<PreparedCall> =>
  snapshots === undefined || call.stateBefore === null
    ? Effect.succeed(call)
    : Effect.match(snapshots.after, {
        onSuccess: (stateAfter) => ({ ...call, stateAfter }),
        onFailure: () => call
      })

/**
 * Records that an effect is about to happen, before it can happen. A first attempt of a Safe call without an approval
 * needs no record.
 */
import * as Effect from "effect/Effect"
import type { PreparedCall } from "./Call.ts"
import { Ledger, type NotRecorded } from "./Ledger.ts"

export const record = (call: PreparedCall): Effect.Effect<void, NotRecorded, Ledger> =>
  call.tool.replay === "Safe" && call.approval === null && call.attempt === 1
    ? Effect.void
    : Ledger.use((ledger) => ledger.started(call))

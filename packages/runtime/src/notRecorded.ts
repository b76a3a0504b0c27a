/** Wraps the adapter's error in the one error that the dispatcher has for a failed record. */
import { Ledger } from "@bough/dispatch"
import * as Effect from "effect/Effect"

export const notRecorded = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, Ledger.NotRecorded> =>
  Effect.mapError(effect, (cause) => new Ledger.NotRecorded({ cause }))

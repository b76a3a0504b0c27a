/** The dispatcher knows one way for a record to fail; the adapter's own error travels inside. */
import { Ledger } from "@bough/dispatch"
import * as Effect from "effect/Effect"

export const notRecorded = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, Ledger.NotRecorded> =>
  Effect.mapError(effect, (cause) => new Ledger.NotRecorded({ cause }))

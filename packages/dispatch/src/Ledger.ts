/** The port to the record of calls: intent before the effect, result after it. */
import type { Session } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Denied, Ended, PreparedCall } from "./Call.ts"

/** The record could not be made: nothing more may be done. `cause` is the adapter's own error. */
export class NotRecorded extends Schema.TaggedError<NotRecorded>()("NotRecorded", {
  cause: Schema.Defect()
}) {}

/** `labels`: of the capabilities that the tool declares. `canonicalArguments` null: it ended before they were decoded. */
export interface EndedCall {
  readonly toolCallId: Session.ToolCallId
  readonly name: string
  readonly canonicalArguments: string | null
  readonly safe: boolean
  readonly labels: ReadonlyArray<Session.Label>
}

export class Ledger extends Context.Service<
  Ledger,
  {
    /** Durable on return: the intent, which consumes `call.approval`. Not called for a Safe first attempt without one. */
    readonly started: (call: PreparedCall) => Effect.Effect<void, NotRecorded>
    /** Succeeds while what is done now may still be recorded: asked directly before each effect. */
    readonly secure: Effect.Effect<void, NotRecorded>
    /** Durable on return unless the call is Safe. `denied` is recorded with it. */
    readonly ended: (call: EndedCall, ended: Ended, denied: Denied | null) => Effect.Effect<void, NotRecorded>
    /** Keeps bytes that are too long for an entry; returns their digest. */
    readonly spill: (bytes: Uint8Array) => Effect.Effect<string, NotRecorded>
  }
>()("@bough/dispatch/Ledger") {}

/** The port to the record of calls: intent before the effect, result after it. */
import type { Session } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CallDenial, CallEnd, PreparedCall } from "./Call.ts"

/** The record could not be written: the session must stop. `cause` is the adapter's own error. */
export class NotRecorded extends Schema.TaggedError<NotRecorded>()("NotRecorded", {
  cause: Schema.Defect()
}) {}

/**
 * `labels`: the labels of the capabilities that the tool declares. `canonicalArguments` null: the call ended before its
 * arguments were decoded.
 */
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
    /**
     * Records the intent, which consumes `call.approval`; durable on return. It is not called for the first attempt of
     * a Safe call without an approval.
     */
    readonly started: (call: PreparedCall) => Effect.Effect<void, NotRecorded>
    /** Succeeds while this process may still record an effect; called directly before each effect. */
    readonly secure: Effect.Effect<void, NotRecorded>
    /** Records the end of a call, and `denied` with it; durable on return unless the call is Safe. */
    readonly ended: (call: EndedCall, ended: CallEnd, denied: CallDenial | null) => Effect.Effect<void, NotRecorded>
    /** Stores bytes that are too long for an entry; returns their digest. */
    readonly spill: (bytes: Uint8Array) => Effect.Effect<string, NotRecorded>
  }
>()("@bough/dispatch/Ledger") {}

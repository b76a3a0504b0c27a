/** The reason why a call ends before its handler returned a result; every stage may fail with it. */
import { type Entry, ToolError } from "@bough/protocol"
import type { CallDenial } from "./Call.ts"
import * as UnknownOutcome from "./UnknownOutcome.ts"

export interface CallAborted {
  readonly _tag: "Stop"
  readonly outcome: Entry.Outcome
  /** The user's denial, to be recorded with the end. */
  readonly denied: CallDenial | null
}

export const isStop = (failure: { readonly _tag: string }): failure is CallAborted => failure._tag === "Stop"

/** The call failed. `schema`: the schema of its arguments, if they did not fit it. */
export const failed = (error: ToolError.ToolError, schema: string | null = null): CallAborted => ({
  _tag: "Stop",
  outcome: { _tag: "Failed", error: ToolError.toData(error), schema },
  denied: null
})

/** Policy or a user denied the call. */
export const rejected = (error: ToolError.PermissionDenied, denied: CallDenial | null): CallAborted => ({
  _tag: "Stop",
  outcome: { _tag: "Rejected", error: ToolError.toData(error) },
  denied
})

/** The call was started before, and its outcome cannot be determined. */
export const unknown = (why: string): CallAborted => ({
  _tag: "Stop",
  outcome: UnknownOutcome.interruptedOutcome(why),
  denied: null
})

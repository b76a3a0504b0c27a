/** The end of a call in its wire format. */
import { type Entry, type Envelope, type Session, ToolError } from "@bough/protocol"
import * as Result from "effect/Result"
import type { DispatchResult } from "./Call.ts"

/** Makes the envelope. `fullOutput`: the full output, if it was truncated for the model and the caller has it. */
export const toEnvelope = (
  toolCallId: Session.ToolCallId,
  dispatched: DispatchResult,
  fullOutput?: string
): Envelope.Envelope => {
  if (dispatched._tag === "Parked") {
    const reason = `waits for a decision on ${dispatched.request.tool} (${dispatched.request.approvalId})`
    return { status: "rejected", toolCallId, reason, executionTimeMillis: 0 }
  }
  const { elapsedMillis: executionTimeMillis, outcome, receipt } = dispatched
  switch (outcome._tag) {
    case "Succeeded": {
      const { details, display, media } = outcome
      const output = parseJson(fullOutput ?? outcome.output)
      const artifacts = receipt?.artifacts ?? []
      const result = {
        output,
        display,
        ...(details === undefined ? {} : { details }),
        artifacts,
        ...(media.length === 0 ? {} : { media })
      }
      return { status: "success", toolCallId, result, executionTimeMillis }
    }
    case "Failed":
      return { status: "error", toolCallId, error: outcome.error, executionTimeMillis }
    case "Rejected":
      return { status: "rejected", toolCallId, ...refusal(outcome.error), executionTimeMillis }
    case "Unknown":
      return { status: "error", toolCallId, error: executionError(outcome.message), executionTimeMillis }
    case "NotRun":
      return { status: "error", toolCallId, error: executionError(outcome.reason), executionTimeMillis }
  }
}

/** Parses the output. A truncated output, or one whose JSON was broken by a replaced secret, stays text. */
const parseJson = (output: string): unknown =>
  Result.getOrElse(
    Result.try(() => JSON.parse(output) as unknown),
    () => output
  )

const executionError = (message: string): ToolError.ToolErrorData => ({ _tag: "ExecutionError", message })

const refusal = (error: Extract<Entry.Outcome, { readonly _tag: "Rejected" }>["error"]) =>
  error._tag !== "PermissionDenied"
    ? { reason: ToolError.describe(error) }
    : { reason: error.reason, ...(error.userMessage === undefined ? {} : { userMessage: error.userMessage }) }

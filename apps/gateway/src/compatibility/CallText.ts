/** A call, its result and its request as other protocols take them. */
import { type Approval, Entry, ToolError } from "@bough/protocol"
import * as Result from "effect/Result"
import type { EventOf } from "./TurnEvent.ts"

/** Returns the value of JSON text, or the text itself where it is none. */
export const parsed = (text: string): unknown =>
  Result.getOrElse(
    Result.try((): unknown => JSON.parse(text)),
    () => text
  )

/** Why a call gave nothing, as one line; null: it succeeded. */
export const failureOf = (outcome: Entry.Outcome): string | null => {
  switch (outcome._tag) {
    case "Succeeded":
      return null
    case "Failed":
    case "Rejected":
      return ToolError.describe(outcome.error)
    case "Unknown":
      return outcome.message
    case "NotRun":
      return outcome.reason
  }
}

/** Returns what the model read of a result, or why there is none. */
export const resultText = (outcome: Entry.Outcome): string =>
  outcome._tag === "Succeeded" ? Entry.modelText(outcome) : (failureOf(outcome) ?? "")

/** Names a call in its whole tree: those of a child bear its session. */
export const callId = (
  mainId: string,
  { sessionId, toolCallId }: { readonly sessionId: string; readonly toolCallId: string }
): string => (sessionId === mainId ? toolCallId : `${sessionId}.${toolCallId}`)

/** The page on which an approval is decided. */
export type ApprovalLink = (approvalId: string) => string

/** Returns the facts of an approval for a front end that shows approvals. */
export const approvalDetails = (request: Approval.Request, link: ApprovalLink) => ({
  tool: request.tool,
  tier: request.tier,
  reason: request.reason,
  preview: request.preview.render,
  expiresAt: new Date(request.expiresAtMillis).toISOString(),
  url: link(request.approvalId)
})

/** Returns the words about an approval for a client that shows none. */
export const approvalText = (request: Approval.Request, link: ApprovalLink): string =>
  `Approval needed: ${request.reason}\n${request.preview.render}\nApprove or deny it: ${link(request.approvalId)}`

/** Returns the line about a call for a client that shows no calls of the server. */
export const callLine = ({ arguments: written, tool }: Pick<EventOf<"CallAsked">, "tool" | "arguments">): string =>
  `${tool} ${written.length > longestLine ? `${written.slice(0, longestLine)}…` : written}`

const longestLine = 200

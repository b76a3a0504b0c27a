/** A call, its result and its approval request in the forms of other protocols. */
import { type Approval, Entry } from "@bough/protocol"
import * as Escape from "@bough/tui/text/Escape"
import * as Result from "effect/Result"
import type { EventOf } from "./TurnEvent.ts"

/** Parses JSON text; returns invalid text unchanged. */
export const parseJson = (text: string): unknown =>
  Result.getOrElse(
    Result.try((): unknown => JSON.parse(text)),
    () => text
  )

/** Returns the part of a result that the model read, or the reason why there was no result. */
export const resultText = (outcome: Entry.Outcome): string =>
  outcome._tag === "Succeeded" ? Entry.modelText(outcome) : Entry.failureText(outcome)

/** Returns the call's id in its whole tree: ids of a child's calls contain its session. */
export const callId = (
  mainId: string,
  { sessionId, toolCallId }: { readonly sessionId: string; readonly toolCallId: string }
): string => (sessionId === mainId ? toolCallId : `${sessionId}.${toolCallId}`)

/** Returns the address of the page on which an approval is decided. */
export type ApprovalLink = (approvalId: string) => string

/** Returns the facts of an approval for a front end that shows approvals. */
export const approvalDetails = (request: Approval.Request, link: ApprovalLink) => ({
  tool: request.tool,
  tier: request.tier,
  reason: request.reason,
  preview: visible(request.preview.render),
  expiresAt: new Date(request.expiresAtMillis).toISOString(),
  url: link(request.approvalId)
})

/** Spells out characters that could hide or reorder text on which a decision depends. */
const visible = (text: string): string => Escape.clusters(Escape.text(text))

/** Fences text as a block of code that no content can close, for clients that read Markdown. */
const fenceText = (text: string): string => {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/gu), ([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}\n${text}\n${fence}`
}

/** Returns the text about an approval for a client that shows none. */
export const approvalText = (request: Approval.Request, link: ApprovalLink): string => {
  const { preview, tool } = request
  const mixed = Escape.mixedScripts(`${preview.render}\n${request.arguments}`)
  return [
    `Approval needed: ${tool}`,
    fenceText(visible([request.reason, preview.render].filter((text) => text !== "").join("\n"))),
    ...(mixed.length === 0 ? [] : [`Letters of several scripts in one word: ${mixed.join(", ")}`]),
    `Approve or deny it: ${link(request.approvalId)}`
  ].join("\n")
}

/** Returns the line about a call for a client that shows no calls of the server. */
export const callLine = ({ arguments: written, tool }: Pick<EventOf<"CallAsked">, "tool" | "arguments">): string =>
  `${tool} ${written.length > maxLineLength ? `${written.slice(0, maxLineLength)}…` : written}`

const maxLineLength = 200

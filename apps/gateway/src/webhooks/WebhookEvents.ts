/** Events of webhooks from entries of a journal: ids and facts, no content. Pure. */
import type { Webhooks } from "@bough/gateway-api"
import type { Entry, Session } from "@bough/protocol"
import type * as Schema from "effect/Schema"

export interface EntryEvent {
  readonly type: Webhooks.WebhookEvent
  readonly data: Readonly<Record<string, Schema.Json>>
}

/** The part of a session's journal that determines the meaning of the next entries. */
export interface ReadState {
  readonly isCompacting: boolean
}

const turnEnded = (turn: number | null, status: "completed" | "stopped", reason: string): EntryEvent => ({
  type: "turn.ended",
  data: { turn, status, reason }
})

/** Returns the messages of an entry, and the state after it. Only turns of Mains cause messages. */
export const fromEntry = (
  { body }: Entry.Entry,
  session: Pick<Session.Summary, "kind">,
  state: ReadState
): { readonly event: EntryEvent | null; readonly state: ReadState } => {
  switch (body._tag) {
    case "StepStarted":
      return { event: null, state: { isCompacting: body.purpose === "compaction" } }
    case "ModelReplied": {
      const isLast = body.completion === "complete" && body.parts.every(({ _tag }) => _tag !== "ToolCall")
      const isTold = isLast && session.kind === "Main" && !state.isCompacting
      return { event: isTold ? turnEnded(body.turn, "completed", "") : null, state: { isCompacting: false } }
    }
    case "StateChanged":
      return {
        event: body.state === "Suspended" && session.kind === "Main" ? turnEnded(null, "stopped", body.reason) : null,
        state
      }
    case "ApprovalAsked": {
      const { approvalId, askedAtMillis, expiresAtMillis, sessionPath, tier, tool } = body.request
      const data = { approvalId, tool, tier, sessionPath: [...sessionPath], askedAtMillis, expiresAtMillis }
      return { event: { type: "approval.requested", data }, state }
    }
    case "SessionEnded":
      return { event: { type: "session.ended", data: { kind: session.kind, status: body.result.status } }, state }
    default:
      return { event: null, state }
  }
}

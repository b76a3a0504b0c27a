/** Makes the frame of a transient event; null if a stored entry contains the event, or if readers do not need it. */
import type { Frame } from "@bough/gateway-api"
import type { Event, Session } from "@bough/protocol"

/** The position of an event's session, as far as its entries were read. */
export interface SessionPosition {
  readonly path: ReadonlyArray<Session.SessionId>
  readonly turn: number
  readonly step: number
}

type PublishedEvent = Exclude<Event.Event, { readonly _tag: "Attached" | "Recorded" }>

export const fromEvent = (
  event: PublishedEvent,
  treeId: Session.SessionId,
  { path, step, turn }: SessionPosition
): Frame.Frame => {
  const { sessionId } = event
  // Most events are deltas, so they are made without a copy of the position.
  if (event._tag === "TextDelta" || event._tag === "ReasoningDelta") {
    const part = event._tag === "TextDelta" ? "text" : "reasoning"
    return {
      _tag: "Delta",
      treeId,
      sessionId,
      path,
      turn: event.turn,
      step: event.step,
      part,
      text: event.text,
      whole: false
    }
  }
  const origin = {
    treeId,
    sessionId,
    path,
    turn: "turn" in event ? event.turn : turn,
    step: "step" in event ? event.step : step
  }
  switch (event._tag) {
    case "ToolStarted":
      return { _tag: "ToolStarted", ...origin, toolCallId: event.toolCallId, tool: event.tool, tier: event.tier }
    case "ToolProgressed":
      return {
        _tag: "ToolProgressed",
        ...origin,
        toolCallId: event.toolCallId,
        tool: event.tool,
        message: event.message,
        ...(event.percent === undefined ? {} : { percent: event.percent })
      }
    case "ApprovalAsked":
      return { _tag: "ApprovalAsked", ...origin, request: event.request }
    case "ApprovalEnded":
      return {
        _tag: "ApprovalEnded",
        ...origin,
        approvalId: event.approvalId,
        decision: event.decision,
        principal: event.principal
      }
    case "MessageSent":
      return { _tag: "MessageSent", ...origin, messageId: event.messageId, text: event.text }
    case "Notice":
      return { _tag: "Notice", ...origin, message: event.message }
    case "TurnStarted":
      return { _tag: "TurnStarted", ...origin }
    case "TurnFailed":
      return {
        _tag: "TurnFailed",
        ...origin,
        error: event.error,
        message: event.message,
        retryInMillis: event.retryInMillis
      }
    case "TurnEnded":
      return { _tag: "TurnEnded", ...origin, status: event.status, text: event.text, usage: event.usage }
  }
}

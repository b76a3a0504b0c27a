/** Converts an entry, or a running call, to turn events. */
import { type Entry, Event, OpenCalls } from "@bough/protocol"
import type { SessionView } from "./SessionView.ts"
import type { TurnEvent } from "./TurnEvent.ts"

/** The open call of an entry, before the entry was applied; null: there was none. */
export const callBefore = ({ state }: SessionView, { body }: Pick<Entry.Entry, "body">): OpenCalls.OpenCall | null =>
  "toolCallId" in body ? (state.openCalls.get(body.toolCallId) ?? null) : null

/** Returns the events of an entry that was folded into the view. */
export const fromEntry = (
  view: SessionView,
  { body, sessionId }: Entry.Entry,
  open: OpenCalls.OpenCall | null
): ReadonlyArray<TurnEvent> => {
  switch (body._tag) {
    case "StepStarted": {
      const { model, purpose, step, turn } = body
      return purpose === undefined ? [{ _tag: "StepStarted", sessionId, turn, step, model }] : []
    }
    case "ModelReplied":
      return view.awaited === null ? [] : replyEvents(view, body)
    case "ApprovalAsked":
      return [{ _tag: "ApprovalAsked", sessionId, request: body.request }]
    case "ApprovalDecided": {
      const { approvalId, decision, toolCallId } = body
      return [{ _tag: "ApprovalClosed", sessionId, approvalId, toolCallId, decision: decision._tag }]
    }
    case "CallStarted":
      return callStartEvents(view, {
        toolCallId: body.toolCallId,
        tool: body.tool,
        arguments: open?.call.arguments ?? "{}"
      })
    case "CallEnded": {
      const { outcome, receipt, tool, toolCallId } = body
      // A call that no reply requested was made by a user: the receipt has its arguments.
      const written = open === null || open.call.arguments === "" ? (receipt?.arguments ?? "{}") : open.call.arguments
      return [{ _tag: "CallEnded", sessionId, toolCallId, tool, arguments: written, outcome }]
    }
    // The reader reports a child with the child's first event.
    case "ChildSpawned":
    case "ChildEnded":
    // Users' messages and prompt context are not part of an answer.
    case "SessionOpened":
    case "UserMessage":
    case "ContextAdded":
    case "CallDeferred":
    case "RuleGiven":
    case "RuleRevoked":
    case "CommandEnded":
    case "Compacted":
    case "SamplingStarted":
    case "SamplingEnded":
    case "StateChanged":
    case "SessionEnded":
      return []
  }
}

/** The text of the reply that was not emitted yet, then the calls that it requests. */
const replyEvents = (view: SessionView, body: Entry.BodyOf<"ModelReplied">): ReadonlyArray<TurnEvent> => {
  const { completion, parts, step, turn, usage } = body
  const at = { sessionId: view.sessionId, turn, step }
  view.runs.rewind()
  const words = parts.flatMap((part): ReadonlyArray<TurnEvent> => {
    if (part._tag === "ToolCall") return []
    const text = view.runs.take(part._tag, part.text)
    return text === "" ? [] : [{ _tag: part._tag, ...at, text }]
  })
  // An interrupted reply requests no calls.
  const calls = parts.flatMap((part): ReadonlyArray<TurnEvent> =>
    part._tag === "ToolCall" && completion === "complete"
      ? [{ _tag: "CallAsked", ...at, toolCallId: part.toolCallId, tool: part.name, arguments: part.arguments }]
      : []
  )
  return [...words, ...calls, { _tag: "ReplyEnded", ...at, completion, calls: calls.length, usage }]
}

interface Call {
  readonly toolCallId: string
  readonly tool: string
  readonly arguments: string
}

const callStartEvents = (view: SessionView, call: Call): ReadonlyArray<TurnEvent> => {
  if (view.started.has(call.toolCallId)) return []
  view.started.add(call.toolCallId)
  return [{ _tag: "CallStarted", sessionId: view.sessionId, ...call }]
}

type CallEvent = Extract<Event.Event, { readonly _tag: "ToolStarted" | "ToolProgressed" }>

/** Returns the event of a running handler, unless its call has ended already. */
export const fromCall = (view: SessionView, event: CallEvent): ReadonlyArray<TurnEvent> => {
  const open = view.state.openCalls.get(event.toolCallId)
  if (open === undefined) return []
  const call = { toolCallId: event.toolCallId, tool: event.tool, arguments: open.call.arguments }
  const first = callStartEvents(view, call)
  return event._tag === "ToolStarted"
    ? first
    : [...first, { _tag: "CallProgressed", sessionId: view.sessionId, ...call, message: Event.progressLine(event) }]
}

/**
 * A turn as the events of OpenAI's Responses API. A server-side call is an `mcp_call`, a pending approval an
 * `mcp_approval_request`, as that protocol names its items.
 */
import { Entry, Usage } from "@bough/protocol"
import * as CallText from "../CallText.ts"
import type { EventOf, TurnEvent } from "../TurnEvent.ts"
import * as OpenAiUsage from "./OpenAiUsage.ts"

export interface ResponseEventsOptions {
  readonly mainId: string
  readonly responseId: string
  readonly previousResponseId: string | null
  readonly createdAtSeconds: number
  readonly model: string
  readonly metadata: Readonly<Record<string, string>>
}

export interface ResponseEvent {
  readonly type: string
  readonly sequence_number: number
  readonly [key: string]: unknown
}

export interface ResponseEvents {
  readonly start: () => ReadonlyArray<ResponseEvent>
  readonly take: (event: TurnEvent) => ReadonlyArray<ResponseEvent>
  /** The response so far. */
  readonly response: () => ResponseObject
}

export interface ResponseObject {
  readonly id: string
  readonly object: "response"
  readonly status: string
  readonly output: ReadonlyArray<Item>
  readonly [key: string]: unknown
}

interface Item {
  readonly id: string
  readonly type: string
  readonly [key: string]: unknown
}

/** The name in the items of calls, instead of that of an MCP server. */
export const serverLabel = "bough"

type UnnumberedEvent = Omit<ResponseEvent, "sequence_number"> & { readonly type: string }

export const make = (options: ResponseEventsOptions): ResponseEvents => {
  const { mainId, responseId } = options
  const output: Array<Item> = []
  const calls = new Map<string, number>()
  /** The newest request of each call. */
  const requests = new Map<string, string>()
  let sequence = 0
  let open: { readonly kind: "Text" | "Reasoning"; readonly index: number; text: string } | null = null
  let items = 0
  let status = "in_progress"
  let usage: Usage.Usage | null = null
  let reason = ""
  let failure: { readonly code: "server_error"; readonly message: string } | null = null

  const withNumbers = (events: ReadonlyArray<UnnumberedEvent>): ReadonlyArray<ResponseEvent> =>
    events.map((event) => ({ ...event, sequence_number: sequence++ }))

  const itemId = (prefix: string): string => `${prefix}_${responseId.slice(5)}_${(items += 1)}`

  const response = (): ResponseObject => ({
    id: responseId,
    object: "response",
    created_at: options.createdAtSeconds,
    status,
    error: failure,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: null,
    max_output_tokens: null,
    metadata: {
      ...options.metadata,
      bough_session: mainId,
      ...(reason === "" ? {} : { bough_reason: reason.slice(0, 512) })
    },
    model: options.model,
    output: output.slice(),
    parallel_tool_calls: true,
    previous_response_id: options.previousResponseId,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: null,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: null,
    truncation: "disabled",
    usage: usage === null ? null : OpenAiUsage.forResponses(usage),
    user: null
  })

  const add = (item: Item): { readonly index: number; readonly added: UnnumberedEvent } => {
    const index = output.push(item) - 1
    return { index, added: { type: "response.output_item.added", output_index: index, item } }
  }

  const done = (index: number, item: Item): UnnumberedEvent => {
    output[index] = item
    return { type: "response.output_item.done", output_index: index, item }
  }

  const openItem = (kind: "Text" | "Reasoning"): ReadonlyArray<UnnumberedEvent> => {
    const isText = kind === "Text"
    const id = itemId(isText ? "msg" : "rs")
    const { added, index } = add(
      isText
        ? { id, type: "message", role: "assistant", status: "in_progress", content: [] }
        : { id, type: "reasoning", status: "in_progress", summary: [] }
    )
    open = { kind, index, text: "" }
    const at = { item_id: id, output_index: index }
    return isText
      ? [added, { type: "response.content_part.added", ...at, content_index: 0, part: outputText("") }]
      : [added, { type: "response.reasoning_summary_part.added", ...at, summary_index: 0, part: summaryText("") }]
  }

  /** `phase` distinguishes text before calls from the answer; null: not known yet. */
  const closeItem = (phase: "commentary" | "final_answer" | null = null): ReadonlyArray<UnnumberedEvent> => {
    if (open === null) return []
    const { index, kind, text } = open
    open = null
    const { id } = output[index]
    const at = { item_id: id, output_index: index }
    if (kind === "Reasoning") {
      const part = summaryText(text)
      return [
        { type: "response.reasoning_summary_text.done", ...at, summary_index: 0, text },
        { type: "response.reasoning_summary_part.done", ...at, summary_index: 0, part },
        done(index, { id, type: "reasoning", status: "completed", summary: [part] })
      ]
    }
    const part = outputText(text)
    const message = { id, type: "message", role: "assistant", status: "completed", content: [part] }
    return [
      { type: "response.output_text.done", ...at, content_index: 0, text, logprobs: [] },
      { type: "response.content_part.done", ...at, content_index: 0, part },
      done(index, phase === null ? message : { ...message, phase })
    ]
  }

  const words = (kind: "Text" | "Reasoning", delta: string): ReadonlyArray<UnnumberedEvent> => {
    const opening = open?.kind === kind ? [] : [...closeItem(), ...openItem(kind)]
    if (open === null) return opening
    open.text += delta
    const at = { item_id: output[open.index].id, output_index: open.index, delta }
    return [
      ...opening,
      kind === "Text"
        ? { type: "response.output_text.delta", ...at, content_index: 0, logprobs: [] }
        : { type: "response.reasoning_summary_text.delta", ...at, summary_index: 0 }
    ]
  }

  const startCall = (
    event: EventOf<"CallStarted" | "CallEnded" | "CallProgressed">
  ): ReadonlyArray<UnnumberedEvent> => {
    const callId = CallText.callId(mainId, event)
    if (calls.has(callId)) return []
    const id = itemId("mcp")
    const item = {
      id,
      type: "mcp_call",
      server_label: serverLabel,
      name: event.tool,
      arguments: "",
      ...approvalItem(callId)
    }
    const closing = closeItem("commentary")
    const { added, index } = add({ ...item, status: "in_progress", output: null, error: null })
    calls.set(callId, index)
    const at = { item_id: id, output_index: index }
    return [
      ...closing,
      added,
      { type: "response.mcp_call.in_progress", ...at },
      { type: "response.mcp_call_arguments.delta", ...at, delta: event.arguments },
      { type: "response.mcp_call_arguments.done", ...at, arguments: event.arguments }
    ]
  }

  const approvalItem = (callId: string): object => {
    const approvalId = requests.get(callId)
    return { approval_request_id: approvalId ?? null }
  }

  const endCall = (event: EventOf<"CallEnded">): ReadonlyArray<UnnumberedEvent> => {
    const starting = startCall(event)
    const index = calls.get(CallText.callId(mainId, event)) ?? 0
    const { id } = output[index]
    const failure = Entry.failureText(event.outcome)
    const item = {
      ...output[index],
      arguments: event.arguments,
      status: failure === null ? "completed" : "failed",
      output: failure === null ? CallText.resultText(event.outcome) : null,
      error: failure
    }
    const type = failure === null ? "response.mcp_call.completed" : "response.mcp_call.failed"
    return [...starting, { type, item_id: id, output_index: index }, done(index, item)]
  }

  const ask = ({ request, sessionId }: EventOf<"ApprovalAsked">): ReadonlyArray<UnnumberedEvent> => {
    if (output.some(({ id }) => id === request.approvalId)) return []
    requests.set(CallText.callId(mainId, { sessionId, toolCallId: request.toolCallId }), request.approvalId)
    const { arguments: callArguments, approvalId: id, tool: name } = request
    const item = { id, type: "mcp_approval_request", server_label: serverLabel, name, arguments: callArguments }
    const closing = closeItem("commentary")
    const { added, index } = add(item)
    return [...closing, added, done(index, item)]
  }

  /** Ends unfinished items with the response. */
  const turnEnd = (event: EventOf<"Ended">): ReadonlyArray<UnnumberedEvent> => {
    const closing = [...closeItem()]
    for (const index of calls.values()) {
      if (output[index]["status"] === "in_progress")
        closing.push(done(index, { ...output[index], status: "incomplete" }))
    }
    usage = event.usage
    reason = event.reason
    if (event.status === "failed") {
      status = "failed"
      failure = { code: "server_error", message: `${event.error}: ${event.reason}` }
      return [...closing, { type: "response.failed", response: response() }]
    }
    if (event.status !== "stopped") {
      status = "completed"
      return [...closing, { type: "response.completed", response: response() }]
    }
    // The protocol has no event of its own for a cancelled response.
    status = event.reason === "cancelled" ? "cancelled" : "incomplete"
    return [...closing, { type: "response.incomplete", response: response() }]
  }

  const take = (event: TurnEvent): ReadonlyArray<UnnumberedEvent> => {
    const isMain = event.sessionId === mainId
    switch (event._tag) {
      case "Text":
      case "Reasoning":
        return isMain ? words(event._tag, event.text) : []
      case "ReplyEnded":
        return isMain ? closeItem(event.calls > 0 ? "commentary" : "final_answer") : []
      case "CallStarted":
      case "CallProgressed":
        return isMain ? startCall(event) : []
      case "CallEnded":
        return isMain ? endCall(event) : []
      case "ApprovalAsked":
        return ask(event)
      case "MessageSent": {
        const text = event.title === "" ? event.text : `${event.title}: ${event.text}`
        return [...closeItem(), ...words("Text", text), ...closeItem("commentary")]
      }
      case "Ended":
        return turnEnd(event)
      case "ApprovalClosed":
        // The next call refers to the approval request that allowed it.
        if (event.decision === "Approved") requests.set(CallText.callId(mainId, event), event.approvalId)
        return []
      case "CallAsked":
      case "StepStarted":
      case "ChildStarted":
      case "ChildEnded":
      case "Notice":
        return []
    }
  }

  return {
    start: () =>
      withNumbers([
        { type: "response.created", response: response() },
        { type: "response.in_progress", response: response() }
      ]),
    take: (event) => withNumbers(take(event)),
    response
  }
}

const outputText = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] })
const summaryText = (text: string) => ({ type: "summary_text", text })

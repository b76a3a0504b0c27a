/**
 * A turn as the events of OpenAI's Responses API. A server-side call is an `mcp_call`, a pending approval an
 * `mcp_approval_request`, as that protocol names its items.
 */
import { Entry } from "@bough/protocol"
import * as CallText from "../CallText.ts"
import type { EventOf, TurnEvent } from "../TurnEvent.ts"
import * as ResponseObject from "./ResponseObject.ts"

export interface ResponseEvent {
  readonly type: string
  readonly sequence_number: number
  readonly [key: string]: unknown
}

export interface ResponseEvents {
  readonly start: () => ReadonlyArray<ResponseEvent>
  readonly take: (event: TurnEvent) => ReadonlyArray<ResponseEvent>
  /** The response so far. */
  readonly response: () => ResponseObject.ResponseObject
}

/** Stands where the items of calls name an MCP server. */
export const serverLabel = "bough"

type UnnumberedEvent = Omit<ResponseEvent, "sequence_number"> & { readonly type: string }

class ResponseFold implements ResponseEvents {
  readonly #facts: ResponseObject.ResponseFacts
  readonly #output: Array<ResponseObject.Item> = []
  /** The indexes of the calls in the output. */
  readonly #calls = new Map<string, number>()
  /** The id of the newest approval request of each call. */
  readonly #requests = new Map<string, string>()
  #sequence = 0
  #open: { readonly kind: "Text" | "Reasoning"; readonly index: number; text: string } | null = null
  #items = 0
  #progress = ResponseObject.inProgress

  constructor(facts: ResponseObject.ResponseFacts) {
    this.#facts = facts
  }

  start(): ReadonlyArray<ResponseEvent> {
    return this.#withNumbers([
      { type: "response.created", response: this.response() },
      { type: "response.in_progress", response: this.response() }
    ])
  }

  take(event: TurnEvent): ReadonlyArray<ResponseEvent> {
    return this.#withNumbers(this.#take(event))
  }

  response(): ResponseObject.ResponseObject {
    return ResponseObject.make(this.#facts, this.#progress, this.#output.slice())
  }

  #withNumbers(events: ReadonlyArray<UnnumberedEvent>): ReadonlyArray<ResponseEvent> {
    return events.map((event) => ({ ...event, sequence_number: this.#sequence++ }))
  }

  #itemId(prefix: string): string {
    return `${prefix}_${this.#facts.responseId.slice(5)}_${(this.#items += 1)}`
  }

  #add(item: ResponseObject.Item): { readonly index: number; readonly added: UnnumberedEvent } {
    const index = this.#output.push(item) - 1
    return { index, added: { type: "response.output_item.added", output_index: index, item } }
  }

  #done(index: number, item: ResponseObject.Item): UnnumberedEvent {
    this.#output[index] = item
    return { type: "response.output_item.done", output_index: index, item }
  }

  #openItem(kind: "Text" | "Reasoning"): ReadonlyArray<UnnumberedEvent> {
    const isText = kind === "Text"
    const id = this.#itemId(isText ? "msg" : "rs")
    const { added, index } = this.#add(
      isText
        ? { id, type: "message", role: "assistant", status: "in_progress", content: [] }
        : { id, type: "reasoning", status: "in_progress", summary: [] }
    )
    this.#open = { kind, index, text: "" }
    const at = { item_id: id, output_index: index }
    return isText
      ? [added, { type: "response.content_part.added", ...at, content_index: 0, part: outputText("") }]
      : [added, { type: "response.reasoning_summary_part.added", ...at, summary_index: 0, part: summaryText("") }]
  }

  /** `phase` distinguishes text before calls from the answer; null: not known yet. */
  #closeItem(phase: "commentary" | "final_answer" | null = null): ReadonlyArray<UnnumberedEvent> {
    if (this.#open === null) return []
    const { index, kind, text } = this.#open
    this.#open = null
    const { id } = this.#output[index]
    const at = { item_id: id, output_index: index }
    if (kind === "Reasoning") {
      const part = summaryText(text)
      return [
        { type: "response.reasoning_summary_text.done", ...at, summary_index: 0, text },
        { type: "response.reasoning_summary_part.done", ...at, summary_index: 0, part },
        this.#done(index, { id, type: "reasoning", status: "completed", summary: [part] })
      ]
    }
    const part = outputText(text)
    const message = { id, type: "message", role: "assistant", status: "completed", content: [part] }
    return [
      { type: "response.output_text.done", ...at, content_index: 0, text, logprobs: [] },
      { type: "response.content_part.done", ...at, content_index: 0, part },
      this.#done(index, phase === null ? message : { ...message, phase })
    ]
  }

  #words(kind: "Text" | "Reasoning", delta: string): ReadonlyArray<UnnumberedEvent> {
    const opening = this.#open?.kind === kind ? [] : [...this.#closeItem(), ...this.#openItem(kind)]
    if (this.#open === null) return opening
    this.#open.text += delta
    const at = { item_id: this.#output[this.#open.index].id, output_index: this.#open.index, delta }
    return [
      ...opening,
      kind === "Text"
        ? { type: "response.output_text.delta", ...at, content_index: 0, logprobs: [] }
        : { type: "response.reasoning_summary_text.delta", ...at, summary_index: 0 }
    ]
  }

  #startCall(event: EventOf<"CallStarted" | "CallEnded" | "CallProgressed">): ReadonlyArray<UnnumberedEvent> {
    const callId = CallText.callId(this.#facts.mainId, event)
    if (this.#calls.has(callId)) return []
    const id = this.#itemId("mcp")
    const item = {
      id,
      type: "mcp_call",
      server_label: serverLabel,
      name: event.tool,
      arguments: "",
      ...this.#approvalField(callId)
    }
    const closing = this.#closeItem("commentary")
    const { added, index } = this.#add({ ...item, status: "in_progress", output: null, error: null })
    this.#calls.set(callId, index)
    const at = { item_id: id, output_index: index }
    return [
      ...closing,
      added,
      { type: "response.mcp_call.in_progress", ...at },
      { type: "response.mcp_call_arguments.delta", ...at, delta: event.arguments },
      { type: "response.mcp_call_arguments.done", ...at, arguments: event.arguments }
    ]
  }

  #approvalField(callId: string): object {
    const approvalId = this.#requests.get(callId)
    return { approval_request_id: approvalId ?? null }
  }

  #endCall(event: EventOf<"CallEnded">): ReadonlyArray<UnnumberedEvent> {
    const starting = this.#startCall(event)
    const index = this.#calls.get(CallText.callId(this.#facts.mainId, event)) ?? 0
    const { id } = this.#output[index]
    const failure = Entry.failureText(event.outcome)
    const item = {
      ...this.#output[index],
      arguments: event.arguments,
      status: failure === null ? "completed" : "failed",
      output: failure === null ? CallText.resultText(event.outcome) : null,
      error: failure
    }
    const type = failure === null ? "response.mcp_call.completed" : "response.mcp_call.failed"
    return [...starting, { type, item_id: id, output_index: index }, this.#done(index, item)]
  }

  #ask({ request, sessionId }: EventOf<"ApprovalAsked">): ReadonlyArray<UnnumberedEvent> {
    if (this.#output.some(({ id }) => id === request.approvalId)) return []
    this.#requests.set(
      CallText.callId(this.#facts.mainId, { sessionId, toolCallId: request.toolCallId }),
      request.approvalId
    )
    const { arguments: callArguments, approvalId: id, tool: name } = request
    const item = { id, type: "mcp_approval_request", server_label: serverLabel, name, arguments: callArguments }
    const closing = this.#closeItem("commentary")
    const { added, index } = this.#add(item)
    return [...closing, added, this.#done(index, item)]
  }

  /** Ends unfinished items with the response. */
  #turnEnd(event: EventOf<"Ended">): ReadonlyArray<UnnumberedEvent> {
    const closing = [...this.#closeItem()]
    for (const index of this.#calls.values()) {
      if (this.#output[index]["status"] === "in_progress")
        closing.push(this.#done(index, { ...this.#output[index], status: "incomplete" }))
    }
    this.#progress = progressAfter(event)
    return [...closing, { type: endType(this.#progress), response: this.response() }]
  }

  #take(event: TurnEvent): ReadonlyArray<UnnumberedEvent> {
    const isMain = event.sessionId === this.#facts.mainId
    switch (event._tag) {
      case "Text":
      case "Reasoning":
        return isMain ? this.#words(event._tag, event.text) : []
      case "ReplyEnded":
        return isMain ? this.#closeItem(event.calls > 0 ? "commentary" : "final_answer") : []
      case "CallStarted":
      case "CallProgressed":
        return isMain ? this.#startCall(event) : []
      case "CallEnded":
        return isMain ? this.#endCall(event) : []
      case "ApprovalAsked":
        return this.#ask(event)
      case "MessageSent": {
        const text = event.title === "" ? event.text : `${event.title}: ${event.text}`
        return [...this.#closeItem(), ...this.#words("Text", text), ...this.#closeItem("commentary")]
      }
      case "Ended":
        return this.#turnEnd(event)
      case "ApprovalClosed":
        // The next call refers to the approval request that allowed it.
        if (event.decision === "Approved")
          this.#requests.set(CallText.callId(this.#facts.mainId, event), event.approvalId)
        return []
      case "CallAsked":
      case "StepStarted":
      case "ChildStarted":
      case "ChildEnded":
      case "Notice":
        return []
    }
  }
}

export const make = (facts: ResponseObject.ResponseFacts): ResponseEvents => new ResponseFold(facts)

const outputText = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] })
const summaryText = (text: string) => ({ type: "summary_text", text })

const progressAfter = ({ error, reason, status, usage }: EventOf<"Ended">): ResponseObject.Progress => {
  const message = `${error}: ${reason}`
  if (status === "failed") return { status, reason, usage, failure: { code: "server_error", message } }
  const statusIfStopped = reason === "cancelled" ? "cancelled" : "incomplete"
  return { status: status === "stopped" ? statusIfStopped : "completed", reason, usage, failure: null }
}

/** The protocol has no event of its own for a cancelled response. */
const endType = ({ status }: ResponseObject.Progress): string =>
  status === "failed" || status === "completed" ? `response.${status}` : "response.incomplete"

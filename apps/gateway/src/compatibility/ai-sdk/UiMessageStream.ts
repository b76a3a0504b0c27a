/** A turn as the chunks of the AI SDK's UI message stream, version 1, which `useChat` of `@ai-sdk/react` reads. */
import { Entry } from "@bough/protocol"
import * as CallText from "../CallText.ts"
import type { TurnEvent, EventOf } from "../TurnEvent.ts"

export interface Chunk {
  readonly type: string
  readonly [key: string]: unknown
}

export interface UiMessageStreamOptions {
  readonly mainId: string
  /** The message that the chunks build, which may be one that the client has begun. */
  readonly messageId: string
  /** The calls that the client's message already contains. */
  readonly known: ReadonlySet<string>
  readonly link: CallText.ApprovalLink
}

export interface UiMessageStream {
  readonly start: () => ReadonlyArray<Chunk>
  readonly take: (event: TurnEvent) => ReadonlyArray<Chunk>
}

/** The header by which a client recognises the stream. */
export const headers = { "x-vercel-ai-ui-message-stream": "v1" } as const

class UiMessageFold implements UiMessageStream {
  readonly #link: UiMessageStreamOptions["link"]
  readonly #mainId: UiMessageStreamOptions["mainId"]
  readonly #messageId: UiMessageStreamOptions["messageId"]
  readonly #calls: Set<string>
  /**
   * Calls for which an approval was requested. A client sends its answers only for the newest step, so such a call
   * begins no new step.
   */
  readonly #approvalCalls = new Set<string>()
  readonly #denied = new Set<string>()
  readonly #children = new Map<string, { readonly kind: string; readonly title: string }>()
  #isInStep = false
  #part: { readonly kind: "text" | "reasoning"; readonly id: string } | null = null
  #parts = 0

  constructor({ known, link, mainId, messageId }: UiMessageStreamOptions) {
    this.#link = link
    this.#mainId = mainId
    this.#messageId = messageId
    this.#calls = new Set(known)
  }

  start(): ReadonlyArray<Chunk> {
    return [{ type: "start", messageId: this.#messageId, messageMetadata: { session: this.#mainId } }]
  }

  #closePart(): ReadonlyArray<Chunk> {
    if (this.#part === null) return []
    const { id, kind } = this.#part
    this.#part = null
    return [{ type: `${kind}-end`, id }]
  }

  #words(kind: "text" | "reasoning", { text }: EventOf<"Text" | "Reasoning">): ReadonlyArray<Chunk> {
    const opening: Array<Chunk> = []
    if (this.#part?.kind !== kind) {
      opening.push(...this.#closePart())
      this.#part = { kind, id: `${this.#messageId}/${(this.#parts += 1)}` }
      opening.push({ type: `${kind}-start`, id: this.#part.id })
    }
    return [...opening, { type: `${kind}-delta`, id: this.#part.id, delta: text }]
  }

  #closeStep(): ReadonlyArray<Chunk> {
    const closing = this.#closePart()
    if (!this.#isInStep) return closing
    this.#isInStep = false
    return [...closing, { type: "finish-step" }]
  }

  #startStep(): ReadonlyArray<Chunk> {
    if (this.#approvalCalls.size > 0) return this.#closePart()
    const closing = this.#closeStep()
    this.#isInStep = true
    return [...closing, { type: "start-step" }]
  }

  #call(named: NamedCall): ReadonlyArray<Chunk> {
    const id = CallText.callId(this.#mainId, named)
    if (this.#calls.has(id)) return []
    this.#calls.add(id)
    const input = CallText.parseJson(named.arguments)
    return [
      ...this.#closePart(),
      {
        type: "tool-input-available",
        toolCallId: id,
        toolName: named.tool,
        input,
        dynamic: true,
        providerExecuted: true
      }
    ]
  }

  #callEnded(event: EventOf<"CallEnded">): ReadonlyArray<Chunk> {
    const id = CallText.callId(this.#mainId, event)
    // Calls of a child are shown only if they need the user's approval.
    if (event.sessionId !== this.#mainId && !this.#calls.has(id)) return []
    this.#approvalCalls.delete(id)
    const shown = this.#call(event)
    const { outcome } = event
    const failure = Entry.failureText(outcome)
    if (failure === null && outcome._tag === "Succeeded") {
      const output = CallText.parseJson(outcome.output)
      const toolMetadata = { display: outcome.display }
      return [
        ...shown,
        { type: "tool-output-available", toolCallId: id, output, dynamic: true, providerExecuted: true, toolMetadata }
      ]
    }
    if (this.#denied.has(id)) return [...shown, { type: "tool-output-denied", toolCallId: id }]
    return [
      ...shown,
      { type: "tool-output-error", toolCallId: id, errorText: failure, dynamic: true, providerExecuted: true }
    ]
  }

  #turnEnd({ error, positions, reason, status, usage }: EventOf<"Ended">): ReadonlyArray<Chunk> {
    const closing = this.#closeStep()
    const metadata = { session: this.#mainId, status, places: positions, usage, ...(reason === "" ? {} : { reason }) }
    const finish = { type: "finish", finishReason: finishReasons[status], messageMetadata: metadata }
    return status === "failed"
      ? [
          ...closing,
          { type: "message-metadata", messageMetadata: metadata },
          { type: "error", errorText: `${error}: ${reason}` }
        ]
      : [...closing, finish]
  }

  take(event: TurnEvent): ReadonlyArray<Chunk> {
    const isMain = event.sessionId === this.#mainId
    switch (event._tag) {
      case "StepStarted":
        return isMain ? this.#startStep() : []
      case "Text":
        return isMain ? this.#words("text", event) : []
      case "Reasoning":
        return isMain ? this.#words("reasoning", event) : []
      case "CallAsked":
        return isMain ? this.#call(event) : []
      case "ReplyEnded":
        return isMain ? this.#closePart() : []
      case "CallProgressed": {
        const id = CallText.callId(this.#mainId, event)
        if (!this.#calls.has(id)) return []
        const output = { progress: event.message }
        return [
          {
            type: "tool-output-available",
            toolCallId: id,
            output,
            dynamic: true,
            providerExecuted: true,
            preliminary: true
          }
        ]
      }
      case "CallEnded":
        return this.#callEnded(event)
      case "ApprovalAsked": {
        const { request } = event
        const named = {
          sessionId: event.sessionId,
          toolCallId: request.toolCallId,
          tool: request.tool,
          arguments: request.arguments
        }
        const toolCallId = CallText.callId(this.#mainId, named)
        this.#approvalCalls.add(toolCallId)
        const approvalDescriptor = CallText.approvalDetails(request, this.#link)
        return [
          ...this.#call(named),
          { type: "tool-approval-request", approvalId: request.approvalId, toolCallId, approvalDescriptor }
        ]
      }
      case "ApprovalClosed":
        if (event.decision === "Denied") this.#denied.add(CallText.callId(this.#mainId, event))
        return []
      case "ChildStarted": {
        const { kind, sessionId: id, title } = event
        this.#children.set(id, { kind, title })
        return [{ type: "data-session", id, data: { kind, title, state: "Active" } }]
      }
      case "ChildEnded": {
        const { result, sessionId: id } = event
        // A part replaces the earlier part with the same id.
        const data = { ...this.#children.get(id), state: result.status, summary: result.summary }
        return [{ type: "data-session", id, data }]
      }
      case "MessageSent": {
        const id = `${this.#messageId}/${(this.#parts += 1)}`
        const closing = this.#closePart()
        return [
          ...closing,
          { type: "text-start", id },
          { type: "text-delta", id, delta: sentText(event) },
          { type: "text-end", id }
        ]
      }
      case "Notice":
        return [{ type: "data-notice", data: { message: event.message }, transient: true }]
      case "Ended":
        return this.#turnEnd(event)
      case "CallStarted":
        return []
    }
  }
}

export const make = (options: UiMessageStreamOptions): UiMessageStream => new UiMessageFold(options)

type NamedCall = Pick<EventOf<"CallEnded">, "sessionId" | "toolCallId" | "tool" | "arguments">

const finishReasons = { completed: "stop", suspended: "tool-calls", stopped: "other", failed: "error" } as const

const sentText = ({ text, title }: EventOf<"MessageSent">): string => (title === "" ? text : `${title}: ${text}`)

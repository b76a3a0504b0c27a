/** A turn as the chunks of the AI SDK's UI message stream, version 1, which `useChat` of `@ai-sdk/react` reads. */
import { Entry } from "@bough/protocol"
import type { TurnEvent, EventOf } from "../TurnEvent.ts"
import * as CallText from "../CallText.ts"

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

export const make = ({ known, link, mainId, messageId }: UiMessageStreamOptions): UiMessageStream => {
  const calls = new Set(known)
  /**
   * Calls for which an approval was requested. A client sends its answers only for the newest step, so such a call
   * begins no new step.
   */
  const approvalCalls = new Set<string>()
  const denied = new Set<string>()
  const children = new Map<string, { readonly kind: string; readonly title: string }>()
  let isInStep = false
  let part: { readonly kind: "text" | "reasoning"; readonly id: string } | null = null
  let parts = 0

  const closePart = (): ReadonlyArray<Chunk> => {
    if (part === null) return []
    const { id, kind } = part
    part = null
    return [{ type: `${kind}-end`, id }]
  }

  const words = (kind: "text" | "reasoning", { text }: EventOf<"Text" | "Reasoning">): ReadonlyArray<Chunk> => {
    const opening: Array<Chunk> = []
    if (part?.kind !== kind) {
      opening.push(...closePart())
      part = { kind, id: `${messageId}/${(parts += 1)}` }
      opening.push({ type: `${kind}-start`, id: part.id })
    }
    return [...opening, { type: `${kind}-delta`, id: part.id, delta: text }]
  }

  const closeStep = (): ReadonlyArray<Chunk> => {
    const closing = closePart()
    if (!isInStep) return closing
    isInStep = false
    return [...closing, { type: "finish-step" }]
  }

  const startStep = (): ReadonlyArray<Chunk> => {
    if (approvalCalls.size > 0) return closePart()
    const closing = closeStep()
    isInStep = true
    return [...closing, { type: "start-step" }]
  }

  const call = (named: NamedCall): ReadonlyArray<Chunk> => {
    const id = CallText.callId(mainId, named)
    if (calls.has(id)) return []
    calls.add(id)
    const input = CallText.parseJson(named.arguments)
    return [
      ...closePart(),
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

  const callEnded = (event: EventOf<"CallEnded">): ReadonlyArray<Chunk> => {
    const id = CallText.callId(mainId, event)
    // Calls of a child are shown only if they need the user's approval.
    if (event.sessionId !== mainId && !calls.has(id)) return []
    approvalCalls.delete(id)
    const shown = call(event)
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
    if (denied.has(id)) return [...shown, { type: "tool-output-denied", toolCallId: id }]
    return [
      ...shown,
      { type: "tool-output-error", toolCallId: id, errorText: failure, dynamic: true, providerExecuted: true }
    ]
  }

  const turnEnd = ({ error, places, reason, status, usage }: EventOf<"Ended">): ReadonlyArray<Chunk> => {
    const closing = closeStep()
    const metadata = { session: mainId, status, places, usage, ...(reason === "" ? {} : { reason }) }
    const finish = { type: "finish", finishReason: finishReasons[status], messageMetadata: metadata }
    return status === "failed"
      ? [
          ...closing,
          { type: "message-metadata", messageMetadata: metadata },
          { type: "error", errorText: `${error}: ${reason}` }
        ]
      : [...closing, finish]
  }

  const take = (event: TurnEvent): ReadonlyArray<Chunk> => {
    const isMain = event.sessionId === mainId
    switch (event._tag) {
      case "StepStarted":
        return isMain ? startStep() : []
      case "Text":
        return isMain ? words("text", event) : []
      case "Reasoning":
        return isMain ? words("reasoning", event) : []
      case "CallAsked":
        return isMain ? call(event) : []
      case "ReplyEnded":
        return isMain ? closePart() : []
      case "CallProgressed": {
        const id = CallText.callId(mainId, event)
        if (!calls.has(id)) return []
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
        return callEnded(event)
      case "ApprovalAsked": {
        const { request } = event
        const named = {
          sessionId: event.sessionId,
          toolCallId: request.toolCallId,
          tool: request.tool,
          arguments: request.arguments
        }
        const toolCallId = CallText.callId(mainId, named)
        approvalCalls.add(toolCallId)
        const approvalDescriptor = CallText.approvalDetails(request, link)
        return [
          ...call(named),
          { type: "tool-approval-request", approvalId: request.approvalId, toolCallId, approvalDescriptor }
        ]
      }
      case "ApprovalClosed":
        if (event.decision === "Denied") denied.add(CallText.callId(mainId, event))
        return []
      case "ChildStarted": {
        const { kind, sessionId: id, title } = event
        children.set(id, { kind, title })
        return [{ type: "data-session", id, data: { kind, title, state: "Active" } }]
      }
      case "ChildEnded": {
        const { result, sessionId: id } = event
        // A part replaces the earlier part with the same id.
        const data = { ...children.get(id), state: result.status, summary: result.summary }
        return [{ type: "data-session", id, data }]
      }
      case "MessageSent": {
        const id = `${messageId}/${(parts += 1)}`
        const closing = closePart()
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
        return turnEnd(event)
      case "CallStarted":
        return []
    }
  }

  return {
    start: () => [{ type: "start", messageId, messageMetadata: { session: mainId } }],
    take
  }
}

type NamedCall = Pick<EventOf<"CallEnded">, "sessionId" | "toolCallId" | "tool" | "arguments">

const finishReasons = { completed: "stop", suspended: "tool-calls", stopped: "other", failed: "error" } as const

const sentText = ({ text, title }: EventOf<"MessageSent">): string => (title === "" ? text : `${title}: ${text}`)

/** A turn as AG-UI events, protocol 1.0: a run, its children as subagents, its pending approvals as interrupts. */
import { Entry } from "@bough/protocol"
import * as CallText from "../CallText.ts"
import type { EventOf, TurnEvent } from "../TurnEvent.ts"

export interface AgUiEvent {
  readonly type: string
  readonly [key: string]: unknown
}

export interface AgUiEventsOptions {
  readonly mainId: string
  readonly threadId: string
  readonly runId: string
  /** The client's shared state, which it sends back with the next run. */
  readonly state: unknown
  /** The calls that the client's messages already contain. */
  readonly known: ReadonlySet<string>
  readonly link: CallText.ApprovalLink
}

export interface AgUiEvents {
  readonly start: () => ReadonlyArray<AgUiEvent>
  readonly take: (event: TurnEvent) => ReadonlyArray<AgUiEvent>
}

/** The key of the shared state under which a run stores its end position. */
export const stateKey = "bough"

/** The JSON Schema of the payload that answers an interrupt. */
export const responseSchema = {
  type: "object",
  properties: {
    approved: { type: "boolean" },
    reason: { type: "string", description: "Reason for the agent, if the call is denied" }
  },
  required: ["approved"]
} as const

type Agent = { readonly subagentRunId?: string }

/** A pending approval, as the end of a run lists it. */
interface Interrupt extends Agent {
  readonly id: string
  readonly [key: string]: unknown
}

interface Speaker {
  step: string | null
  open: { readonly kind: "Text" | "Reasoning"; readonly id: string } | null
  /** The newest text of the step, to which its calls belong. */
  textId: string | null
  parts: number
}

class RunFold implements AgUiEvents {
  readonly #link: AgUiEventsOptions["link"]
  readonly #mainId: AgUiEventsOptions["mainId"]
  readonly #runId: AgUiEventsOptions["runId"]
  readonly #state: AgUiEventsOptions["state"]
  readonly #threadId: AgUiEventsOptions["threadId"]
  readonly #calls: Set<string>
  readonly #speakers = new Map<string, Speaker>()
  readonly #children = new Map<string, "Active" | "Ended">()
  #models = new Set<string>()

  constructor({ known, link, mainId, runId, state, threadId }: AgUiEventsOptions) {
    this.#link = link
    this.#mainId = mainId
    this.#runId = runId
    this.#state = state
    this.#threadId = threadId
    this.#calls = new Set(known)
  }

  start(): ReadonlyArray<AgUiEvent> {
    return [{ type: "RUN_STARTED", threadId: this.#threadId, runId: this.#runId, protocolVersion: "1.0" }]
  }

  #agentOf(sessionId: string): Agent {
    return sessionId === this.#mainId ? {} : { subagentRunId: sessionId }
  }

  #speakerOf(sessionId: string): Speaker {
    const known = this.#speakers.get(sessionId)
    if (known !== undefined) return known
    const newSpeaker: Speaker = { step: null, open: null, textId: null, parts: 0 }
    this.#speakers.set(sessionId, newSpeaker)
    return newSpeaker
  }

  #closeMessage(sessionId: string): ReadonlyArray<AgUiEvent> {
    const speaker = this.#speakerOf(sessionId)
    if (speaker.open === null) return []
    const { id: messageId, kind } = speaker.open
    speaker.open = null
    const agent = this.#agentOf(sessionId)
    return kind === "Text"
      ? [{ type: "TEXT_MESSAGE_END", messageId, ...agent }]
      : [
          { type: "REASONING_MESSAGE_END", messageId, ...agent },
          { type: "REASONING_END", messageId, ...agent }
        ]
  }

  #closeStep(sessionId: string): ReadonlyArray<AgUiEvent> {
    const speaker = this.#speakerOf(sessionId)
    const closing = this.#closeMessage(sessionId)
    const { step: stepName } = speaker
    speaker.step = null
    speaker.textId = null
    return stepName === null ? closing : [...closing, { type: "STEP_FINISHED", stepName, ...this.#agentOf(sessionId) }]
  }

  #startStep({ model, sessionId, step, turn }: EventOf<"StepStarted">): ReadonlyArray<AgUiEvent> {
    const closing = this.#closeStep(sessionId)
    const stepName = `${turn}.${step}`
    Object.assign(this.#speakerOf(sessionId), { step: stepName, parts: 0 })
    this.#models = new Set([...this.#models, model])
    return [...closing, { type: "STEP_STARTED", stepName, ...this.#agentOf(sessionId) }]
  }

  #words(event: EventOf<"Text" | "Reasoning">): ReadonlyArray<AgUiEvent> {
    const { _tag: kind, sessionId, step, text: delta, turn } = event
    const speaker = this.#speakerOf(sessionId)
    const agent = this.#agentOf(sessionId)
    const opening: Array<AgUiEvent> = []
    if (speaker.open?.kind !== kind) {
      opening.push(...this.#closeMessage(sessionId))
      speaker.parts += 1
      speaker.open = { kind, id: `${sessionId}/${turn}.${step}.${speaker.parts}` }
      const messageId = speaker.open.id
      if (kind === "Text") {
        speaker.textId = messageId
        opening.push({ type: "TEXT_MESSAGE_START", messageId, role: "assistant", ...agent })
      } else {
        opening.push({ type: "REASONING_START", messageId, ...agent })
        opening.push({ type: "REASONING_MESSAGE_START", messageId, role: "reasoning", ...agent })
      }
    }
    const type = kind === "Text" ? "TEXT_MESSAGE_CONTENT" : "REASONING_MESSAGE_CONTENT"
    return [...opening, { type, messageId: speaker.open.id, delta, ...agent }]
  }

  #call(named: NamedCall): ReadonlyArray<AgUiEvent> {
    const toolCallId = CallText.callId(this.#mainId, named)
    if (this.#calls.has(toolCallId)) return []
    this.#calls.add(toolCallId)
    const agent = this.#agentOf(named.sessionId)
    const { textId } = this.#speakerOf(named.sessionId)
    const parent = textId === null ? {} : { parentMessageId: textId }
    return [
      ...this.#closeMessage(named.sessionId),
      { type: "TOOL_CALL_START", toolCallId, toolCallName: named.tool, ...parent, ...agent },
      { type: "TOOL_CALL_ARGS", toolCallId, delta: named.arguments, ...agent },
      { type: "TOOL_CALL_END", toolCallId, ...agent }
    ]
  }

  #callEnded(event: EventOf<"CallEnded">): ReadonlyArray<AgUiEvent> {
    const toolCallId = CallText.callId(this.#mainId, event)
    const content = CallText.resultText(event.outcome)
    const messageId = `${event.sessionId}/${event.toolCallId}/result`
    const failure = Entry.failureText(event.outcome)
    const metadata = { status: event.outcome._tag, ...(failure === null ? {} : { error: failure }) }
    return [
      ...this.#call(event),
      {
        type: "TOOL_CALL_RESULT",
        messageId,
        toolCallId,
        content,
        role: "tool",
        metadata,
        ...this.#agentOf(event.sessionId)
      }
    ]
  }

  #startChild(event: EventOf<"ChildStarted">): ReadonlyArray<AgUiEvent> {
    const { kind, parentId, sessionId, title, toolCallId } = event
    if (this.#children.has(sessionId)) return []
    this.#children.set(sessionId, "Active")
    const parent = this.#children.has(parentId) ? { parentSubagentRunId: parentId } : {}
    const parentToolCallId = CallText.callId(this.#mainId, { sessionId: parentId, toolCallId })
    return [
      {
        type: "SUBAGENT_STARTED",
        subagentRunId: sessionId,
        name: kind,
        description: title,
        parentToolCallId,
        ...parent
      }
    ]
  }

  #endChild({ result, sessionId: subagentRunId }: EventOf<"ChildEnded">): ReadonlyArray<AgUiEvent> {
    if (this.#children.get(subagentRunId) !== "Active") return []
    const closing = this.#closeStep(subagentRunId)
    this.#children.set(subagentRunId, "Ended")
    return result.status === "Completed"
      ? [...closing, { type: "SUBAGENT_FINISHED", subagentRunId, result: result.summary, outcome: { type: "success" } }]
      : [...closing, { type: "SUBAGENT_ERROR", subagentRunId, message: result.reason, code: result.status }]
  }

  #interrupts(pending: EventOf<"Ended">["pending"]): ReadonlyArray<Interrupt> {
    return pending.map((request) => {
      const sessionId = request.sessionPath.at(-1) ?? this.#mainId
      return {
        id: request.approvalId,
        reason: "tool_approval",
        message: CallText.approvalText(request, this.#link),
        toolCallId: CallText.callId(this.#mainId, { sessionId, toolCallId: request.toolCallId }),
        responseSchema,
        expiresAt: new Date(request.expiresAtMillis).toISOString(),
        metadata: {
          arguments: CallText.parseJson(request.arguments),
          ...CallText.approvalDetails(request, this.#link)
        },
        ...(this.#children.has(sessionId) ? this.#agentOf(sessionId) : {})
      }
    })
  }

  #turnEnd({ error, pending, positions, reason, status, usage }: EventOf<"Ended">): ReadonlyArray<AgUiEvent> {
    const closing = Array.from(this.#speakers.keys()).flatMap((sessionId) => this.#closeStep(sessionId))
    const interrupts = this.#interrupts(pending)
    const snapshot = stateSnapshot(this.#state, { session: this.#mainId, places: positions })
    const before = [...closing, ...this.#suspendedChildren(interrupts), snapshot]
    const counted = [usageOf(this.#models, usage)]
    if (status === "failed") {
      return [...before, { type: "RUN_ERROR", message: reason, code: error ?? "failed", usage: counted }]
    }
    const finished = { type: "RUN_FINISHED", threadId: this.#threadId, runId: this.#runId, usage: counted }
    if (interrupts.length > 0) return [...before, { ...finished, outcome: { type: "interrupt", interrupts } }]
    if (reason === "cancelled") return [...before, { ...finished, outcome: { type: "cancelled" } }]
    const outcome = { type: "success", pendingToolCallIds: [] }
    return [...before, { ...finished, result: { status, reason }, outcome }]
  }

  /** Ends the children that are still active, the newest first: a child ends before its parent does. */
  #suspendedChildren(interrupts: ReadonlyArray<Interrupt>): ReadonlyArray<AgUiEvent> {
    const active = Array.from(this.#children).flatMap(([id, state]) => (state === "Active" ? [id] : []))
    return active.toReversed().map((subagentRunId) => {
      const waiting = interrupts.filter((interrupt) => interrupt.subagentRunId === subagentRunId)
      const outcome = { type: "suspended", interruptIds: waiting.map(({ id }) => id) }
      return { type: "SUBAGENT_FINISHED", subagentRunId, outcome }
    })
  }

  take(event: TurnEvent): ReadonlyArray<AgUiEvent> {
    // A child whose end was reported has no further events in this run.
    if (this.#children.get(event.sessionId) === "Ended") return []
    switch (event._tag) {
      case "StepStarted":
        return this.#startStep(event)
      case "Text":
      case "Reasoning":
        return this.#words(event)
      case "CallAsked":
        return this.#call(event)
      case "ReplyEnded":
        return this.#closeMessage(event.sessionId)
      case "CallProgressed":
        return [
          {
            type: "ACTIVITY_SNAPSHOT",
            messageId: `${event.sessionId}/${event.toolCallId}/progress`,
            activityType: "TOOL_PROGRESS",
            content: { toolCallId: CallText.callId(this.#mainId, event), tool: event.tool, message: event.message },
            ...this.#agentOf(event.sessionId)
          }
        ]
      case "CallEnded":
        return this.#callEnded(event)
      case "ApprovalAsked": {
        const { request, sessionId } = event
        return this.#call({
          sessionId,
          toolCallId: request.toolCallId,
          tool: request.tool,
          arguments: request.arguments
        })
      }
      case "ChildStarted":
        return this.#startChild(event)
      case "ChildEnded":
        return this.#endChild(event)
      case "MessageSent": {
        const { messageId: id, sessionId, text, title } = event
        const agent = this.#agentOf(sessionId)
        const messageId = `${sessionId}/message/${id}`
        const name = title === "" ? {} : { name: title }
        return [
          ...this.#closeMessage(sessionId),
          { type: "TEXT_MESSAGE_START", messageId, role: "assistant", ...name, ...agent },
          { type: "TEXT_MESSAGE_CONTENT", messageId, delta: text, ...agent },
          { type: "TEXT_MESSAGE_END", messageId, ...agent }
        ]
      }
      case "Notice":
        return [
          { type: "CUSTOM", name: "bough.notice", value: { message: event.message }, ...this.#agentOf(event.sessionId) }
        ]
      case "Ended":
        return this.#turnEnd(event)
      case "CallStarted":
      case "ApprovalClosed":
        return []
    }
  }
}

export const make = (options: AgUiEventsOptions): AgUiEvents => new RunFold(options)

type NamedCall = Pick<EventOf<"CallEnded">, "sessionId" | "toolCallId" | "tool" | "arguments">

/** Adds the position of the run to the client's shared state. */
const stateSnapshot = (state: unknown, position: object): AgUiEvent => {
  const object = typeof state === "object" && state !== null && !Array.isArray(state) ? state : {}
  return { type: "STATE_SNAPSHOT", snapshot: { ...object, [stateKey]: position } }
}

const usageOf = (models: ReadonlySet<string>, usage: EventOf<"Ended">["usage"]) => ({
  ...(models.size === 1 ? { model: [...models][0] } : {}),
  inputTokens: usage.inputTokens,
  outputTokens: usage.outputTokens,
  totalTokens: usage.inputTokens + usage.outputTokens,
  cachedInputTokens: usage.cachedInputTokens
})

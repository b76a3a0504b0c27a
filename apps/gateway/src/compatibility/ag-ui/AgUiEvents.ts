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
    reason: { type: "string", description: "Words for the agent, where it is denied" }
  },
  required: ["approved"]
} as const

type Agent = { readonly subagentRunId?: string }

interface Speaker {
  step: string | null
  open: { readonly kind: "Text" | "Reasoning"; readonly id: string } | null
  /** The newest text of the step, to which its calls belong. */
  textId: string | null
  parts: number
}

export const make = ({ known, link, mainId, runId, state, threadId }: AgUiEventsOptions): AgUiEvents => {
  const calls = new Set(known)
  const speakers = new Map<string, Speaker>()
  const children = new Map<string, "Active" | "Ended">()
  let models = new Set<string>()

  const agentOf = (sessionId: string): Agent => (sessionId === mainId ? {} : { subagentRunId: sessionId })
  const speakerOf = (sessionId: string): Speaker => {
    const known = speakers.get(sessionId)
    if (known !== undefined) return known
    const newSpeaker: Speaker = { step: null, open: null, textId: null, parts: 0 }
    speakers.set(sessionId, newSpeaker)
    return newSpeaker
  }

  const closeMessage = (sessionId: string): ReadonlyArray<AgUiEvent> => {
    const speaker = speakerOf(sessionId)
    if (speaker.open === null) return []
    const { id: messageId, kind } = speaker.open
    speaker.open = null
    const agent = agentOf(sessionId)
    return kind === "Text"
      ? [{ type: "TEXT_MESSAGE_END", messageId, ...agent }]
      : [
          { type: "REASONING_MESSAGE_END", messageId, ...agent },
          { type: "REASONING_END", messageId, ...agent }
        ]
  }

  const closeStep = (sessionId: string): ReadonlyArray<AgUiEvent> => {
    const speaker = speakerOf(sessionId)
    const closing = closeMessage(sessionId)
    const { step: stepName } = speaker
    speaker.step = null
    speaker.textId = null
    return stepName === null ? closing : [...closing, { type: "STEP_FINISHED", stepName, ...agentOf(sessionId) }]
  }

  const startStep = ({ model, sessionId, step, turn }: EventOf<"StepStarted">): ReadonlyArray<AgUiEvent> => {
    const closing = closeStep(sessionId)
    const stepName = `${turn}.${step}`
    Object.assign(speakerOf(sessionId), { step: stepName, parts: 0 })
    models = new Set([...models, model])
    return [...closing, { type: "STEP_STARTED", stepName, ...agentOf(sessionId) }]
  }

  const words = (event: EventOf<"Text" | "Reasoning">): ReadonlyArray<AgUiEvent> => {
    const { _tag: kind, sessionId, step, text: delta, turn } = event
    const speaker = speakerOf(sessionId)
    const agent = agentOf(sessionId)
    const opening: Array<AgUiEvent> = []
    if (speaker.open?.kind !== kind) {
      opening.push(...closeMessage(sessionId))
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

  const call = (named: NamedCall): ReadonlyArray<AgUiEvent> => {
    const toolCallId = CallText.callId(mainId, named)
    if (calls.has(toolCallId)) return []
    calls.add(toolCallId)
    const agent = agentOf(named.sessionId)
    const { textId } = speakerOf(named.sessionId)
    const parent = textId === null ? {} : { parentMessageId: textId }
    return [
      ...closeMessage(named.sessionId),
      { type: "TOOL_CALL_START", toolCallId, toolCallName: named.tool, ...parent, ...agent },
      { type: "TOOL_CALL_ARGS", toolCallId, delta: named.arguments, ...agent },
      { type: "TOOL_CALL_END", toolCallId, ...agent }
    ]
  }

  const callEnded = (event: EventOf<"CallEnded">): ReadonlyArray<AgUiEvent> => {
    const toolCallId = CallText.callId(mainId, event)
    const content = CallText.resultText(event.outcome)
    const messageId = `${event.sessionId}/${event.toolCallId}/result`
    const failure = Entry.failureText(event.outcome)
    const metadata = { status: event.outcome._tag, ...(failure === null ? {} : { error: failure }) }
    return [
      ...call(event),
      { type: "TOOL_CALL_RESULT", messageId, toolCallId, content, role: "tool", metadata, ...agentOf(event.sessionId) }
    ]
  }

  const startChild = (event: EventOf<"ChildStarted">): ReadonlyArray<AgUiEvent> => {
    const { kind, parentId, sessionId, title, toolCallId } = event
    if (children.has(sessionId)) return []
    children.set(sessionId, "Active")
    const parent = children.has(parentId) ? { parentSubagentRunId: parentId } : {}
    const parentToolCallId = CallText.callId(mainId, { sessionId: parentId, toolCallId })
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

  const endChild = ({ result, sessionId: subagentRunId }: EventOf<"ChildEnded">): ReadonlyArray<AgUiEvent> => {
    if (children.get(subagentRunId) !== "Active") return []
    const closing = closeStep(subagentRunId)
    children.set(subagentRunId, "Ended")
    return result.status === "Completed"
      ? [...closing, { type: "SUBAGENT_FINISHED", subagentRunId, result: result.summary, outcome: { type: "success" } }]
      : [...closing, { type: "SUBAGENT_ERROR", subagentRunId, message: result.reason, code: result.status }]
  }

  const interrupts = (pending: EventOf<"Ended">["pending"]) =>
    pending.map((request) => {
      const sessionId = request.sessionPath.at(-1) ?? mainId
      return {
        id: request.approvalId,
        reason: "tool_approval",
        message: CallText.approvalText(request, link),
        toolCallId: CallText.callId(mainId, { sessionId, toolCallId: request.toolCallId }),
        responseSchema,
        expiresAt: new Date(request.expiresAtMillis).toISOString(),
        metadata: { arguments: CallText.parseJson(request.arguments), ...CallText.approvalDetails(request, link) },
        ...(children.has(sessionId) ? agentOf(sessionId) : {})
      }
    })

  const turnEnd = (event: EventOf<"Ended">): ReadonlyArray<AgUiEvent> => {
    const { error, pending, places, reason, status, usage } = event
    const closing = Array.from(speakers.keys()).flatMap((sessionId) => closeStep(sessionId))
    // The newest first: a child ends before its parent does.
    const activeChildren = Array.from(children)
      .flatMap(([id, state]) => (state === "Active" ? [id] : []))
      .toReversed()
    const pendingInterrupts = interrupts(pending)
    const suspended = activeChildren.map((subagentRunId) => ({
      type: "SUBAGENT_FINISHED",
      subagentRunId,
      outcome: {
        type: "suspended",
        interruptIds: pendingInterrupts
          .filter((interrupt) => interrupt.subagentRunId === subagentRunId)
          .map(({ id }) => id)
      }
    }))
    const stateObject = typeof state === "object" && state !== null && !Array.isArray(state) ? state : {}
    const snapshot = { type: "STATE_SNAPSHOT", snapshot: { ...stateObject, [stateKey]: { session: mainId, places } } }
    const counted = [
      {
        ...(models.size === 1 ? { model: [...models][0] } : {}),
        inputTokens: usage.inputTokens,
        outputTokens: usage.outputTokens,
        totalTokens: usage.inputTokens + usage.outputTokens,
        cachedInputTokens: usage.cachedInputTokens
      }
    ]
    const all = [...closing, ...suspended, snapshot]
    if (status === "failed")
      return [...all, { type: "RUN_ERROR", message: reason, code: error ?? "failed", usage: counted }]
    const finished = { type: "RUN_FINISHED", threadId, runId, usage: counted }
    if (pendingInterrupts.length > 0)
      return [...all, { ...finished, outcome: { type: "interrupt", interrupts: pendingInterrupts } }]
    if (reason === "cancelled") return [...all, { ...finished, outcome: { type: "cancelled" } }]
    return [...all, { ...finished, result: { status, reason }, outcome: { type: "success", pendingToolCallIds: [] } }]
  }

  const take = (event: TurnEvent): ReadonlyArray<AgUiEvent> => {
    // A child whose end was reported has no further events in this run.
    if (children.get(event.sessionId) === "Ended") return []
    switch (event._tag) {
      case "StepStarted":
        return startStep(event)
      case "Text":
      case "Reasoning":
        return words(event)
      case "CallAsked":
        return call(event)
      case "ReplyEnded":
        return closeMessage(event.sessionId)
      case "CallProgressed":
        return [
          {
            type: "ACTIVITY_SNAPSHOT",
            messageId: `${event.sessionId}/${event.toolCallId}/progress`,
            activityType: "TOOL_PROGRESS",
            content: { toolCallId: CallText.callId(mainId, event), tool: event.tool, message: event.message },
            ...agentOf(event.sessionId)
          }
        ]
      case "CallEnded":
        return callEnded(event)
      case "ApprovalAsked": {
        const { request, sessionId } = event
        return call({ sessionId, toolCallId: request.toolCallId, tool: request.tool, arguments: request.arguments })
      }
      case "ChildStarted":
        return startChild(event)
      case "ChildEnded":
        return endChild(event)
      case "MessageSent": {
        const { messageId: id, sessionId, text, title } = event
        const agent = agentOf(sessionId)
        const messageId = `${sessionId}/message/${id}`
        const name = title === "" ? {} : { name: title }
        return [
          ...closeMessage(sessionId),
          { type: "TEXT_MESSAGE_START", messageId, role: "assistant", ...name, ...agent },
          { type: "TEXT_MESSAGE_CONTENT", messageId, delta: text, ...agent },
          { type: "TEXT_MESSAGE_END", messageId, ...agent }
        ]
      }
      case "Notice":
        return [
          { type: "CUSTOM", name: "bough.notice", value: { message: event.message }, ...agentOf(event.sessionId) }
        ]
      case "Ended":
        return turnEnd(event)
      case "CallStarted":
      case "ApprovalClosed":
        return []
    }
  }

  return {
    start: () => [{ type: "RUN_STARTED", threadId, runId, protocolVersion: "1.0" }],
    take
  }
}

type NamedCall = Pick<EventOf<"CallEnded">, "sessionId" | "toolCallId" | "tool" | "arguments">

/**
 * A turn as the chunks of a chat completion. The protocol has neither server-side calls nor approvals: calls appear as
 * reasoning, a pending approval as text with a link.
 */
import { Usage } from "@bough/protocol"
import * as CallText from "../CallText.ts"
import type { EventOf, TurnEvent } from "../TurnEvent.ts"
import * as OpenAiError from "./OpenAiError.ts"
import * as OpenAiUsage from "./OpenAiUsage.ts"

export interface ChatChunksOptions {
  readonly mainId: string
  readonly completionId: string
  readonly createdAtSeconds: number
  readonly model: string
  readonly includesUsage: boolean
  readonly link: CallText.ApprovalLink
}

type FinishReason = "stop" | "length"

/** The parts of a completion, for clients that do not stream. */
export interface Totals {
  content: string
  reasoning: string
  finishReason: FinishReason
  usage: Usage.Usage
  /** Null: the turn did not fail. */
  error: OpenAiError.OpenAiError | null
}

export interface ChatChunks {
  readonly start: () => ReadonlyArray<unknown>
  readonly take: (event: TurnEvent) => ReadonlyArray<unknown>
  readonly totals: Readonly<Totals>
  /** The complete response; read it after Ended. */
  readonly completion: () => unknown
}

export const make = ({
  completionId,
  createdAtSeconds,
  includesUsage,
  link,
  mainId,
  model
}: ChatChunksOptions): ChatChunks => {
  const base = { id: completionId, created: createdAtSeconds, model }
  const totals: Totals = { content: "", reasoning: "", finishReason: "stop", usage: Usage.zero, error: null }
  /** The text of each step is a separate paragraph. */
  let isBreakDue = false

  const chunk = (delta: object, finishReason: FinishReason | null = null) => ({
    ...base,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    ...(includesUsage ? { usage: null } : {})
  })

  const say = (text: string): ReadonlyArray<unknown> => {
    const content = isBreakDue && totals.content !== "" ? `\n\n${text}` : text
    isBreakDue = false
    totals.content += content
    return [chunk({ content })]
  }

  const think = (text: string): ReadonlyArray<unknown> => {
    totals.reasoning += text
    return [chunk({ reasoning_content: text })]
  }

  const note = (line: string): ReadonlyArray<unknown> =>
    think(totals.reasoning === "" || totals.reasoning.endsWith("\n") ? `${line}\n` : `\n${line}\n`)

  const paragraph = (text: string): ReadonlyArray<unknown> => {
    isBreakDue = true
    const chunks = say(text)
    isBreakDue = true
    return chunks
  }

  const turnEnd = ({ error, reason, status, usage }: EventOf<"Ended">): ReadonlyArray<unknown> => {
    totals.usage = usage
    if (status === "failed") {
      totals.error = OpenAiError.fromTurn(error ?? "failed", reason)
      return [OpenAiError.body(totals.error)]
    }
    const stopNote = status === "stopped" ? paragraph(`[stopped: ${reason}]`) : []
    totals.finishReason = status === "stopped" && reason !== "cancelled" ? "length" : "stop"
    const counted = { ...base, object: "chat.completion.chunk", choices: [], usage: OpenAiUsage.forChat(usage) }
    return [...stopNote, chunk({}, totals.finishReason), ...(includesUsage ? [counted] : [])]
  }

  const take = (event: TurnEvent): ReadonlyArray<unknown> => {
    const isMain = event.sessionId === mainId
    switch (event._tag) {
      case "StepStarted":
        if (isMain) isBreakDue = true
        return []
      case "Text":
        return isMain ? say(event.text) : []
      case "Reasoning":
        return isMain ? think(event.text) : []
      case "CallAsked":
        return isMain ? note(`→ ${CallText.callLine(event)}`) : []
      case "CallProgressed":
        return isMain ? note(`  ${event.message}`) : []
      case "CallEnded": {
        const { outcome, tool } = event
        if (!isMain) return []
        return note(`← ${outcome._tag === "Succeeded" ? outcome.display : `${tool}: ${CallText.resultText(outcome)}`}`)
      }
      case "ApprovalAsked":
        return paragraph(CallText.approvalText(event.request, link))
      case "ChildStarted":
        return note(`→ ${event.kind}: ${event.title}`)
      case "ChildEnded":
        return note(`← ${event.result.status}: ${event.result.summary}`)
      case "MessageSent":
        return paragraph(event.title === "" ? event.text : `${event.title}: ${event.text}`)
      case "Notice":
        return note(event.message)
      case "Ended":
        return turnEnd(event)
      case "ReplyEnded":
      case "CallStarted":
      case "ApprovalClosed":
        return []
    }
  }

  return {
    start: () => [chunk({ role: "assistant", content: "" })],
    take,
    totals,
    completion: () => ({
      ...base,
      object: "chat.completion",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: totals.content,
            refusal: null,
            annotations: [],
            ...(totals.reasoning === "" ? {} : { reasoning_content: totals.reasoning })
          },
          logprobs: null,
          finish_reason: totals.finishReason
        }
      ],
      usage: OpenAiUsage.forChat(totals.usage)
    })
  }
}

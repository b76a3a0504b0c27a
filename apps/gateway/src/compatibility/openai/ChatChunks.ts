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

class ChunkFold implements ChatChunks {
  readonly #includesUsage: ChatChunksOptions["includesUsage"]
  readonly #link: ChatChunksOptions["link"]
  readonly #mainId: ChatChunksOptions["mainId"]
  readonly #base: { id: string; created: number; model: string }
  readonly totals: Totals = { content: "", reasoning: "", finishReason: "stop", usage: Usage.zero, error: null }
  /** The text of each step is a separate paragraph. */
  #isBreakDue = false

  constructor({ completionId, createdAtSeconds, includesUsage, link, mainId, model }: ChatChunksOptions) {
    this.#includesUsage = includesUsage
    this.#link = link
    this.#mainId = mainId
    this.#base = { id: completionId, created: createdAtSeconds, model: model }
  }

  start() {
    return [this.#chunk({ role: "assistant", content: "" })]
  }

  completion() {
    return {
      ...this.#base,
      object: "chat.completion",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: this.totals.content,
            refusal: null,
            annotations: [],
            ...(this.totals.reasoning === "" ? {} : { reasoning_content: this.totals.reasoning })
          },
          logprobs: null,
          finish_reason: this.totals.finishReason
        }
      ],
      usage: OpenAiUsage.forChat(this.totals.usage)
    }
  }

  #chunk(delta: object, finishReason: FinishReason | null = null) {
    return {
      ...this.#base,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...(this.#includesUsage ? { usage: null } : {})
    }
  }

  #say(text: string): ReadonlyArray<unknown> {
    const content = this.#isBreakDue && this.totals.content !== "" ? `\n\n${text}` : text
    this.#isBreakDue = false
    this.totals.content += content
    return [this.#chunk({ content })]
  }

  #think(text: string): ReadonlyArray<unknown> {
    this.totals.reasoning += text
    return [this.#chunk({ reasoning_content: text })]
  }

  #note(line: string): ReadonlyArray<unknown> {
    return this.#think(
      this.totals.reasoning === "" || this.totals.reasoning.endsWith("\n") ? `${line}\n` : `\n${line}\n`
    )
  }

  #paragraph(text: string): ReadonlyArray<unknown> {
    this.#isBreakDue = true
    const chunks = this.#say(text)
    this.#isBreakDue = true
    return chunks
  }

  #turnEnd({ error, reason, status, usage }: EventOf<"Ended">): ReadonlyArray<unknown> {
    this.totals.usage = usage
    if (status === "failed") {
      this.totals.error = OpenAiError.fromTurn(error ?? "failed", reason)
      return [OpenAiError.body(this.totals.error)]
    }
    const stopNote = status === "stopped" ? this.#paragraph(`[stopped: ${reason}]`) : []
    this.totals.finishReason = status === "stopped" && reason !== "cancelled" ? "length" : "stop"
    const counted = { ...this.#base, object: "chat.completion.chunk", choices: [], usage: OpenAiUsage.forChat(usage) }
    return [...stopNote, this.#chunk({}, this.totals.finishReason), ...(this.#includesUsage ? [counted] : [])]
  }

  take(event: TurnEvent): ReadonlyArray<unknown> {
    const isMain = event.sessionId === this.#mainId
    switch (event._tag) {
      case "StepStarted":
        if (isMain) this.#isBreakDue = true
        return []
      case "Text":
        return isMain ? this.#say(event.text) : []
      case "Reasoning":
        return isMain ? this.#think(event.text) : []
      case "CallAsked":
        return isMain ? this.#note(`→ ${CallText.callLine(event)}`) : []
      case "CallProgressed":
        return isMain ? this.#note(`  ${event.message}`) : []
      case "CallEnded": {
        const { outcome, tool } = event
        if (!isMain) return []
        return this.#note(
          `← ${outcome._tag === "Succeeded" ? outcome.display : `${tool}: ${CallText.resultText(outcome)}`}`
        )
      }
      case "ApprovalAsked":
        return this.#paragraph(CallText.approvalText(event.request, this.#link))
      case "ChildStarted":
        return this.#note(`→ ${event.kind}: ${event.title}`)
      case "ChildEnded":
        return this.#note(`← ${event.result.status}: ${event.result.summary}`)
      case "MessageSent":
        return this.#paragraph(event.title === "" ? event.text : `${event.title}: ${event.text}`)
      case "Notice":
        return this.#note(event.message)
      case "Ended":
        return this.#turnEnd(event)
      case "ReplyEnded":
      case "CallStarted":
      case "ApprovalClosed":
        return []
    }
  }
}

export const make = (options: ChatChunksOptions): ChatChunks => new ChunkFold(options)

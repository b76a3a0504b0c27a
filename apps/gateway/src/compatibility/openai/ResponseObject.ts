/** The response of OpenAI's Responses API as an object, at any time of its turn. Pure. */
import type { Usage } from "@bough/protocol"
import * as OpenAiUsage from "./OpenAiUsage.ts"

export interface ResponseObject {
  readonly id: string
  readonly object: "response"
  readonly status: string
  readonly output: ReadonlyArray<Item>
  readonly [key: string]: unknown
}

export interface Item {
  readonly id: string
  readonly type: string
  readonly [key: string]: unknown
}

/** The facts of a response that do not change. */
export interface ResponseFacts {
  readonly mainId: string
  readonly responseId: string
  readonly previousResponseId: string | null
  readonly createdAtSeconds: number
  readonly model: string
  readonly metadata: Readonly<Record<string, string>>
}

/** The state of the turn; `usage` null: it has not ended. */
export interface Progress {
  readonly status: "in_progress" | "completed" | "incomplete" | "cancelled" | "failed"
  readonly reason: string
  readonly usage: Usage.Usage | null
  readonly failure: { readonly code: "server_error"; readonly message: string } | null
}

export const inProgress: Progress = { status: "in_progress", reason: "", usage: null, failure: null }

export const make = (facts: ResponseFacts, progress: Progress, output: ReadonlyArray<Item>): ResponseObject => {
  const { failure, reason, status, usage } = progress
  return {
    id: facts.responseId,
    object: "response",
    created_at: facts.createdAtSeconds,
    status,
    error: failure,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: null,
    max_output_tokens: null,
    metadata: {
      ...facts.metadata,
      bough_session: facts.mainId,
      ...(reason === "" ? {} : { bough_reason: reason.slice(0, 512) })
    },
    model: facts.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: facts.previousResponseId,
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
  }
}

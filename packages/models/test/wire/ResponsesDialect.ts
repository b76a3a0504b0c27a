/** OpenAI's Responses, as a stream. */
import * as OpenAi from "../../src/OpenAi.ts"
import { type Body, type Dialect, event, joined, type Reply, type ReplyPart, type Stream } from "./Dialect.ts"

const summaryOf = (text: string) => ({ type: "summary_text", text })

const item = (text: ReplyPart, index: number, done: boolean): ReadonlyArray<object> => {
  const output_index = index
  const type = done ? "response.output_item.done" : "response.output_item.added"
  if (text.is === "text") {
    const content = done ? [{ type: "output_text", text: text.text, annotations: [] }] : []
    const status = done ? "completed" : "in_progress"
    return [{ type, output_index, item: { type: "message", id: `msg_${index}`, role: "assistant", status, content } }]
  }
  if (text.is === "reasoning") {
    const encrypted_content = done ? text.signature : null
    const summary = done && text.text !== "" ? [summaryOf(text.text)] : []
    return [{ type, output_index, item: { type: "reasoning", id: `rs_${index}`, encrypted_content, summary } }]
  }
  const call = { type: "function_call", id: `fc_${text.id}`, call_id: text.id, name: text.name }
  return [{ type, output_index, item: { ...call, arguments: done ? joined(text) : "", status: "completed" } }]
}

const deltas = (text: ReplyPart, index: number): ReadonlyArray<object> => {
  const output_index = index
  if (text.is === "text") {
    const item_id = `msg_${index}`
    return [{ type: "response.output_text.delta", item_id, output_index, content_index: 0, delta: text.text }]
  }
  if (text.is === "reasoning") {
    if (text.text === "") return []
    const at = { item_id: `rs_${index}`, summary_index: 0, output_index }
    return [
      { type: "response.reasoning_summary_part.added", ...at, part: summaryOf("") },
      { type: "response.reasoning_summary_text.delta", ...at, delta: text.text },
      { type: "response.reasoning_summary_part.done", ...at, part: summaryOf(text.text) }
    ]
  }
  const item_id = `fc_${text.id}`
  return [
    ...text.fragments.map((delta) => ({
      type: "response.function_call_arguments.delta",
      item_id,
      output_index,
      delta
    })),
    ...(text.open === true
      ? []
      : [{ type: "response.function_call_arguments.done", item_id, output_index, arguments: joined(text) }])
  ]
}

const encode = ({ ends, said, tokens }: Reply): Stream => {
  const usage = {
    input_tokens: tokens.input,
    input_tokens_details: { cached_tokens: tokens.cached },
    output_tokens: tokens.output,
    total_tokens: tokens.input + tokens.output,
    output_tokens_details: { reasoning_tokens: 0 }
  }
  const incomplete_details = ends === "length" ? { reason: "max_output_tokens" } : null
  const type = ends === "length" ? "response.incomplete" : "response.completed"
  const response = { id: "resp_1", object: "response", created_at: 1, model: "gpt", output: [], error: null }
  const events = [
    { type: "response.created", response: { ...response, incomplete_details: null, usage: null } },
    ...said.flatMap((part, index) => [
      ...item(part, index, false),
      ...deltas(part, index),
      ...("open" in part && part.open === true ? [] : item(part, index, true))
    ]),
    { type, response: { ...response, incomplete_details, usage } }
  ].map((data, sequence_number) => event({ ...data, sequence_number }))
  return { body: events.slice(0, -1), closing: events.slice(-1) }
}

const items = (body: Body, type: string): Array<Body> => body.input.filter((item: Body) => item.type === type)

export const dialect: Dialect = {
  provider: OpenAi.provider,
  model: "openai/gpt-5-mini",
  environment: (origin, key) => ({ OPENAI_BASE_URL: `${origin}/v1`, OPENAI_API_KEY: key }),
  path: /^\/v1\/responses$/,
  keyHeader: "authorization",
  contentType: "text/event-stream",
  encode,
  failure: (_, message) => ({ error: { message, type: "error", code: null } }),
  overload: (message) =>
    event({
      type: "response.failed",
      sequence_number: 9,
      response: { id: "resp_1", created_at: 1, model: "gpt", output: [], error: { code: "server_error", message } }
    }),
  writesArguments: true,
  reasons: true,
  results: (body) => items(body, "function_call_output").map((item) => JSON.stringify(item)),
  signatures: (body) => items(body, "reasoning").map((item) => String(item.encrypted_content)),
  tools: (body) => body.tools,
  countsWritten: false,
  limit: (body) => body.max_output_tokens
}

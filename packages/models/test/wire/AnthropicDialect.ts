/** Anthropic's Messages, as a stream. */
import * as Anthropic from "../../src/Anthropic.ts"
import { type Body, type Dialect, event, type Reply, type ReplyPart, type Stream, type Tokens } from "./Dialect.ts"

/** Every event is named after its type. */
const typed = (data: { readonly type: string; readonly [key: string]: unknown }): string => event(data, data.type)

const start = (text: ReplyPart) => {
  if (text.is === "text") return { type: "text", text: "" }
  if (text.is === "reasoning") return { type: "thinking", thinking: "", signature: "" }
  return { type: "tool_use", id: text.id, name: text.name, input: {} }
}

const deltas = (part: ReplyPart): ReadonlyArray<unknown> => {
  if (part.is === "text") return [{ type: "text_delta", text: part.text }]
  if (part.is === "call") {
    return part.fragments.map((text) => ({ type: "input_json_delta", partial_json: text }))
  }
  return [
    { type: "thinking_delta", thinking: part.text },
    { type: "signature_delta", signature: part.signature }
  ]
}

const stop = { stop: "end_turn", calls: "tool_use", length: "max_tokens" }

/** The token counts of an event. The last event repeats the counts of the first. */
const usage = ({ cached, input, output, written }: Tokens) => ({
  input_tokens: input - cached - written,
  cache_read_input_tokens: cached,
  cache_creation_input_tokens: written,
  output_tokens: output,
  server_tool_use: null
})

const served = { cache_creation: null, service_tier: "standard", inference_geo: null }

const encode = ({ ends, said, tokens }: Reply): Stream => ({
  body: [
    typed({
      type: "message_start",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        container: null,
        context_management: null,
        usage: { ...usage({ ...tokens, output: 1 }), ...served }
      }
    }),
    typed({ type: "ping" }),
    ...said.flatMap((part, index) => [
      typed({ type: "content_block_start", index, content_block: start(part) }),
      ...deltas(part).map((delta) => typed({ type: "content_block_delta", index, delta })),
      ...("open" in part && part.open === true ? [] : [typed({ type: "content_block_stop", index })])
    ])
  ],
  closing: [
    typed({
      type: "message_delta",
      delta: { stop_reason: stop[ends], stop_sequence: null },
      usage: usage(tokens)
    }),
    typed({ type: "message_stop" })
  ]
})

const blocks = (body: Body, type: string): Array<Body> =>
  body.messages.flatMap(({ content }: Body) =>
    Array.isArray(content) ? content.filter((block: Body) => block.type === type) : []
  )

export const dialect: Dialect = {
  provider: Anthropic.provider,
  model: "anthropic/claude-sonnet-4-5",
  environment: (origin, key) => ({ ANTHROPIC_BASE_URL: origin, ANTHROPIC_API_KEY: key }),
  path: /^\/v1\/messages$/,
  keyHeader: "x-api-key",
  contentType: "text/event-stream",
  encode,
  failure: (_, message) => ({ type: "error", error: { type: "any_error", message } }),
  overload: (message) => typed({ type: "error", error: { type: "overloaded_error", message } }),
  writesArguments: true,
  reasons: true,
  results: (body) => blocks(body, "tool_result").map((block) => JSON.stringify(block)),
  signatures: (body) => blocks(body, "thinking").map((block) => String(block.signature)),
  // Anthropic's package adds fields that request the arguments as they are written.
  tools: (body) => body.tools.map(({ cache_control: _, eager_input_streaming: __, ...tool }: Body) => tool),
  countsWritten: true,
  limit: (body) => body.max_tokens
}

/** Amazon Bedrock's Converse, in the binary frames of its event streams. */
import { crc32 } from "node:zlib"
import * as AmazonBedrock from "../../src/AmazonBedrock.ts"
import { type Body, type Dialect, type Reply, type ReplyPart, type Stream } from "./Dialect.ts"

const header = (name: string, value: string): Buffer => {
  const head = Buffer.from([name.length, ...Buffer.from(name), 7, 0, 0])
  head.writeUInt16BE(Buffer.byteLength(value), head.length - 2)
  return Buffer.concat([head, Buffer.from(value)])
}

/** Length, length of headers, checksum of the two; headers; payload; checksum of all before. */
const frame = (type: string, payload: unknown, kind: "event" | "exception" = "event"): Buffer => {
  const headers = Buffer.concat([
    header(`:${kind}-type`, type),
    header(":content-type", "application/json"),
    header(":message-type", kind)
  ])
  const body = Buffer.from(JSON.stringify(payload))
  const whole = Buffer.alloc(12 + headers.length + body.length + 4)
  whole.writeUInt32BE(whole.length, 0)
  whole.writeUInt32BE(headers.length, 4)
  whole.writeUInt32BE(crc32(whole.subarray(0, 8)), 8)
  headers.copy(whole, 12)
  body.copy(whole, 12 + headers.length)
  whole.writeUInt32BE(crc32(whole.subarray(0, whole.length - 4)), whole.length - 4)
  return whole
}

const frames = (part: ReplyPart, contentBlockIndex: number): ReadonlyArray<Buffer> => {
  const delta = (delta: unknown) => frame("contentBlockDelta", { contentBlockIndex, delta })
  const stop = "open" in part && part.open === true ? [] : [frame("contentBlockStop", { contentBlockIndex })]
  if (part.is === "text") return [delta({ text: part.text }), ...stop]
  if (part.is === "reasoning") {
    const { signature, text } = part
    return [delta({ reasoningContent: { text } }), delta({ reasoningContent: { signature } }), ...stop]
  }
  return [
    frame("contentBlockStart", {
      contentBlockIndex,
      start: { toolUse: { toolUseId: part.id, name: part.name } }
    }),
    ...part.fragments.map((input) => delta({ toolUse: { input } })),
    ...stop
  ]
}

const stopReason = { stop: "end_turn", calls: "tool_use", length: "max_tokens" }

const encode = ({ ends, said, tokens }: Reply): Stream => ({
  body: [frame("messageStart", { role: "assistant" }), ...said.flatMap(frames)],
  closing: [
    frame("messageStop", { stopReason: stopReason[ends] }),
    frame("metadata", {
      usage: {
        inputTokens: tokens.input - tokens.cached - tokens.written,
        cacheReadInputTokens: tokens.cached,
        cacheWriteInputTokens: tokens.written,
        outputTokens: tokens.output,
        totalTokens: tokens.input + tokens.output
      },
      metrics: { latencyMs: 1 }
    })
  ]
})

const blocks = (body: Body, key: string): Array<Body> =>
  body.messages.flatMap(({ content }: Body) => content.flatMap((block: Body) => (key in block ? [block[key]] : [])))

export const dialect: Dialect = {
  provider: AmazonBedrock.provider,
  model: "amazon-bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
  environment: (origin, key) => ({
    AWS_ENDPOINT_URL_BEDROCK_RUNTIME: origin,
    AWS_BEARER_TOKEN_BEDROCK: key,
    AWS_REGION: "us-east-1"
  }),
  path: /^\/model\/us\.anthropic\.claude-sonnet-4-5-20250929-v1%3A0\/converse-stream$/,
  keyHeader: "authorization",
  contentType: "application/vnd.amazon.eventstream",
  encode,
  failure: (_, message) => ({ message }),
  overload: (message) => frame("modelStreamErrorException", { message }, "exception"),
  writesArguments: true,
  reasons: true,
  results: (body) => blocks(body, "toolResult").map((result) => JSON.stringify(result)),
  signatures: (body) => blocks(body, "reasoningContent").map(({ reasoningText }) => String(reasoningText?.signature)),
  tools: (body) => body.toolConfig.tools.flatMap(({ toolSpec }: Body) => (toolSpec === undefined ? [] : [toolSpec])),
  countsWritten: true,
  limit: (body) => body.inferenceConfig?.maxTokens
}

/** Anthropic's Messages and Google's Gemini on loopback, answered in order from one script. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import type { Call } from "./ModelServer.ts"

export type Answer =
  | { readonly text: string }
  | { readonly call: Call }
  | { readonly status: number; readonly message: string }

export interface Request {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export interface Provider {
  readonly model: string
  readonly key: string
  readonly environment: (origin: string) => Readonly<Record<string, string>>
  readonly path: RegExp
  readonly keyHeader: string
  readonly failure: (status: number, message: string) => unknown
  readonly events: (answer: Exclude<Answer, { readonly status: number }>) => ReadonlyArray<{ readonly type?: string }>
}

export const anthropic: Provider = {
  model: "anthropic/claude-sonnet-4-5",
  key: "key-of-anthropic-4711",
  environment: (origin) => ({ ANTHROPIC_BASE_URL: origin, ANTHROPIC_API_KEY: anthropic.key }),
  path: /^\/v1\/messages$/,
  keyHeader: "x-api-key",
  failure: (_, message) => ({ type: "error", error: { type: "any_error", message } }),
  events: (answer) => {
    const [start, delta] =
      "text" in answer
        ? [
            { type: "text", text: "" },
            { type: "text_delta", text: answer.text }
          ]
        : [
            { type: "tool_use", id: "toolu_1", name: answer.call.name, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(answer.call.arguments) }
          ]
    const message = { id: "msg_1", type: "message", role: "assistant", model: "claude", content: [] }
    return [
      {
        type: "message_start",
        message: { ...message, stop_reason: null, stop_sequence: null, usage: { input_tokens: 10, output_tokens: 1 } }
      },
      { type: "content_block_start", index: 0, content_block: start },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: "text" in answer ? "end_turn" : "tool_use", stop_sequence: null },
        usage: { output_tokens: 5 }
      },
      { type: "message_stop" }
    ] as ReadonlyArray<{ readonly type: string }>
  }
}

export const google: Provider = {
  model: "google/gemini-2.5-flash",
  key: "key-of-google-4711",
  environment: (origin) => ({ GOOGLE_GENERATIVE_AI_BASE_URL: origin, GOOGLE_GENERATIVE_AI_API_KEY: google.key }),
  path: /^\/v1beta\/models\/gemini-2\.5-flash:streamGenerateContent\?alt=sse$/,
  keyHeader: "x-goog-api-key",
  failure: (code, message) => ({ error: { code, message, status: "FAILED" } }),
  events: (answer) => {
    const part =
      "text" in answer
        ? { text: answer.text }
        : { functionCall: { id: "call_1", name: answer.call.name, args: answer.call.arguments } }
    return [
      { candidates: [{ index: 0, content: { role: "model", parts: [part] } }] },
      {
        candidates: [{ index: 0, content: { role: "model", parts: [{ text: "" }] }, finishReason: "STOP" }],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
      }
    ] as ReadonlyArray<object>
  }
}

export interface ProviderServer {
  readonly env: Readonly<Record<string, string>>
  readonly requests: ReadonlyArray<Request>
}

/** Answers the requests in order; one too many is answered with 500. */
export const withProvider = async <A>(
  provider: Provider,
  script: ReadonlyArray<Answer>,
  use: (server: ProviderServer) => Promise<A>
): Promise<A> => {
  const requests: Array<Request> = []
  const server = createServer((incoming, response) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => void chunks.push(chunk))
    incoming.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8")
      const index = requests.push({ path: incoming.url ?? "", headers: incoming.headers, body }) - 1
      const answer = script[index] ?? { status: 500, message: `no answer ${index} in the script` }
      if ("status" in answer) {
        response.writeHead(answer.status, { "content-type": "application/json" })
        return response.end(JSON.stringify(provider.failure(answer.status, answer.message)))
      }
      response.writeHead(200, { "content-type": "text/event-stream" })
      for (const event of provider.events(answer)) {
        response.write(`${event.type === undefined ? "" : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`)
      }
      return response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await use({ env: provider.environment(`http://127.0.0.1:${port}`), requests })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

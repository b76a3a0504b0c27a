/** A model behind HTTP on loopback: chat completions as OpenAI streams them, answered in order from a script. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Call {
  readonly name: string
  readonly arguments: unknown
}

/**
 * One answer: words, then calls once `after` has come; a failure of the server; a stream that begins and then stands
 * still, or breaks off.
 */
export type Answer =
  | { readonly text: string; readonly calls?: ReadonlyArray<Call>; readonly after?: Promise<void> }
  | { readonly status: number; readonly message: string }
  | { readonly hangAfter: string }
  | { readonly cutAfter: string }

export interface Request {
  readonly model: string
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>
  readonly tools?: ReadonlyArray<{ readonly function: { readonly name: string; readonly parameters: unknown } }>
}

export interface ModelServer {
  readonly env: Readonly<Record<string, string>>
  /** Every request so far, parsed. */
  readonly requests: ReadonlyArray<Request>
  readonly bodies: ReadonlyArray<string>
  readonly paths: ReadonlyArray<string>
}

export const model = "openai-compatible/scripted"

/** Answers the requests in order; one too many is answered with 500. */
export const withModel = async <A>(
  script: ReadonlyArray<Answer>,
  use: (server: ModelServer) => Promise<A>
): Promise<A> => {
  const requests: Array<Request> = []
  const bodies: Array<string> = []
  const paths: Array<string> = []
  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(incoming)
    paths.push(incoming.url ?? "")
    bodies.push(body)
    const index = requests.push(JSON.parse(body) as Request) - 1
    await answer(response, script[index] ?? { status: 500, message: `no answer ${index} in the script` })
  }
  const server = createServer((incoming, response) => {
    void respond(incoming, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  try {
    const env = { OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`, BOUGH_MODEL: model }
    return await use({ env, requests, bodies, paths })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const bodyOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const answer = async (response: ServerResponse, said: Answer): Promise<void> => {
  if ("status" in said) {
    response.writeHead(said.status, { "content-type": "application/json" })
    return void response.end(JSON.stringify({ error: { message: said.message } }))
  }
  response.writeHead(200, { "content-type": "text/event-stream" })
  const send = (delta: unknown, finish: string | null = null): void =>
    void response.write(
      `data: ${JSON.stringify({ id: "chat", object: "chat.completion.chunk", created: 0, model: "scripted", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
    )
  if ("hangAfter" in said) return send({ role: "assistant", content: said.hangAfter })
  if ("cutAfter" in said) {
    send({ role: "assistant", content: said.cutAfter })
    return void setImmediate(() => response.destroy())
  }
  // In two pieces, as a stream comes.
  const middle = Math.ceil(said.text.length / 2)
  if (said.text !== "") {
    send({ role: "assistant", content: said.text.slice(0, middle) })
    send({ content: said.text.slice(middle) })
  }
  await said.after
  const calls = said.calls ?? []
  for (const [index, { arguments: given, name }] of calls.entries()) {
    const text = typeof given === "string" ? given : JSON.stringify(given)
    send({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name, arguments: "" } }] })
    send({ tool_calls: [{ index, function: { arguments: text } }] })
  }
  send({}, calls.length > 0 ? "tool_calls" : "stop")
  response.write(
    `data: ${JSON.stringify({ id: "chat", object: "chat.completion.chunk", created: 0, model: "scripted", choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })}\n\n`
  )
  response.end("data: [DONE]\n\n")
}

/** A model behind HTTP on loopback: chat completions as OpenAI streams them, answered in order from a script. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Call {
  readonly name: string
  readonly arguments: unknown
}

/**
 * One answer: words, then calls once `after` has completed; a failure of the server; a web page, as of a proxy; a
 * stream that starts and then stalls, or breaks off.
 */
export type Answer =
  | {
      readonly text: string
      /** The reasoning that precedes the text. */
      readonly reasoning?: string
      readonly calls?: ReadonlyArray<Call>
      readonly after?: Promise<void>
      /** The pause between two words; by default the text comes at once, in two pieces. */
      readonly wordMillis?: number
      readonly usage?: Usage
    }
  | { readonly status: number; readonly message: string }
  | { readonly page: string }
  | { readonly hangAfter: string }
  | { readonly cutAfter: string }

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** The answers in the order of the requests, or a function that answers each. */
export type Script = ReadonlyArray<Answer> | ((request: Request) => Answer)

export const say = (text: string): Answer => ({ text })
export const remove = (path: string): Answer => ({ text: "", calls: [{ name: "delete_path", arguments: { path } }] })

export interface Request {
  readonly model: string
  readonly reasoning_effort?: string
  readonly max_tokens?: number
  /** The messages without the text about the environment, which is in every prompt: `bodies` has it. */
  readonly messages: ReadonlyArray<{ readonly role: string; readonly content: unknown }>
  readonly tools?: ReadonlyArray<{ readonly function: { readonly name: string; readonly parameters: unknown } }>
}

export interface ModelServer {
  readonly env: Readonly<Record<string, string>>
  /** Every request so far, parsed. */
  readonly requests: ReadonlyArray<Request>
  readonly bodies: ReadonlyArray<string>
  readonly paths: ReadonlyArray<string>
  /** The headers of requests for the list of models. */
  readonly lists: ReadonlyArray<IncomingHttpHeaders>
}

export const model = "openai-compatible/scripted"

const withoutEnvironment = (request: Request): Request => ({
  ...request,
  messages: request.messages.filter(({ content }) => !String(content).startsWith('<context source="environment">'))
})

/** The models that the server lists. */
const models = ["scripted", "other:8b"]

/** Answers requests by the script; an additional request is answered with 500. */
export const withModel = async <A>(script: Script, use: (server: ModelServer) => Promise<A>): Promise<A> => {
  const requests: Array<Request> = []
  const bodies: Array<string> = []
  const paths: Array<string> = []
  const lists: Array<IncomingHttpHeaders> = []
  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (incoming.method === "GET") {
      lists.push(incoming.headers)
      return void response.end(JSON.stringify({ data: models.map((id) => ({ id })) }))
    }
    const body = await bodyOf(incoming)
    paths.push(incoming.url ?? "")
    bodies.push(body)
    const request = withoutEnvironment(JSON.parse(body) as Request)
    const index = requests.push(request) - 1
    const answered = typeof script === "function" ? script(request) : script[index]
    await answer(response, answered ?? { status: 500, message: `no answer ${index} in the script` })
  }
  const server = createServer((incoming, response) => {
    void respond(incoming, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  try {
    const env = { OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`, BOUGH_MODEL: model }
    return await use({ env, requests, bodies, paths, lists })
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

const answer = async (response: ServerResponse, messageContent: Answer): Promise<void> => {
  if ("status" in messageContent) {
    response.writeHead(messageContent.status, { "content-type": "application/json" })
    return void response.end(JSON.stringify({ error: { message: messageContent.message } }))
  }
  if ("page" in messageContent)
    return void response.writeHead(200, { "content-type": "text/html" }).end(messageContent.page)
  response.writeHead(200, { "content-type": "text/event-stream" })
  const send = (delta: unknown, finish: string | null = null): void =>
    void response.write(
      `data: ${JSON.stringify({ id: "chat", object: "chat.completion.chunk", created: 0, model: "scripted", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
    )
  if ("hangAfter" in messageContent) return send({ role: "assistant", content: messageContent.hangAfter })
  if ("cutAfter" in messageContent) {
    send({ role: "assistant", content: messageContent.cutAfter })
    return void setImmediate(() => response.destroy())
  }
  const { reasoning, usage = { inputTokens: 10, outputTokens: 5 }, wordMillis } = messageContent
  if (reasoning !== undefined) send({ role: "assistant", reasoning_content: reasoning })
  for (const content of wordMillis === undefined ? halves(messageContent.text) : words(messageContent.text)) {
    send({ role: "assistant", content })
    if (wordMillis !== undefined) await new Promise((resolve) => setTimeout(resolve, wordMillis))
  }
  await messageContent.after
  const calls = messageContent.calls ?? []
  for (const [index, { arguments: callArguments, name }] of calls.entries()) {
    const text = typeof callArguments === "string" ? callArguments : JSON.stringify(callArguments)
    send({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: { name, arguments: "" } }] })
    send({ tool_calls: [{ index, function: { arguments: text } }] })
  }
  send({}, calls.length > 0 ? "tool_calls" : "stop")
  response.write(
    `data: ${JSON.stringify({ id: "chat", object: "chat.completion.chunk", created: 0, model: "scripted", choices: [], usage: reported(usage) })}\n\n`
  )
  response.end("data: [DONE]\n\n")
}

const halves = (text: string): ReadonlyArray<string> => {
  const middle = Math.ceil(text.length / 2)
  return text === "" ? [] : [text.slice(0, middle), text.slice(middle)]
}

const words = (text: string): ReadonlyArray<string> => text.match(/\s*\S+|\s+$/gu) ?? []

const reported = ({ inputTokens, outputTokens }: Usage) => ({
  prompt_tokens: inputTokens,
  completion_tokens: outputTokens,
  total_tokens: inputTokens + outputTokens
})

/**
 * A scripted model behind HTTP on this machine: chat completions as OpenAI streams them, with the arrival time of each
 * request and the end time of each answer.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { check, CheckFailed } from "./Check.ts"

export interface Call {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

/**
 * A call of one tool and other calls in the same reply, or the final text. `writtenMillis`: the time between the first
 * tool's name and its arguments; default: none.
 */
export type ServedAnswer =
  | { readonly call: Call; readonly alongside?: ReadonlyArray<Call>; readonly writtenMillis?: number }
  | { readonly text: string }

/** The parts of a request's message that the benchmarks read. */
export interface Message {
  readonly role: string
  readonly content: unknown
}

export interface Request {
  readonly messages: ReadonlyArray<Message>
  readonly tools?: ReadonlyArray<{ readonly function: { readonly name: string } }>
}

export interface Exchange {
  /** The time at which the first bytes of the request were parsed, on the clock of `performance.now()`. */
  readonly arrivedAtMillis: number
  readonly body: string
  /** The time just before the last part of the answer was passed to the system. */
  readonly answeredAtMillis: number
}

export interface Script {
  /** Returns the answer to request `index`, from 0. Throws CheckFailed if the request is not the expected one. */
  readonly answer: (index: number, request: Request) => ServedAnswer
  /** Called when a request arrives, before any other work. */
  readonly onRequest?: () => void
}

export interface PlayedScript {
  readonly exchanges: ReadonlyArray<Exchange>
  /** The first error; null if there was none. */
  readonly fault: Error | null
}

export interface ModelServer {
  readonly port: number
  readonly baseUrl: string
  /** Answers later requests by this script; the returned list grows with them. */
  readonly play: (script: Script) => PlayedScript
  readonly close: () => Promise<void>
}

export const open = async (): Promise<ModelServer> => {
  let script: Script | null = null
  let played: { exchanges: Array<Exchange>; fault: Error | null } = { exchanges: [], fault: null }

  const respond = async (request: IncomingMessage, response: ServerResponse, arrivedAtMillis: number) => {
    check(script !== null, "a request came though nothing runs")
    const { answer, onRequest } = script
    onRequest?.()
    check(
      request.method === "POST" && request.url === "/v1/chat/completions",
      `unexpected ${request.method} ${request.url}`
    )
    const body = await bodyOf(request)
    const reply = answer(played.exchanges.length, JSON.parse(body) as Request)
    const [begun, ...rest] = eventsOf(reply, played.exchanges.length)
    const isWritten = "call" in reply && reply.writtenMillis !== undefined
    response.writeHead(200, { "content-type": "text/event-stream" })
    if (isWritten) {
      response.write(begun)
      await sleep(reply.writtenMillis)
    }
    // The time is read before the write, which may wake the client before it returns. An error thus makes the step look
    // slower, not faster.
    played.exchanges.push({ arrivedAtMillis, body, answeredAtMillis: performance.now() })
    response.end((isWritten ? rest : [begun, ...rest]).join(""))
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const arrivedAtMillis = performance.now()
    respond(request, response, arrivedAtMillis).catch((error: unknown) => {
      played.fault ??= error instanceof Error ? error : new CheckFailed(String(error))
      response.writeHead(400, { "content-type": "application/json" })
      response.end(JSON.stringify({ error: { message: played.fault.message } }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    play: (next) => {
      script = next
      played = { exchanges: [], fault: null }
      return played
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = ""
  for await (const chunk of request.setEncoding("utf8")) body += chunk as string
  return body
}

/**
 * Returns the events of the stream as text: the call's name, its arguments in two fragments, the end, and the usage.
 */
const eventsOf = (answer: ServedAnswer, index: number): ReadonlyArray<string> => {
  const chunks =
    "text" in answer
      ? [choice({ role: "assistant", content: answer.text }, "stop")]
      : [
          ...[answer.call, ...(answer.alongside ?? [])].flatMap((call, at) => callChunks(call, { index, at })),
          choice({}, "tool_calls")
        ]
  const usage = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 } }
  return [...chunks, usage]
    .map((chunk) => `data: ${JSON.stringify({ ...envelope(index), ...chunk })}\n\n`)
    .concat("data: [DONE]\n\n")
}

/** `at`: the position of the call in its reply. */
const callChunks = (
  call: Call,
  { at, index }: { readonly index: number; readonly at: number }
): ReadonlyArray<object> => {
  const text = JSON.stringify(call.arguments)
  const half = Math.floor(text.length / 2)
  const id = `call_${index}_${at}`
  return [
    choice({
      role: "assistant",
      tool_calls: [{ index: at, id, type: "function", function: { name: call.name, arguments: "" } }]
    }),
    choice({ tool_calls: [{ index: at, function: { arguments: text.slice(0, half) } }] }),
    choice({ tool_calls: [{ index: at, function: { arguments: text.slice(half) } }] })
  ]
}

const choice = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }]
})

const envelope = (index: number) => ({
  id: `completion_${index}`,
  object: "chat.completion.chunk",
  created: 0,
  model: "scripted"
})

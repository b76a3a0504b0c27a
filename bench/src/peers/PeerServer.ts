/**
 * A scripted model behind HTTP on this machine, in any provider's dialect. An agent's own requests declare tools; other
 * requests, such as one for a title, get a short text and are not counted.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { Dialect, ReplyPart } from "../../../packages/models/test/wire/Dialect.ts"
import type { ToolCall } from "./Peer.ts"

/** A call, or the final text. */
export type Answer = ToolCall | string

export interface Exchange {
  /** When the request's first bytes were parsed, on the clock of `performance.now()`. */
  readonly arrivedAtMillis: number
  readonly body: string
  /** When the answer was passed to the system. */
  readonly answeredAtMillis: number
}

export interface Script {
  readonly dialect: Dialect
  /** Returns the answer to the agent's request `index`, from 0. */
  readonly answer: (index: number) => Answer
  /** Called when a request of the agent arrives, before any other work. */
  readonly onRequest?: () => void
}

export interface PeerServer {
  readonly origin: string
  /** Answers later requests by this script; the returned list grows with them. */
  readonly play: (script: Script) => ReadonlyArray<Exchange>
  readonly close: () => void
}

const tokens = { input: 1000, cached: 0, written: 0, output: 50 }

const saidOf = (answer: Answer, index: number): ReplyPart =>
  typeof answer === "string"
    ? { is: "text", text: answer }
    : { is: "call", id: `call_${index}`, name: answer.name, fragments: [JSON.stringify(answer.arguments)] }

const streamOf = (dialect: Dialect, answer: Answer, index: number): Buffer => {
  const ends = typeof answer === "string" ? "stop" : "calls"
  const { body, closing } = dialect.encode({ said: [saidOf(answer, index)], ends, tokens })
  return Buffer.concat([...body, ...closing].map((chunk) => Buffer.from(chunk)))
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = ""
  for await (const chunk of request.setEncoding("utf8")) body += chunk as string
  return body
}

const declaresTools = (body: string): boolean => {
  const request: unknown = JSON.parse(body)
  const tools = typeof request === "object" && request !== null && "tools" in request ? request.tools : []
  return Array.isArray(tools) && tools.length > 0
}

export const open = async (): Promise<PeerServer> => {
  let script: Script | null = null
  let exchanges: Array<Exchange> = []

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const arrivedAtMillis = performance.now()
    const { pathname } = new URL(request.url ?? "/", "http://localhost")
    if (script === null || request.method !== "POST" || !script.dialect.path.test(pathname)) {
      response.writeHead(404, { "content-type": "application/json" })
      response.end('{"error":{"message":"not here"}}')
      return
    }
    const { answer, dialect, onRequest } = script
    const body = await bodyOf(request)
    const isOwn = declaresTools(body)
    if (isOwn) onRequest?.()
    const stream = streamOf(dialect, isOwn ? answer(exchanges.length) : "A title", exchanges.length)
    response.writeHead(200, { "content-type": dialect.contentType })
    if (isOwn) exchanges.push({ arrivedAtMillis, body, answeredAtMillis: performance.now() })
    response.end(stream)
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    play: (next) => {
      script = next
      exchanges = []
      return exchanges
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

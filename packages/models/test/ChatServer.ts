/** A server on loopback that speaks OpenAI's chat completions as a test tells it to, over real sockets. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as http from "node:http"
import type { AddressInfo, Socket } from "node:net"

export interface Received {
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: {
    readonly model: string
    readonly messages: ReadonlyArray<Record<string, unknown>>
    readonly tools?: ReadonlyArray<Record<string, unknown>>
    readonly stream_options?: unknown
  }
}

/** Answers one request. `received` is the request, `index` counts from 0. */
export type Answer = (response: http.ServerResponse, received: Received, index: number) => void

export interface Server {
  readonly baseUrl: string
  readonly received: ReadonlyArray<Received>
  /** Bodies as they came. */
  readonly texts: ReadonlyArray<string>
  readonly connections: () => number
  /** Done when the socket of the first request that was answered by `hang` is closed by the client. */
  readonly hangClosed: Effect.Effect<void>
  /** Done when the written part of a hanging answer has been sent. */
  readonly hanging: Deferred.Deferred<void>
}

export const start = (answer: Answer) =>
  Effect.acquireRelease(
    Effect.callback<Server & { readonly close: () => void }>((resume) => {
      const received: Array<Received> = []
      const texts: Array<string> = []
      const closed = Deferred.makeUnsafe<void>()
      const hanging = Deferred.makeUnsafe<void>()
      const sockets = new Set<Socket>()
      let connections = 0
      const server = http.createServer((request, response) => {
        let text = ""
        request.setEncoding("utf8")
        request.on("data", (chunk: string) => {
          text += chunk
        })
        request.on("end", () => {
          const body = text === "" ? {} : JSON.parse(text)
          const item = { path: request.url ?? "", headers: request.headers, body } as Received
          texts.push(text)
          const index = received.push(item) - 1
          answer(response, item, index)
          if (!response.writableEnded && !response.destroyed) Deferred.doneUnsafe(hanging, Effect.void)
        })
      })
      server.on("connection", (socket) => {
        connections++
        sockets.add(socket)
        socket.once("close", () => Deferred.doneUnsafe(closed, Effect.void))
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(
          Effect.succeed({
            baseUrl: `http://127.0.0.1:${port}/v1`,
            received,
            texts,
            connections: () => connections,
            hangClosed: Deferred.await(closed),
            hanging,
            close: () => {
              server.close()
              for (const socket of sockets) socket.destroy()
            }
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** The body of an event stream; objects are sent as JSON, text unchanged. */
export const events =
  (chunks: ReadonlyArray<unknown>): Answer =>
  (response) => {
    begin(response)
    for (const chunk of chunks) send(response, chunk)
    response.end("data: [DONE]\n\n")
  }

/** Sends the parts, then drops the connection without an end. */
export const cutAfter =
  (chunks: ReadonlyArray<unknown>): Answer =>
  (response) => {
    begin(response)
    for (const chunk of chunks) send(response, chunk)
    response.write(`data: {"choices":[{"del`, () => response.destroy())
  }

/** Sends the parts, then sends nothing more. */
export const hangAfter =
  (chunks: ReadonlyArray<unknown>): Answer =>
  (response) => {
    begin(response)
    for (const chunk of chunks) send(response, chunk)
  }

export const status =
  (code: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    const text = typeof body === "string" ? body : JSON.stringify(body)
    const type = typeof body === "string" ? "text/html; charset=utf-8" : "application/json"
    response.writeHead(code, { "content-type": type, ...headers })
    response.end(text)
  }

/** One answer after the other, the last one from then on. */
export const inTurn =
  (answers: ReadonlyArray<Answer>): Answer =>
  (response, received, index) =>
    answers[Math.min(index, answers.length - 1)](response, received, index)

export const delta = (delta: Record<string, unknown>, finish: string | null = null) => ({
  id: "chat-1",
  model: "tiny",
  choices: [{ index: 0, delta, finish_reason: finish }]
})

export const call = (index: number, fields: { id?: string; name?: string; arguments?: string }) =>
  delta({
    tool_calls: [
      {
        index,
        ...(fields.id === undefined ? {} : { id: fields.id, type: "function" }),
        function: {
          ...(fields.name === undefined ? {} : { name: fields.name }),
          ...(fields.arguments === undefined ? {} : { arguments: fields.arguments })
        }
      }
    ]
  })

export const usage = (prompt: number, completion: number, cached = 0) => ({
  id: "chat-1",
  choices: [],
  usage: { prompt_tokens: prompt, completion_tokens: completion, prompt_tokens_details: { cached_tokens: cached } }
})

const begin = (response: http.ServerResponse) => {
  response.writeHead(200, { "content-type": "text/event-stream" })
}

const send = (response: http.ServerResponse, chunk: unknown) => {
  response.write(typeof chunk === "string" ? chunk : `data: ${JSON.stringify(chunk)}\n\n`)
}

/** Answers of a scripted server in any dialect, and the provider that is connected to it. */
import type { Model } from "@bough/runtime"
import * as Effect from "effect/Effect"
import type * as http from "node:http"
import type { Effort } from "../../src/Effort.ts"
import type { Price } from "../../src/Price.ts"
import * as Retry from "../../src/Retry.ts"
import * as ChatServer from "../ChatServer.ts"
import type { Body, Chunk, Dialect, Reply, ReplyPart, Stream, Tokens } from "./Dialect.ts"

export const key = "sk-not-to-be-shown"
export const price: Price = {
  inputPerMillionUsd: 10,
  cachedInputPerMillionUsd: 1,
  writtenInputPerMillionUsd: 20,
  outputPerMillionUsd: 100
}
export const tokens: Tokens = { input: 1000, cached: 600, written: 0, output: 50 }

export const says = (...said: ReadonlyArray<ReplyPart>): Reply => ({
  said,
  ends: said.some(({ is }) => is === "call") ? "calls" : "stop",
  tokens
})

export const text = (text: string): ReplyPart => ({ is: "text", text })

/** A call, its arguments in two fragments if the dialect allows. */
export const call = (id: string, name: string, args: unknown): Extract<ReplyPart, { readonly is: "call" }> => {
  const written = typeof args === "string" ? args : JSON.stringify(args)
  return { is: "call", id, name, fragments: [written.slice(0, 4), written.slice(4)] }
}

const write = (response: http.ServerResponse, dialect: Dialect, chunks: ReadonlyArray<Chunk>): void => {
  response.writeHead(200, { "content-type": dialect.contentType })
  for (const chunk of chunks) response.write(chunk)
}

const whole = ({ body, closing }: Stream): ReadonlyArray<Chunk> => [...body, ...closing]

export type Answerable = Reply | ChatServer.Answer

/** One after the other, the last one from then on; a reply is sent in full. */
export const inTurn = (dialect: Dialect, answers: ReadonlyArray<Answerable>): ChatServer.Answer =>
  ChatServer.inTurn(answers.map((each) => (typeof each === "function" ? each : answer(dialect, each))))

export const answer =
  (dialect: Dialect, reply: Reply): ChatServer.Answer =>
  (response) => {
    write(response, dialect, whole(dialect.encode(reply)))
    response.end()
  }

/** How an answer is cut: the connection is dropped, it ends as if it were complete, or it ends inside an event. */
export const cuts = ["dropped", "ended", "torn"] as const

export const cut =
  (dialect: Dialect, how: (typeof cuts)[number], reply: Reply): ChatServer.Answer =>
  (response) => {
    const { body, closing } = dialect.encode(reply)
    write(response, dialect, how === "torn" ? [...body, closing[0].slice(0, closing[0].length / 2)] : body)
    // Once the written part has been sent: dropping pending data would cut at another position.
    if (how === "dropped") response.write("", () => response.destroy())
    else response.end()
  }

/** Text without an end, written as long as a client reads it. */
export const endless =
  (dialect: Dialect): ChatServer.Answer =>
  (response) => {
    const [first, ...rest] = dialect.encode(says({ is: "text", text: "on and on ", open: true })).body
    response.writeHead(200, { "content-type": dialect.contentType })
    response.write(first)
    const more = () => {
      if (response.destroyed) return
      for (const chunk of rest.length === 0 ? [first] : rest.slice(-1)) response.write(chunk)
      setImmediate(more)
    }
    for (const chunk of rest) response.write(chunk)
    more()
  }

export const failure = (dialect: Dialect, status: number, message: string, headers: Record<string, string> = {}) =>
  ChatServer.status(status, dialect.failure(status, message), headers)

/** The model at a server of this origin, without retries. */
export type ModelAt = (origin: string) => Effect.Effect<Model.Model["Service"], Model.ModelError>

/** A server with this answer, and the model there, without retries. */
export const connect = Effect.fnUntraced(function* (modelAt: ModelAt, answer: ChatServer.Answer) {
  const server = yield* ChatServer.start(answer)
  const model = yield* modelAt(new URL(server.baseUrl).origin)
  const bodies = (): ReadonlyArray<Body> => server.received.map(({ body }) => body)
  return { server, model, retrying: Retry.withRetries(model, 2), bodies }
})

export interface Chosen {
  /** Default: the dialect's. */
  readonly name?: string
  readonly effort?: Effort
}

export const modelAt = (dialect: Dialect, origin: string, { effort, name = dialect.model }: Chosen = {}) =>
  dialect.provider.make({
    name,
    model: name.slice(name.indexOf("/") + 1),
    effort: effort ?? null,
    environment: dialect.environment(origin, key),
    price,
    contextTokens: null
  })

/**
 * One JSON-RPC connection to a server process: requests that can be interrupted, notifications, and the server's own
 * requests. Each message is handled when it arrives, so that a server cannot fill a queue.
 */
import { SessionProcess } from "@bough/tool"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { Buffer } from "node:buffer"
import { Frames } from "./Frames.ts"
import { plainLine } from "./Replies.ts"

/** The server did not answer, or answered with an error. The message is a sentence. */
export class RequestFailed extends Schema.TaggedError<RequestFailed>()("LanguageServerRequestFailed", {
  message: Schema.String
}) {}

export interface Rpc {
  /** Sends a request; an interruption cancels it. Fails if the process ends first. */
  readonly request: (method: string, params: object) => Effect.Effect<unknown, RequestFailed>
  readonly notify: (method: string, params: object) => void
  /** Completes with the reason when the process has ended. */
  readonly ended: Effect.Effect<string>
  readonly hasEnded: () => boolean
}

export interface RpcHandlers {
  readonly onNotification: (method: string, params: unknown) => void
  /** Answers the server's own requests by method; other methods are refused. */
  readonly answers: Readonly<Record<string, (params: unknown) => unknown>>
}

const maxErrorLength = 2000
/** "Method not found" in JSON-RPC. */
const methodNotFound = -32_601

type ResumeRequest = (answer: Effect.Effect<unknown, RequestFailed>) => void

/** Starts the process, which runs until the scope closes. */
export const open = Effect.fnUntraced(function* (
  start: SessionProcess.Start,
  program: SessionProcess.Program,
  { answers, onNotification }: RpcHandlers
) {
  const ended = yield* Deferred.make<string>()
  const processScope = yield* Scope.fork(yield* Effect.scope)
  /** The requests that the server has not answered, by id. */
  const waiting = new Map<unknown, ResumeRequest>()
  let lastId = 0
  let errorOutput = ""
  let isOver = false
  let write: (text: string) => void = () => {}
  const end = (reason: string): void => {
    if (isOver) return
    isOver = true
    const errorLine = plainLine(SessionProcess.findErrorLine(errorOutput), 300)
    Deferred.doneUnsafe(ended, Effect.succeed(errorLine === "" ? reason : `${reason}: ${errorLine}`))
  }
  const send = (message: object): void => {
    if (isOver) return
    const text = JSON.stringify({ jsonrpc: "2.0", ...message })
    write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  const answer = (id: unknown, method: string, params: unknown): void => {
    const respond = Object.hasOwn(answers, method) ? answers[method] : undefined
    send(
      respond === undefined
        ? { id, error: { code: methodNotFound, message: "this method is not supported" } }
        : { id, result: respond(params) ?? null }
    )
  }
  const take = (message: unknown): void => {
    if (isOver || message === null || typeof message !== "object") return
    const { error, id, method, params, result } = message as Message
    if (typeof method === "string") {
      if (id === undefined) onNotification(method, params)
      else answer(id, method, params)
      return
    }
    const resume = waiting.get(id)
    waiting.delete(id)
    resume?.(
      error === undefined || error === null
        ? Effect.succeed(result)
        : Effect.fail(new RequestFailed({ message: messageOf(error) }))
    )
  }
  const frames = new Frames({
    onMessage: take,
    onFault: (reason) => {
      end(reason)
      Effect.runFork(Scope.close(processScope, Exit.void))
    }
  })
  const process = yield* start(program, {
    onOutput: (stream, text) => {
      if (stream === "stdout") frames.take(text)
      else errorOutput = (errorOutput + text).slice(-maxErrorLength)
    },
    onEnd: end
  }).pipe(
    Effect.mapError(({ message }) => new RequestFailed({ message })),
    Effect.provideService(Scope.Scope, processScope)
  )
  write = process.write
  const rpc: Rpc = {
    request: (method, params) =>
      Effect.raceFirst(
        Effect.callback<unknown, RequestFailed>((resume) => {
          const id = (lastId += 1)
          waiting.set(id, resume)
          send({ id, method, params })
          return Effect.sync(() => {
            if (waiting.delete(id)) send({ method: "$/cancelRequest", params: { id } })
          })
        }),
        Effect.flatMap(Deferred.await(ended), (reason) => Effect.fail(new RequestFailed({ message: reason })))
      ),
    notify: (method, params) => send({ method, params }),
    ended: Deferred.await(ended),
    hasEnded: () => isOver
  }
  return rpc
})

/** The members of a message. A server may give each any value. */
interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

const messageOf = (error: unknown): string => {
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : error
  return plainLine(typeof message === "string" ? message : "", 500) || "it answered with an error"
}

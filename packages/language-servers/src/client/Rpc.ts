/** One connection to a server process: requests that can be interrupted, notifications, and the server's own requests. */
import { SessionProcess } from "@bough/tool"
import { Buffer } from "node:buffer"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { Frames } from "./Frames.ts"
import { plainLine } from "./Replies.ts"
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  CancellationTokenSource,
  createMessageConnection,
  type DataCallback,
  type Message
} from "vscode-jsonrpc/node"

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

class Reader extends AbstractMessageReader {
  #callback: DataCallback | null = null

  listen(callback: DataCallback): { readonly dispose: () => void } {
    this.#callback = callback
    return { dispose: () => (this.#callback = null) }
  }

  /** Forwards an object; the connection ignores any object that is not a JSON-RPC message. */
  took(message: unknown): void {
    if (message !== null && typeof message === "object" && !Array.isArray(message)) this.#callback?.(message as Message)
  }
}

class Writer extends AbstractMessageWriter {
  readonly #write: (text: string) => void

  constructor(write: (text: string) => void) {
    super()
    this.#write = write
  }

  write(message: Message): Promise<void> {
    const text = JSON.stringify(message)
    this.#write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
    return Promise.resolve()
  }

  end(): void {}
}

const keptComplaintLength = 2000
const silent = { error: () => {}, warn: () => {}, info: () => {}, log: () => {} }

/** Starts the process, which runs until the scope closes. */
export const open = Effect.fnUntraced(function* (
  start: SessionProcess.Start,
  program: SessionProcess.Program,
  handlers: RpcHandlers
) {
  const ended = yield* Deferred.make<string>()
  const processScope = yield* Scope.fork(yield* Effect.scope)
  const reader = new Reader()
  let complaint = ""
  let isOver = false
  const end = (how: string): void => {
    if (isOver) return
    isOver = true
    const complaintLine = plainLine(SessionProcess.complaintIn(complaint), 300)
    Deferred.doneUnsafe(ended, Effect.succeed(complaintLine === "" ? how : `${how}: ${complaintLine}`))
  }
  const frames = new Frames({
    onMessage: (message) => reader.took(message),
    onFault: (why) => {
      end(why)
      Effect.runFork(Scope.close(processScope, Exit.void))
    }
  })
  const process = yield* start(program, {
    onOutput: (stream, text) => {
      if (stream === "stdout") frames.take(text)
      else complaint = (complaint + text).slice(-keptComplaintLength)
    },
    onEnd: end
  }).pipe(
    Effect.mapError(({ message }) => new RequestFailed({ message })),
    Effect.provideService(Scope.Scope, processScope)
  )
  const connection = createMessageConnection(reader, new Writer(process.write), silent)
  for (const [method, answer] of Object.entries(handlers.answers)) connection.onRequest(method, answer)
  connection.onNotification((method: string, params: unknown) => handlers.onNotification(method, params))
  connection.listen()
  yield* Effect.addFinalizer(() => Effect.sync(() => connection.dispose()))
  const rpc: Rpc = {
    request: (method, params) =>
      Effect.raceFirst(
        Effect.callback<unknown, RequestFailed>((resume) => {
          const cancelling = new CancellationTokenSource()
          connection.sendRequest(method, params, cancelling.token).then(
            (answer: unknown) => resume(Effect.succeed(answer)),
            (cause: unknown) => resume(Effect.fail(new RequestFailed({ message: messageOf(cause) })))
          )
          return Effect.sync(() => cancelling.cancel())
        }),
        Effect.flatMap(Deferred.await(ended), (how) => Effect.fail(new RequestFailed({ message: how })))
      ),
    notify: (method, params) => {
      if (!isOver) void connection.sendNotification(method, params).catch(() => {})
    },
    ended: Deferred.await(ended),
    hasEnded: () => isOver
  }
  return rpc
})

const messageOf = (cause: unknown): string =>
  plainLine(cause instanceof Error ? cause.message : String(cause), 500) || "it answered with an error"

/** JSON-RPC 2.0 in both directions over two streams, one message a line. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"

export class RpcError extends Schema.TaggedError<RpcError>()("RpcError", {
  code: Schema.Int,
  message: Schema.String
}) {}

export const unknownMethod = (method: string) => new RpcError({ code: -32_601, message: `no method ${method}` })
export const wrongParameters = (message: string) => new RpcError({ code: -32_602, message })
export const internalError = (message: string) => new RpcError({ code: -32_603, message })

export interface Streams {
  readonly stdin: Readable
  readonly stdout: Writable
}

export interface Connection {
  /** Sends a request and waits for its result. */
  readonly request: (method: string, params: unknown) => Effect.Effect<unknown, RpcError>
  readonly notify: (method: string, params: unknown) => void
}

export interface Handlers<R> {
  readonly request: (method: string, params: unknown) => Effect.Effect<unknown, RpcError, R>
  readonly notification: (method: string, params: unknown) => void
}

const Message = Schema.fromJsonString(
  Schema.Struct({
    id: Schema.optionalKey(Schema.Union([Schema.Finite, Schema.String, Schema.Null])),
    method: Schema.optionalKey(Schema.String),
    params: Schema.optionalKey(Schema.Unknown),
    result: Schema.optionalKey(Schema.Unknown),
    error: Schema.optionalKey(Schema.Struct({ code: Schema.Finite, message: Schema.String }))
  })
)
type Message = typeof Message.Type

/** Serves requests, each in a fiber of its own, until the input ends; running requests are then interrupted. */
export const serve = Effect.fnUntraced(function* <R>(
  { stdin, stdout }: Streams,
  handlersOf: (connection: Connection) => Handlers<R>
) {
  const services = yield* Effect.context<R>()
  const running = new Set<Fiber.Fiber<void>>()
  const waiting = new Map<number, (exit: Exit.Exit<unknown, RpcError>) => void>()
  let requests = 0
  const send = (message: object): void => void stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const connection: Connection = {
    request: (method, params) =>
      Effect.callback((resume) => {
        const id = ++requests
        waiting.set(id, (exit) => resume(exit))
        send({ id, method, params })
        return Effect.sync(() => void waiting.delete(id))
      }),
    notify: (method, params) => send({ method, params })
  }
  const handlers = handlersOf(connection)

  const answer = (id: string | number, { method = "", params }: Message): void => {
    const answered = Effect.exit(handlers.request(method, params)).pipe(
      Effect.map((exit) =>
        send(Exit.isSuccess(exit) ? { id, result: exit.value ?? null } : { id, error: errorOf(exit.cause) })
      )
    )
    const fiber = Effect.runForkWith(services)(answered)
    running.add(fiber)
    fiber.addObserver(() => running.delete(fiber))
  }
  const settle = (id: number, { error, result }: Message): void => {
    const resume = waiting.get(id)
    waiting.delete(id)
    resume?.(error === undefined ? Exit.succeed(result) : Exit.fail(new RpcError(withIntegerCode(error))))
  }
  const receive = (line: string): void => {
    if (line.trim() === "") return
    const read = Schema.decodeUnknownOption(Message)(line)
    if (Option.isNone(read))
      return send({ id: null, error: { code: -32_700, message: "the line is not a JSON-RPC message" } })
    const { id, method, params } = read.value
    if (method === undefined) return typeof id === "number" ? settle(id, read.value) : undefined
    if (id === undefined || id === null) return handlers.notification(method, params)
    answer(id, read.value)
  }

  yield* Effect.callback<void>((resume) => {
    const lines = createInterface({ input: stdin, crlfDelay: Infinity })
    lines.on("line", receive)
    lines.once("close", () => resume(Effect.void))
    return Effect.sync(() => lines.close())
  }).pipe(Effect.ensuring(Effect.suspend(() => Fiber.interruptAll([...running]))))
})

const withIntegerCode = ({ code, message }: { readonly code: number; readonly message: string }) => ({
  code: Math.trunc(code),
  message
})

const errorOf = (cause: Cause.Cause<RpcError>): { readonly code: number; readonly message: string } => {
  const error = Option.getOrNull(Cause.findErrorOption(cause))
  if (error !== null) return { code: error.code, message: error.message }
  if (Cause.hasInterruptsOnly(cause)) return { code: -32_800, message: "the request was cancelled" }
  return { code: -32_603, message: `a bug: ${String(Cause.squash(cause))}` }
}

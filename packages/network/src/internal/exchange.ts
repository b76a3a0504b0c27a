/** Sends one request and reads its response, over a new connection that is closed afterwards. */
import type { ToolError } from "@bough/protocol"
import { ToolError as ToolErrors } from "@bough/protocol"
import type { NetworkRead, NetworkWrite } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type IncomingMessage, request as open } from "node:http"
import type { Socket } from "node:net"
import type { AdmittedTarget } from "../Guard.ts"
import type { Limits } from "../Limits.ts"
import * as Body from "./body.ts"
import { connect, unreachable } from "./connection.ts"

export type OutgoingRequest = Pick<NetworkWrite.Request, "method" | "headers" | "body">

const agent = "bough (@bough/network)"

/** `isWanted` checks the head; the body of an unwanted response is not read. */
export const exchange = (
  admitted: AdmittedTarget,
  outgoing: OutgoingRequest,
  { isWanted, limits }: { readonly limits: Limits; readonly isWanted: (head: Head) => boolean }
): Effect.Effect<NetworkRead.Response, ToolError.ToolError> =>
  Effect.scoped(
    Effect.gen(function* () {
      const socket = yield* connect(admitted, limits.connectMillis)
      const answer = yield* withTimeout(limits.answerMillis, answerOf(socket, admitted, outgoing))
      const head = headOf(answer)
      const hasBody = isWanted(head) && outgoing.method !== "HEAD"
      const body = hasBody ? yield* Body.read(answer, limits) : new Uint8Array()
      return { url: admitted.target.url.href, ...head, body }
    })
  )

export type Head = Pick<NetworkRead.Response, "status" | "headers">

/** Fails with a Timeout that contains the elapsed time. */
export const withTimeout = <A, R>(millis: number, effect: Effect.Effect<A, ToolError.ToolError, R>) =>
  Effect.flatMap(Clock.currentTimeMillis, (startedAt) =>
    Effect.timeoutOrElse(effect, {
      duration: millis,
      orElse: () =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.fail(new ToolErrors.Timeout({ elapsedMillis: Math.round(now - startedAt) }))
        )
    })
  )

const answerOf = (
  socket: Socket,
  { target: { host, port, url } }: AdmittedTarget,
  { body, headers, method }: OutgoingRequest
) =>
  Effect.callback<IncomingMessage, ToolError.ToolError>((resume) => {
    const onError = (error: unknown) => resume(Effect.fail(unreachable(`${host}:${port}`, error)))
    const request = open({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      setHost: false,
      headers: {
        host: url.host,
        "user-agent": agent,
        "accept-encoding": Body.codings,
        ...headers,
        ...(body === null ? {} : { "content-length": String(body.length) }),
        connection: "close"
      }
    })
    request.on("error", onError)
    request.once("response", (answer) => {
      // Read errors reach the reader of the body; without a reader they do not matter.
      answer.on("error", () => {})
      resume(Effect.succeed(answer))
    })
    request.end(body ?? undefined)
    return Effect.sync(() => request.destroy())
  })

const headOf = (answer: IncomingMessage): Head => {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(answer.headers)) {
    if (name !== "set-cookie" && value !== undefined) headers[name] = String(value)
  }
  return { status: answer.statusCode ?? 0, headers }
}

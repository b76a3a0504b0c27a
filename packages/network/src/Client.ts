/** Guarded requests: at every hop, the address is parsed, resolved, judged and connected to again. */
import type { ToolError } from "@bough/protocol"
import type { NetworkRead, NetworkWrite, ToolContext } from "@bough/tool"
import type { ReadNotes } from "@bough/tool/ReadNotes"
import * as Effect from "effect/Effect"
import * as Freshness from "./Freshness.ts"
import * as Guard from "./Guard.ts"
import * as Headers from "./Headers.ts"
import { exchange, type Head, withTimeout } from "./internal/exchange.ts"
import type { Limits } from "./Limits.ts"
import { type HostHeaders, operatorHeaders } from "./OperatorHeaders.ts"
import * as Passage from "./Passage.ts"
import * as Refusal from "./Refusal.ts"
import * as Target from "./Target.ts"

export { withTimeout } from "./internal/exchange.ts"

export interface Client {
  readonly guard: Guard.Guard
  readonly limits: Limits
  /** Called before each request and each redirect, before the host is resolved. */
  readonly passage: ToolContext.Passage
  /** The operator's headers for requests that may change data. */
  readonly operatorHeaders: ReadonlyArray<HostHeaders>
  /** Called after a request with these headers was sent, because its response may be only for the operator. */
  readonly onOperatorHeaders: () => void
  /** Records how long responses may be reused; null: they are not reused. */
  readonly reads: ReadNotes | null
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const isRedirect = ({ headers, status }: Head): boolean => redirects.has(status) && headers["location"] !== undefined

/** Sends a GET request and follows redirects. */
export const get = Effect.fnUntraced(function* (
  { guard, limits, passage, reads }: Client,
  url: string,
  options: NetworkRead.GetOptions
): Effect.fn.Return<NetworkRead.Response, ToolError.ToolError> {
  const bounded = { ...limits, maxBytes: Math.min(limits.maxBytes, options.maxBytes ?? limits.maxBytes) }
  let headers = yield* Headers.forRead(options.headers ?? {})
  let target = yield* Effect.fromResult(Target.parse(url))
  yield* Passage.admit(passage, target)
  const follow = Effect.gen(function* () {
    for (let hop = 0; hop <= limits.maxRedirects; hop++) {
      const admitted = yield* Guard.admit(guard, target)
      const response = yield* exchange(
        admitted,
        { method: "GET", headers, body: null },
        { limits: bounded, isWanted: (head) => !isRedirect(head) }
      )
      if (reads !== null) yield* Freshness.note(reads, response)
      if (!isRedirect(response)) return response
      const next = yield* Effect.fromResult(Target.parse(response.headers["location"], target.url))
      yield* Passage.redirect(passage, target, next)
      if (next.url.origin !== target.url.origin) headers = Headers.harmlessHeaders(headers)
      target = next
    }
    return yield* Refusal.fail("TooManyRedirects", `more than ${limits.maxRedirects}, the last to ${target.url.href}`)
  })
  return yield* withTimeout(limits.totalMillis, follow)
})

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"])

/** Sends a request without following redirects, which are returned like any other response. */
export const send = Effect.fnUntraced(function* (
  { guard, limits, onOperatorHeaders, operatorHeaders: configured, passage }: Client,
  request: NetworkWrite.Request
): Effect.fn.Return<NetworkRead.Response, ToolError.ToolError> {
  if (!methods.has(request.method)) {
    return yield* Refusal.deny("Method", `${Refusal.quote(request.method)}; there are ${[...methods].join(", ")}`)
  }
  const headers = yield* Headers.forWrite(request.headers)
  const target = yield* Effect.fromResult(Target.parse(request.url))
  yield* Passage.admit(passage, target)
  const headersFromOperator = yield* Headers.fromOperator(operatorHeaders(configured, guard.listed, target))
  if (Object.keys(headersFromOperator).length > 0) onOperatorHeaders()
  const fullRequest = { ...request, headers: { ...headers, ...headersFromOperator } }
  return yield* withTimeout(limits.totalMillis, sendTo({ guard, limits }, target, fullRequest))
})

/** Sends one request with any headers, for requests that the adapter itself makes. */
export const sendTo = Effect.fnUntraced(function* (
  { guard, limits }: Pick<Client, "guard" | "limits">,
  target: Target.Target,
  request: NetworkWrite.Request
): Effect.fn.Return<NetworkRead.Response, ToolError.ToolError> {
  const admitted = yield* Guard.admit(guard, target)
  return yield* exchange(admitted, request, { limits, isWanted: () => true })
})

/** Sends one request like `sendTo` and returns the status of the response, whose body is not read. */
export const sendForStatus = Effect.fnUntraced(function* (
  { guard, limits }: Pick<Client, "guard" | "limits">,
  target: Target.Target,
  request: NetworkWrite.Request
): Effect.fn.Return<number, ToolError.ToolError> {
  const admitted = yield* Guard.admit(guard, target)
  return (yield* exchange(admitted, request, { limits, isWanted: () => false })).status
})

export const inspect = Effect.fnUntraced(function* (
  { guard, limits, operatorHeaders: configured }: Client,
  url: string
): Effect.fn.Return<NetworkRead.Destination, ToolError.ToolError> {
  const target = yield* Effect.fromResult(Target.parse(url))
  const guarded = yield* withTimeout(limits.totalMillis, Guard.guardOf(guard, target))
  const headerNames = Object.keys(operatorHeaders(configured, guard.listed, target))
  const known = { url: target.url.href, host: target.host, port: target.port, ...guarded }
  return headerNames.length === 0 ? known : { ...known, operatorHeaders: headerNames }
})

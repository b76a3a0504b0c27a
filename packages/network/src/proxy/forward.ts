/** Plain HTTP through the proxy: forwards one request to the host of its URL, without hop-by-hop headers. */
import { RefusalName, type ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type IncomingMessage, request as open, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { unreachable } from "../internal/connection.ts"
import * as Refusal from "../Refusal.ts"
import * as Target from "../Target.ts"
import * as ProxyHosts from "./ProxyHosts.ts"
import type { RequestLog } from "./RequestLog.ts"

/** The parts that both kinds of requests share. */
export interface ForwardContext {
  readonly hosts: ProxyHosts.ProxyHosts
  readonly log: RequestLog
}

export const forward = (
  { hosts, log }: ForwardContext,
  request: IncomingMessage,
  response: ServerResponse
): Effect.Effect<void> => {
  const method = request.method ?? "GET"
  const parsed = targetOf(request)
  const line = log.line(method, Result.isSuccess(parsed) ? `${parsed.success.url.origin}/` : "a request of no host")
  return Effect.scoped(
    Effect.gen(function* () {
      const target = yield* Effect.fromResult(parsed)
      yield* hosts.admit(target, "http")
      const socket = yield* hosts.connect(target)
      const maySend = (bytes: number) => log.send(line, bytes)
      const answer = yield* sendRequest(request, { target, socket, maySend })
      line.status = answer.statusCode ?? 502
      line.refused = null
      response.writeHead(line.status, forwardedHeaders(answer.rawHeaders))
      yield* pipe(answer, response)
    })
  ).pipe(
    Effect.catch((error) =>
      Effect.sync(() => {
        line.refused = ProxyHosts.reasonOf(error)
        if (response.headersSent) return void response.destroy()
        response.writeHead(error._tag === "PermissionDenied" ? 403 : 502, {
          "content-type": "text/plain; charset=utf-8",
          connection: "close"
        })
        response.end(`${RefusalName.withoutName(line.refused)}\n`)
      })
    ),
    Effect.onInterrupt(() => Effect.sync(() => response.destroy()))
  )
}

/**
 * Returns the target by the host of the URL alone: programs interpret a request that names two hosts in different ways.
 */
const targetOf = (request: IncomingMessage): Result.Result<Target.Target, ToolError.PermissionDenied> => {
  const { url = "" } = request
  if (!/^http:\/\//iu.test(url)) {
    return Result.fail(Refusal.deny("BadUrl", "this proxy only accepts http:// URLs and CONNECT"))
  }
  return Result.flatMap(Target.parse(url), (target) => {
    const named = request.headersDistinct["host"] ?? []
    const others = named.filter((host) => URL.parse(`http://${host}/`)?.host !== target.url.host)
    return named.length > 1 || others.length > 0
      ? Result.fail(Refusal.deny("BadUrl", "the Host header names another host than the URL"))
      : Result.succeed(target)
  })
}

const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

type Pairs = ReadonlyArray<readonly [name: string, value: string]>

const pairsOf = (raw: ReadonlyArray<string>): Pairs =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1]] as const] : []))

/** Returns the headers for the next hop, as the flat list that Node accepts. */
const forwardedHeaders = (raw: ReadonlyArray<string>): Array<string> => {
  const pairs = pairsOf(raw)
  const named = new Set(
    pairs.flatMap(([name, value]) =>
      name.toLowerCase() === "connection"
        ? value
            .toLowerCase()
            .split(",")
            .map((word) => word.trim())
        : []
    )
  )
  return pairs
    .filter(([name]) => !hopByHop.has(name.toLowerCase()) && !named.has(name.toLowerCase()))
    .flatMap(([name, value]) => [name, value])
}

/** True if the request has a body, by either way of stating it. */
const hasBody = ({ headersDistinct }: IncomingMessage): boolean =>
  "transfer-encoding" in headersDistinct || "content-length" in headersDistinct

/**
 * Adds the missing length of a body. Otherwise Node sends the body of a GET without a length, and a server would read
 * it as another request, to a host that was not approved.
 */
const framingHeaders = (request: IncomingMessage, headers: Pairs): ReadonlyArray<string> =>
  hasBody(request) && !headers.some(([name]) => name.toLowerCase() === "content-length")
    ? ["Transfer-Encoding", "chunked"]
    : []

interface SendOptions {
  readonly target: Target.Target
  readonly socket: Socket
  readonly maySend: (bytes: number) => boolean
}

const sendRequest = (request: IncomingMessage, { maySend, socket, target }: SendOptions) =>
  Effect.callback<IncomingMessage, ToolError.ToolError>((resume) => {
    const headers = pairsOf(forwardedHeaders(request.rawHeaders)).filter(([name]) => name.toLowerCase() !== "host")
    const outgoing = open({
      createConnection: () => socket,
      method: request.method ?? "GET",
      path: `${target.url.pathname}${target.url.search}`,
      headers: ["Host", target.url.host, ...headers.flat(), ...framingHeaders(request, headers), "Connection", "close"],
      setHost: false
    })
    const refuse = () => {
      outgoing.destroy()
      resume(Effect.fail(Refusal.fail("TooLarge", "the command has sent as much as it may to this host")))
    }
    outgoing.once("response", (answer) => resume(Effect.succeed(answer)))
    outgoing.on("error", (error) => resume(Effect.fail(unreachable(target.url.host, error))))
    const head =
      `${request.method} ${target.url.pathname}${target.url.search}`.length + headers.flat().join("  ").length
    if (!maySend(head)) return refuse()
    request.on("data", (piece: Uint8Array) => {
      if (!maySend(piece.length)) refuse()
      else if (!outgoing.write(piece)) request.pause()
    })
    outgoing.on("drain", () => request.resume())
    request.on("end", () => outgoing.end())
    request.on("error", () => outgoing.destroy())
    return Effect.sync(() => outgoing.destroy())
  })

const pipe = (answer: IncomingMessage, response: ServerResponse): Effect.Effect<void> =>
  Effect.callback<void>((resume) => {
    const onEnd = () => resume(Effect.void)
    response.once("close", onEnd)
    answer.once("error", () => response.destroy())
    answer.once("aborted", () => response.destroy())
    answer.pipe(response)
    return Effect.sync(() => response.destroy())
  })

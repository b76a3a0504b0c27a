/**
 * CONNECT: a tunnel for encrypted traffic. The name in the client's TLS greeting must be the requested host;
 * unencrypted tunnels are refused at web ports, but not at other ports such as 22.
 */
import { RefusalName, type ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Socket } from "node:net"
import * as Refusal from "../Refusal.ts"
import * as Target from "../Target.ts"
import * as ClientHello from "./ClientHello.ts"
import type { ForwardContext } from "./forward.ts"
import * as ProxyHosts from "./ProxyHosts.ts"

export interface Connect {
  readonly authority: string
  readonly socket: Socket
  /** The bytes that the client sent right after its request. */
  readonly head: Uint8Array
}

/** Ports of the web, to which tunnels must be encrypted. */
const webPorts: ReadonlySet<number> = new Set([80, 443, 8000, 8008, 8080, 8443, 8888])

/** Matches `host:port`, strictly: no user, no path, no second colon outside of brackets. */
const form = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s:/?#@\\[\]%]+):(\d{1,5})$/u

export const targetOf = (authority: string): Result.Result<Target.Target, ToolError.PermissionDenied> => {
  const port = Number(form.exec(authority)?.[1] ?? 0)
  if (port < 1 || port > 65_535) {
    return Result.fail(Refusal.deny("BadUrl", `${Refusal.quote(authority)} is not host:port`))
  }
  return Target.parse(`https://${authority}/`)
}

export const tunnel = (answering: ForwardContext, { authority, head, socket }: Connect): Effect.Effect<void> => {
  const parsed = targetOf(authority)
  const url = Result.isSuccess(parsed) ? parsed.success.url.href : `https://${Refusal.quote(authority)}`
  const line = answering.log.line("CONNECT", url)
  return Effect.scoped(
    Effect.gen(function* () {
      const target = yield* Effect.fromResult(parsed)
      yield* answering.hosts.admit(target, "https")
      const remote = yield* answering.hosts.connect(target)
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n")
      line.status = 200
      if (head.length > 0) socket.unshift(head)
      const first = yield* readGreeting(socket, target)
      line.refused = null
      yield* relayBytes(socket, remote, { first, maySend: (bytes) => answering.log.send(line, bytes) })
    })
  ).pipe(
    Effect.catch((error) =>
      Effect.sync(() => {
        line.refused = ProxyHosts.reasonOf(error)
        if (line.status === 200) return void socket.destroy()
        const status = error._tag === "PermissionDenied" ? "403 Forbidden" : "502 Bad Gateway"
        const text = `${RefusalName.withoutName(line.refused)}\n`
        socket.end(
          `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n` +
            `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
        )
      })
    ),
    Effect.onInterrupt(() => Effect.sync(() => socket.destroy()))
  )
}

/** Reads the first bytes of the client until they show that it greets the requested host. */
const readGreeting = (socket: Socket, target: Target.Target): Effect.Effect<Uint8Array, ToolError.ToolError> =>
  Effect.callback<Uint8Array, ToolError.ToolError>((resume) => {
    const pieces: Array<Uint8Array> = []
    const done = (result: Result.Result<Uint8Array, ToolError.ToolError>) => {
      socket.off("data", take).off("end", onClose).off("close", onClose).pause()
      resume(Effect.fromResult(result))
    }
    const onClose = () => done(Result.fail(Refusal.fail("ConnectionFailed", "the client left without a greeting")))
    const take = (piece: Uint8Array) => {
      pieces.push(piece)
      const bytes = Buffer.concat(pieces)
      const hello = ClientHello.read(bytes)
      if (hello._tag === "Partial" && bytes.length <= ClientHello.maxBytes) return
      const fault = faultOf(hello, target)
      done(fault === null ? Result.succeed(bytes) : Result.fail(fault))
    }
    // A server that speaks first, as in SSH, does not wait for a greeting.
    if (!webPorts.has(target.port)) return done(Result.succeed(new Uint8Array()))
    socket.on("data", take).once("end", onClose).once("close", onClose).resume()
  })

const faultOf = (
  hello: ClientHello.ParsedHello,
  { host, literal, port }: Target.Target
): ToolError.ToolError | null => {
  if (hello._tag !== "Hello") {
    return Refusal.deny("Host", `a tunnel to ${host}:${port} must be encrypted; plain requests go to the proxy itself`)
  }
  if (hello.encrypted) return Refusal.deny("Host", `the client hides the host that it greets behind ${host}`)
  const named = hello.name === null ? null : Target.canonicalHost(hello.name)
  if (named === host || (named === null && literal)) return null
  return Refusal.deny("Host", `a tunnel to ${host} greets ${named === null ? "no host" : Refusal.quote(named)}`)
}

interface TunnelOptions {
  readonly first: Uint8Array
  /** Counts bytes of the client; false: the client has reached its limit. */
  readonly maySend: (bytes: number) => boolean
}

/** Forwards bytes both ways until either side ends. */
const relayBytes = (
  client: Socket,
  remote: Socket,
  { first, maySend }: TunnelOptions
): Effect.Effect<void, ToolError.ToolError> =>
  Effect.callback<void, ToolError.ToolError>((resume) => {
    const close = () => {
      client.destroy()
      remote.destroy()
      resume(Effect.void)
    }
    const send = (piece: Uint8Array) => {
      if (!maySend(piece.length)) {
        client.destroy()
        remote.destroy()
        return resume(Effect.fail(Refusal.fail("TooLarge", "the command has sent as much as it may to this host")))
      }
      if (!remote.write(piece)) client.pause()
    }
    remote.on("drain", () => client.resume())
    client.on("drain", () => remote.resume())
    remote.on("data", (piece: Uint8Array) => {
      if (!client.write(piece)) remote.pause()
    })
    client.on("end", () => remote.end())
    remote.on("end", () => client.end())
    for (const socket of [client, remote]) socket.on("close", close).on("error", close)
    client.on("data", send)
    if (first.length > 0) send(first)
    client.resume()
    return Effect.sync(close)
  })

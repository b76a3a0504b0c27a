/** A connection to one of a target's addresses, which is checked again after connecting, before any byte is sent. */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as net from "node:net"
import * as tls from "node:tls"
import * as Guard from "../Guard.ts"
import * as Refusal from "../Refusal.ts"

const maxTried = 4

/** Connects; the connection is open until the scope ends. */
export const connect = Effect.fnUntraced(function* (
  admitted: Guard.AdmittedTarget,
  connectMillis: number
): Effect.fn.Return<net.Socket, ToolError.ToolError, Scope.Scope> {
  let last: ToolError.ToolError = Refusal.fail("ConnectionFailed", `${admitted.target.host} has no address`)
  for (const address of admitted.addresses.slice(0, maxTried)) {
    const tried = yield* Effect.result(
      Effect.timeoutOrElse(attempt(admitted, address), {
        duration: connectMillis,
        orElse: () => Effect.fail(Refusal.fail("ConnectionFailed", `no answer from ${address} in ${connectMillis} ms`))
      })
    )
    if (tried._tag === "Success") return tried.success
    if (tried.failure._tag === "PermissionDenied") return yield* tried.failure
    last = tried.failure
  }
  return yield* last
})

const attempt = Effect.fnUntraced(function* (
  admitted: Guard.AdmittedTarget,
  address: string
): Effect.fn.Return<net.Socket, ToolError.ToolError, Scope.Scope> {
  const { basis: standing, target } = admitted
  const destination = `${target.host}:${target.port}`
  const socket = yield* acquireSocket(() => net.connect({ host: address, port: target.port }), destination)
  yield* ready(socket, "connect", destination)
  const connected = socket.remoteAddress ?? ""
  yield* Guard.allow(target, connected, standing)
  yield* Guard.allowPinned(admitted, connected)
  if (!target.secure) return socket
  const servername = target.literal ? "" : target.host
  const secured = yield* acquireSocket(
    () => tls.connect({ socket, host: target.host, servername, ALPNProtocols: ["http/1.1"] }),
    destination
  )
  yield* ready(secured, "secureConnect", destination)
  return secured
})

const acquireSocket = <S extends net.Socket>(open: () => S, destination: string) =>
  Effect.acquireRelease(Effect.try({ try: open, catch: (error) => unreachable(destination, error) }), (socket) =>
    Effect.sync(() => socket.destroy())
  )

const ready = (socket: net.Socket, event: "connect" | "secureConnect", destination: string) =>
  Effect.callback<void, ToolError.ToolError>((resume) => {
    // The listener stays registered, because an error without a listener would end the process.
    socket.on("error", (error) => resume(Effect.fail(unreachable(destination, error))))
    socket.once("close", () => resume(Effect.fail(unreachable(destination, new Error("it closed the connection")))))
    socket.once(event, () => resume(Effect.void))
  })

export const unreachable = (destination: string, error: unknown): ToolError.ExecutionError => {
  const { code, message } = error as NodeJS.ErrnoException
  return Refusal.fail("ConnectionFailed", `${destination}: ${code ?? message}`)
}

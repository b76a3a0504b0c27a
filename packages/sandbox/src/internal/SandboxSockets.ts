/** TCP sockets of a running command's network namespace, which this process uses from outside. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { createServer, type Server, Socket, type SocketConstructorOpts } from "node:net"

export type Family = 4 | 6

/** A TCP socket without an address, as Node's channel sends it. */
export interface SocketHandle {
  readonly bind: (address: string, port: number) => number
  readonly close: () => void
}

/** Requests a new socket from the sandbox. */
export type MakeSocket = (family: Family, onSocket: (handle: SocketHandle) => void) => void

/** The sandbox cannot provide the socket, or the port is in use or closed. */
export class SocketFailed extends Schema.TaggedError<SocketFailed>()("SocketFailed", { message: Schema.String }) {}

export interface ListeningPort {
  readonly port: number
  readonly family: Family
}

export interface SandboxSockets {
  readonly connect: (port: ListeningPort) => Effect.Effect<Socket, SocketFailed>
  /** Listens on the sandbox's loopback. */
  readonly listen: (port: number, onConnection: (socket: Socket) => void) => Effect.Effect<Server, SocketFailed>
  /** The ports on which programs of the sandbox listen on its loopback. */
  readonly listening: () => ReadonlyArray<ListeningPort>
}

/** `pid`: a process of the sandbox, as this process numbers it. */
export const make = (pid: number, makeSocket: MakeSocket): SandboxSockets => {
  const fresh = (family: Family): Effect.Effect<SocketHandle, SocketFailed> =>
    Effect.callback<SocketHandle>((resume) => makeSocket(family, (handle) => resume(Effect.succeed(handle)))).pipe(
      Effect.timeoutOrElse({
        duration: answerMillis,
        orElse: () => Effect.fail(new SocketFailed({ message: "the sandbox returned no socket" }))
      })
    )
  return {
    connect: ({ family, port }) => Effect.flatMap(fresh(family), (handle) => connect(handle, { family, port })),
    listen: (port, onConnection) => Effect.flatMap(fresh(4), (handle) => listen(handle, port, onConnection)),
    listening: () => [...listeningIn(`/proc/${pid}/net/tcp`, 4), ...listeningIn(`/proc/${pid}/net/tcp6`, 6)]
  }
}

const answerMillis = 2000

const connect = (handle: SocketHandle, { family, port }: ListeningPort): Effect.Effect<Socket, SocketFailed> =>
  Effect.callback((resume) => {
    // Wraps a handle in Node's socket class, with options that Node's types do not declare. Reading begins when the
    // socket is connected.
    const options = { handle, manualStart: true, allowHalfOpen: true } as unknown as SocketConstructorOpts
    const socket = new Socket(options)
    const onError = ({ message }: Error): void => {
      socket.destroy()
      resume(Effect.fail(new SocketFailed({ message })))
    }
    socket.once("error", onError)
    socket.connect({ port, host: family === 4 ? "127.0.0.1" : "::1" }, () => {
      socket.off("error", onError)
      resume(Effect.succeed(socket))
    })
  })

const listen = (
  handle: SocketHandle,
  port: number,
  onConnection: (socket: Socket) => void
): Effect.Effect<Server, SocketFailed> =>
  Effect.callback((resume) => {
    if (handle.bind("127.0.0.1", port) !== 0) {
      handle.close()
      return resume(Effect.fail(new SocketFailed({ message: `port ${port} is taken` })))
    }
    const server = createServer({ allowHalfOpen: true }, onConnection)
    server.once("error", ({ message }) => resume(Effect.fail(new SocketFailed({ message }))))
    server.listen(handle, () => resume(Effect.succeed(server)))
  })

const listenState = "0A"
/** The loopback address and the wildcard address, as the kernel writes them. */
const local: ReadonlySet<string> = new Set([
  "0100007F",
  "00000000",
  "00000000000000000000000000000000",
  "00000000000000000000000001000000",
  "0000000000000000FFFF00000100007F"
])

const listeningIn = (path: string, family: Family): ReadonlyArray<ListeningPort> =>
  Result.getOrElse(
    Result.try(() => readFileSync(path, "utf8")),
    () => ""
  )
    .split("\n")
    .slice(1)
    .flatMap((line): ReadonlyArray<ListeningPort> => {
      const [, at = "", , state] = line.trim().split(/\s+/u)
      const [address = "", port = ""] = at.split(":")
      return state === listenState && local.has(address) ? [{ port: Number.parseInt(port, 16), family }] : []
    })

/**
 * The proxy that is a sandboxed command's only way to the network: CONNECT and plain HTTP. It runs outside of the
 * sandbox, and serves connections that the sandbox passes to it. Before it resolves the name of a host, it checks
 * whether the command may reach the host, and it connects only to addresses that the guard allows:
 * adr/0061-network-of-commands.md.
 */
import type { ToolContext } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Scope from "effect/Scope"
import type { Socket } from "node:net"
import type { CommandProxyOptions, Connections } from "./CommandProxyOptions.ts"

export type { CommandProxyOptions, Connections }

export interface CommandProxy {
  /** Serves one command until the scope ends; then all its connections are closed. */
  readonly open: (admit: ToolContext.AdmitHost) => Effect.Effect<Connections, never, Scope.Scope>
}

/**
 * Makes the proxy. The code that serves connections is loaded with the first connection, because most commands make
 * none.
 */
export const make = (options: CommandProxyOptions = {}): CommandProxy => ({
  open: Effect.fnUntraced(function* (admit) {
    const scope = yield* Effect.scope
    const run = yield* FiberSet.makeRuntime()
    const sockets = new Set<Socket>()
    yield* Effect.addFinalizer(() => Effect.sync(() => sockets.forEach((socket) => socket.destroy())))
    let serving: Connections | null = null
    const serve = yield* Effect.promise(() => import("./serveCommand.ts")).pipe(
      Effect.flatMap(({ serveCommand }) => serveCommand(options, admit)),
      Effect.tap((server) => Effect.sync(() => (serving = server))),
      Effect.provideService(Scope.Scope, scope),
      Effect.cached
    )
    return {
      connection: (socket) => {
        sockets.add(socket)
        socket.on("error", () => socket.destroy()).once("close", () => sockets.delete(socket))
        run(Effect.map(serve, ({ connection }) => connection(socket)))
      },
      requests: () => serving?.requests() ?? []
    }
  })
})

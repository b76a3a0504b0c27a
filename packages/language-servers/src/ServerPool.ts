/** The running language servers of a workspace. A server is started by its first use, and restarted with back-off. */
import type { ToolError } from "@bough/protocol"
import type { SessionProcess, ToolContext } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { WarmServer } from "./client/WarmServer.ts"
import { loadClient } from "./loadClient.ts"
import type { ServerConfig } from "./ServerConfig.ts"
import * as ServerSlot from "./ServerSlot.ts"

export interface ServerPoolOptions {
  readonly roots: readonly [string, ...ReadonlyArray<string>]
  readonly start: SessionProcess.Start
}

export interface ServerPool {
  /** Returns the running server of this view of the workspace, after starting it if necessary. */
  readonly use: (
    server: ServerConfig,
    withheld: ToolContext.WithheldLocations | null
  ) => Effect.Effect<WarmServer, ToolError.ToolError>
  /** Returns the server if it is running; null: it is not, and is not started. */
  readonly running: (server: ServerConfig, withheld: ToolContext.WithheldLocations | null) => WarmServer | null
}

/**
 * The maximum number of running servers. Beyond it, the least recently used server is stopped, because each may use a
 * gigabyte.
 */
const maxRunning = 4

/** All processes end when the scope closes. */
export const make = Effect.fnUntraced(function* ({
  roots,
  start
}: ServerPoolOptions): Effect.fn.Return<ServerPool, never, Scope.Scope> {
  const parent = yield* Effect.scope
  const slots = new Map<string, ServerSlot.ServerSlot>()
  let uses = 0

  const slotFor = (server: ServerConfig, withheld: ToolContext.WithheldLocations | null): ServerSlot.ServerSlot => {
    const key = JSON.stringify([server.name, withheld?.places.map(({ path }) => path) ?? []])
    const known = slots.get(key)
    if (known !== undefined) return known
    const slot = ServerSlot.make(server, withheld)
    slots.set(key, slot)
    return slot
  }

  const stop = (slot: ServerSlot.ServerSlot): Effect.Effect<void> =>
    Effect.suspend(() => {
      const { running } = slot
      slot.running = null
      return running === null ? Effect.void : Scope.close(running.scope, Exit.void)
    })

  const stopSurplus = (except: ServerSlot.ServerSlot): Effect.Effect<void> =>
    Effect.suspend(() => {
      const running = [...slots.values()].filter((slot) => slot !== except && slot.running !== null)
      const surplus = running.toSorted((one, other) => other.lastUsed - one.lastUsed).slice(maxRunning - 1)
      return Effect.forEach(surplus, stop, { discard: true })
    })

  const startServer = Effect.fnUntraced(function* (slot: ServerSlot.ServerSlot) {
    const nowMillis = yield* Clock.currentTimeMillis
    const refusal = ServerSlot.restartError(slot, nowMillis)
    if (refusal !== null) return yield* refusal
    yield* stopSurplus(slot)
    const client = yield* loadClient
    const scope = yield* Scope.fork(parent)
    slot.startedAtMillis = nowMillis
    const { server, withheld } = slot
    const paths = client.WorkspacePaths.make(roots)
    const warm = yield* client.WarmServer.start(server, { start, paths, withheld }).pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.onError(() => Scope.close(scope, Exit.void)),
      Effect.mapError(({ message }) => {
        ServerSlot.recordEnd(slot, message, nowMillis)
        return ServerSlot.startError(slot, message)
      })
    )
    slot.running = { warm, scope }
    return warm
  })

  return {
    use: (server, withheld) =>
      Effect.suspend(() => {
        const slot = slotFor(server, withheld)
        return slot.lock.withPermit(
          Effect.gen(function* () {
            slot.lastUsed = uses += 1
            const warm = slot.running?.warm ?? null
            if (warm !== null && !warm.hasEnded()) return warm
            if (warm !== null) {
              ServerSlot.recordEnd(slot, yield* warm.ended, yield* Clock.currentTimeMillis)
              yield* stop(slot)
            }
            return yield* startServer(slot)
          })
        )
      }),
    running: (server, withheld) => {
      const warm = slotFor(server, withheld).running?.warm ?? null
      return warm === null || warm.hasEnded() ? null : warm
    }
  }
})

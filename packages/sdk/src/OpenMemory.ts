/**
 * Opens the memory of a data directory. If sessions use the same directory, the memory is shared. Loaded at the first
 * call that saves or searches.
 */
import { Embedder, Fusion, Memory, Scratchpads } from "@bough/memory"
import { SessionHistory } from "@bough/runtime"
import { SessionStoreSql } from "@bough/store-sqlite"
import type { Capability, Invocation } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { join } from "node:path"
import type { MemoryOptions } from "./Options.ts"

type Of<Service> = (caller: Invocation.Invocation["Service"]) => Service

export interface OpenedMemory {
  readonly memory: Memory.Memory
  readonly scratchpad: Of<Capability.Scratchpad["Service"]>
  readonly history: Of<Capability.History["Service"]>
}

export const open = Effect.fnUntraced(function* ({ directory, embedding }: MemoryOptions, scope: Scope.Scope) {
  const stores = yield* Layer.buildWithScope(SessionStoreSql.layer({ directory }), scope)
  const openMemory = Effect.gen(function* () {
    const memory = yield* Memory.make({
      directory: join(directory, "memory"),
      embedder: embedding === undefined ? null : yield* Embedder.make(embedding),
      weights: Fusion.defaultWeights,
      onProgress: () => {}
    })
    const opened: OpenedMemory = { memory, scratchpad: yield* Scratchpads.make, history: yield* SessionHistory.make }
    return opened
  })
  return yield* openMemory.pipe(Effect.provideContext(stores), Effect.provideService(Scope.Scope, scope))
})

/** Opens a memory with an embedding model in a separate folder, while `body` runs. */
import { Embedder, Fusion, Memory } from "@bough/memory"
import { SessionStoreSql } from "@bough/store-sqlite"
import { NoteStore } from "@bough/tool"
import * as Effect from "effect/Effect"
import { userInfo } from "node:os"
import { join } from "node:path"

// LanceDB warns at every query of the minimal program, and reads this when it is loaded.
process.env["LANCEDB_LOG"] ??= "off"

/** The user of this account, whose notes `bough memory` finds. */
export const scope = { user: userInfo().username, hold: null }

export interface OpenedMemory {
  readonly memory: Memory.Memory
  readonly store: NoteStore.NoteStore["Service"]
  readonly embedder: Embedder.Embedder
}

export const withMemory = <A, E>(
  folder: string,
  model: Embedder.Model,
  body: (opened: OpenedMemory) => Effect.Effect<A, E>
): Promise<A> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const store = yield* NoteStore.NoteStore
      const embedder = yield* Embedder.make(model)
      const memory = yield* Memory.make({
        directory: join(folder, "memory"),
        embedder,
        weights: Fusion.defaultWeights,
        onProgress: () => {}
      })
      return yield* body({ memory, store, embedder })
    }).pipe(Effect.scoped, Effect.provide(SessionStoreSql.layer({ directory: folder })))
  )

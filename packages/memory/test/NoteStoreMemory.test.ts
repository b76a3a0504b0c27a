/** Notes and scratchpads in memory pass what every store of them must, and serve a memory that has an index. */
import { noteStoreSpec } from "@bough/testing/noteStoreSpec"
import { scratchpadStoreSpec } from "@bough/testing/scratchpadStoreSpec"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Embedder, Fusion, Memory, NoteStoreMemory } from "../src/index.ts"
import { caller, staticModel, temporaryDirectory } from "./World.ts"

noteStoreSpec("memory", NoteStoreMemory.layer)
scratchpadStoreSpec("memory", NoteStoreMemory.layer)

it.live("a memory over notes in memory finds by meaning, and nothing of an earlier one over the same index", () =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const remember = (text: string) =>
      Effect.gen(function* () {
        const memory = yield* Memory.make({
          directory,
          embedder: yield* Embedder.make(staticModel),
          weights: Fusion.defaultWeights,
          onProgress: () => {}
        })
        yield* memory.write(caller("ann")).save({ text, tags: null, kind: null, secrets: "refuse" })
        yield* memory.index.settle(false)
        const bearing = yield* memory.bearing(
          { user: "ann", hold: null },
          "is the surgery of the doctor open on Friday?",
          { without: new Set(), limit: 12 }
        )
        return bearing.map((note) => note.text)
      }).pipe(Effect.scoped, Effect.provide(NoteStoreMemory.layer))
    assert.deepStrictEqual(yield* remember("The physician's surgery is closed on Fridays"), [
      "The physician's surgery is closed on Fridays"
    ])
    assert.deepStrictEqual(yield* remember("Deploys go out from the release branch"), [])
  })
)

/** The tests that every ScratchpadStore adapter passes; call it once per adapter's layer. */
import { Session } from "@bough/protocol"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as ScratchpadStore from "../ScratchpadStore.ts"

export const scratchpadStoreSpec = <E>(name: string, adapter: Layer.Layer<ScratchpadStore.ScratchpadStore, E>): void =>
  layer(adapter)(`ScratchpadStore (${name})`, (it) => {
    let sessions = 0
    const someSession = () => Session.SessionId.make(`session ${sessions++}`)

    it.effect("is empty, without a time of writing, before the first write", () =>
      Effect.gen(function* () {
        const store = yield* ScratchpadStore.ScratchpadStore
        assert.deepStrictEqual(yield* store.read(someSession()), { items: [], updatedAtMillis: null })
      })
    )

    it.effect.prop(
      "returns one session's items unchanged, and leaves another session's items alone",
      [Schema.Array(Schema.String), Schema.Array(Schema.String)],
      ([first, second]) =>
        Effect.gen(function* () {
          const store = yield* ScratchpadStore.ScratchpadStore
          const [one, other] = [someSession(), someSession()]
          yield* store.write(other, second)
          yield* store.write(one, ["to be replaced"])
          const written = yield* store.write(one, first)
          assert.deepStrictEqual(yield* store.read(one), written)
          assert.deepStrictEqual(written.items, first)
          assert.deepStrictEqual((yield* store.read(other)).items, second)
        }),
      { arbitrary: { runs: 25, size: 40 } }
    )
  })

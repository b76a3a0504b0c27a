/** The tests that every BlobStore adapter passes; call it once per adapter's layer. */
import { Canonical } from "@bough/protocol"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as BlobStore from "../ports/BlobStore.ts"

export const blobStoreSpec = <E>(name: string, adapter: Layer.Layer<BlobStore.BlobStore, E>): void =>
  layer(adapter)(`BlobStore (${name})`, (it) => {
    it.effect.prop(
      "bytes come back under their digest, however often they are put",
      [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))],
      ([values]) =>
        Effect.gen(function* () {
          const blobs = yield* BlobStore.BlobStore
          const bytes = Uint8Array.from(values)
          const digest = yield* blobs.put(bytes)
          assert.strictEqual(digest, Canonical.digest(bytes))
          assert.strictEqual(yield* blobs.put(bytes), digest)
          assert.deepStrictEqual(Array.from((yield* blobs.get(digest)) ?? [-1]), values)
        }),
      { arbitrary: { runs: 50 } }
    )

    it.effect("an unknown digest is null", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore.BlobStore
        assert.isNull(yield* blobs.get(Canonical.digest("never stored")))
      })
    )

    it.effect("later changes to the caller's bytes do not reach the store", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore.BlobStore
        const bytes = new TextEncoder().encode("as it was")
        const digest = yield* blobs.put(bytes)
        bytes.fill(0)
        const stored = yield* blobs.get(digest)
        assert.strictEqual(new TextDecoder().decode(stored ?? new Uint8Array()), "as it was")
      })
    )

    it.effect("a blob of 4 MB comes back whole", () =>
      Effect.gen(function* () {
        const blobs = yield* BlobStore.BlobStore
        const bytes = new Uint8Array(4_000_000).map((_, index) => index * 31)
        const digest = yield* blobs.put(bytes)
        assert.strictEqual(Canonical.digest((yield* blobs.get(digest)) ?? new Uint8Array()), digest)
      })
    )
  })

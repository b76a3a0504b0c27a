/** Blobs in memory: for tests, and for programs that store nothing. */
import { Canonical } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BlobStore } from "./BlobStore.ts"

/** Blobs that live as long as the layer. */
export const layer: Layer.Layer<BlobStore> = Layer.sync(BlobStore, () => {
  const blobs = new Map<string, Uint8Array>()
  return {
    put: (bytes) =>
      Effect.sync(() => {
        const digest = Canonical.digest(bytes)
        if (!blobs.has(digest)) blobs.set(digest, bytes.slice())
        return digest
      }),
    get: (digest) => Effect.sync(() => blobs.get(digest)?.slice() ?? null)
  }
})

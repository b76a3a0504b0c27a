/**
 * A content-addressed store of bytes that are too long for the journal. A digest is `sha256:<hex>`. Adapters pass
 * `blobStoreSpec`.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreFailed } from "./SessionStore.ts"

export class BlobStore extends Context.Service<
  BlobStore,
  {
    /** Durable on return; storing the same bytes again changes nothing. */
    readonly put: (bytes: Uint8Array) => Effect.Effect<string, StoreFailed>
    /** Returns null if there is no such blob. */
    readonly get: (digest: string) => Effect.Effect<Uint8Array | null, StoreFailed>
  }
>()("@bough/runtime/ports/BlobStore") {}

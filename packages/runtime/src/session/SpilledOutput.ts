/**
 * The SpilledOutput capability of one session: it reads the blobs whose digests the session was shown, and no others.
 */
import { ToolError } from "@bough/protocol"
import type { SpilledOutput } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { BlobStore } from "../ports/BlobStore.ts"
import type { Journal } from "../journal/Journal.ts"

export const make = (
  { state }: Journal["Service"],
  blobs: BlobStore["Service"]
): SpilledOutput.SpilledOutput["Service"] => ({
  read: Effect.fnUntraced(function* (digest: string) {
    const bytes = state.spilled.has(digest)
      ? yield* Effect.mapError(blobs.get(digest), (error) => new ToolError.ExecutionError({ message: error.message }))
      : null
    return bytes ?? (yield* new ToolError.ExecutionError({ message: `this session has no output ${digest}` }))
  })
})

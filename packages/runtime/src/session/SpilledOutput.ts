/**
 * The SpilledOutput capability of one session: it reads the blobs whose digests the session was shown, and the images that
 * its ended children saw, and no others.
 */
import { ToolError } from "@bough/protocol"
import type { SpilledOutput } from "@bough/tool"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import * as EntryPages from "../journal/EntryPages.ts"
import type { Journal } from "../journal/Journal.ts"
import type { SeenImage } from "../journal/SeenImages.ts"
import type { BlobStore } from "../ports/BlobStore.ts"
import type { SessionStore } from "../ports/SessionStore.ts"

type Store = Pick<SessionStore["Service"], "entries">

interface Stores {
  readonly blobs: BlobStore["Service"]
  readonly store: Store
}

const failed = ({ message }: { readonly message: string }) => new ToolError.ExecutionError({ message })

export const make = (
  { state }: Journal["Service"],
  { blobs, store }: Stores
): SpilledOutput.SpilledOutput["Service"] => ({
  read: Effect.fnUntraced(function* (name: string) {
    const image = state.seenImages.get(name)
    const reading =
      image !== undefined ? imageOf(store, image) : state.spilled.has(name) ? blobs.get(name) : Effect.succeed(null)
    const bytes = yield* Effect.mapError(reading, failed)
    return bytes ?? (yield* new ToolError.ExecutionError({ message: `this session has no output ${name}` }))
  })
})

/** Reads an image from the journal of the session that saw it; null: the journal no longer has it. */
const imageOf = Effect.fnUntraced(function* (store: Store, { index, session, toolCallId }: SeenImage) {
  const found: Array<Uint8Array> = []
  yield* EntryPages.forEach(store, session, ({ body }) => {
    if (body._tag !== "CallEnded" || body.toolCallId !== toolCallId || body.outcome._tag !== "Succeeded") return
    const media = body.outcome.media[index]
    if (media !== undefined) found.push(Buffer.from(media.data, "base64"))
  })
  return found[0] ?? null
})

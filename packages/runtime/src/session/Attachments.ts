/** The Attachments capability of one session: the media of its users' messages, read from the journal. */
import { ToolError } from "@bough/protocol"
import type { Attachments } from "@bough/tool"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import * as EntryPages from "../journal/EntryPages.ts"
import type { Journal } from "../journal/Journal.ts"
import type { SessionStore } from "../ports/SessionStore.ts"

export const make = (
  { sessionId }: Pick<Journal["Service"], "sessionId">,
  store: Pick<SessionStore["Service"], "entries">
): Attachments.Attachments["Service"] => ({
  list: Effect.gen(function* () {
    const found: Array<Uint8Array> = []
    yield* Effect.mapError(
      EntryPages.forEach(store, sessionId, ({ body }) => {
        if (body._tag === "UserMessage") found.push(...body.media.map(({ data }) => Buffer.from(data, "base64")))
      }),
      ({ message }) => new ToolError.ExecutionError({ message })
    )
    return found
  })
})

/** The Attachments capability of one session: the media of its users' messages, read from the journal. */
import { ToolError } from "@bough/protocol"
import type { Attachments } from "@bough/tool"
import { Buffer } from "node:buffer"
import * as Effect from "effect/Effect"
import type { Journal } from "../journal/Journal.ts"
import type { SessionStore } from "../ports/SessionStore.ts"

const pageEntries = 256

export const make = (
  { sessionId, state }: Pick<Journal["Service"], "sessionId" | "state">,
  store: Pick<SessionStore["Service"], "entries">
): Attachments.Attachments["Service"] => ({
  list: Effect.gen(function* () {
    const found: Array<Uint8Array> = []
    for (let from = 0; from < state.nextSeq;) {
      const page = yield* Effect.mapError(
        store.entries(sessionId, from, pageEntries),
        ({ message }) => new ToolError.ExecutionError({ message })
      )
      for (const { body } of page) {
        if (body._tag === "UserMessage") found.push(...body.media.map(({ data }) => Buffer.from(data, "base64")))
      }
      const last = page.at(-1)
      if (last === undefined) break
      from = last.seq + 1
    }
    return found
  })
})

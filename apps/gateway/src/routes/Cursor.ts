/** The position of a page in a list, as opaque text. */
import { Problem } from "@bough/gateway-api"
import { Session } from "@bough/protocol"
import type { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const { createdAtMillis, sessionId, updatedAtMillis } = Session.Summary.fields
const Cursor = Schema.fromJsonString(Schema.Struct({ updatedAtMillis, createdAtMillis, sessionId }))

const decodeText = Schema.decodeUnknownEffect(Cursor)

export const encode = ({ createdAtMillis, sessionId, updatedAtMillis }: SessionStore.Cursor): string =>
  Buffer.from(JSON.stringify({ updatedAtMillis, createdAtMillis, sessionId })).toString("base64url")

export const decode = (text: string): Effect.Effect<SessionStore.Cursor, Problem.InvalidRequest> =>
  Effect.mapError(
    decodeText(Buffer.from(text, "base64url").toString()),
    () => new Problem.InvalidRequest({ detail: "the cursor is not one of this list" })
  )

/** Makes ids. Ids of sessions sort by the time at which they were made. */
import { Session } from "@bough/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { randomBytes } from "node:crypto"

const random = (bytes: number) => Effect.sync(() => randomBytes(bytes).toString("hex"))

/** `ses_` + 12 hex digits of epoch milliseconds + 16 random ones. */
export const newSessionId: Effect.Effect<Session.SessionId> = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  return Session.SessionId.make(`ses_${now.toString(16).padStart(12, "0")}${yield* random(8)}`)
})

export const newApprovalId: Effect.Effect<Session.ApprovalId> = Effect.map(random(12), (hex) =>
  Session.ApprovalId.make(`apr_${hex}`)
)

/** Returns a new dedupe key, for a message that is sent once. */
export const newMessageId: Effect.Effect<string> = Effect.map(random(12), (hex) => `msg_${hex}`)

/** Returns a call's id, which is derived from its position, so that it is the same if the entry is processed again. */
export const toolCallId = (turn: number, step: number, index: number): Session.ToolCallId =>
  Session.ToolCallId.make(`t${turn}s${step}c${index}`)

/** A session with a pending approval. */
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { events } from "./Events.ts"
import type { Gateway } from "./Gateway.ts"

/**
 * Sends a message to a new session, whose model calls a tool that needs an approval, and returns once it is requested.
 */
export const untilApprovalIsAsked = Effect.fnUntraced(function* (gateway: Gateway, token: string) {
  const created = yield* gateway.request("/api/v1/sessions", { token, body: {} })
  const sessionId: string = created.json.id
  yield* gateway.request(`/api/v1/sessions/${sessionId}/messages`, { token, body: { text: "write it" } })
  yield* events(gateway, { token, sessionId }).pipe(
    Stream.takeUntil(({ frame }) => frame._tag === "Entry" && frame.entry.body._tag === "ApprovalAsked"),
    Stream.runDrain
  )
  const { json } = yield* gateway.request("/api/v1/approvals", { token })
  assert.lengthOf(json.items, 1)
  const approvalId: string = json.items[0].request.approvalId
  return { sessionId, approvalId, workspaceId: created.json.workspaceId as string }
})

/** `POST /v1/responses/ID/cancel`: cancels the turn of a response, but not a later turn, and returns the response. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { HostedTurns } from "../HostedTurns.ts"
import * as RequestBody from "../RequestBody.ts"
import type { Start } from "../TurnReader.ts"
import * as FindResponse from "./FindResponse.ts"
import * as ResponsePosition from "./ResponsePosition.ts"
import * as StoredResponses from "./StoredResponses.ts"

/** The time for which a cancelled turn is awaited; a slower one is reported as in progress. */
const cancelTimeout = "5 seconds"

/** Returns the position at which the turn of the response started, from which it is followed to its end. */
const startOf = ({ entries, id, messageId, session }: StoredResponses.RequestedResponse): Start => {
  const hasDecision = entries.some(({ body, seq }) => seq >= id.entries && body._tag === "ApprovalDecided")
  const answersMessage = entries.some(StoredResponses.isMessage(messageId)) || !hasDecision
  return {
    _tag: "Positions",
    positions: { [session.sessionId]: id.entries },
    decided: [],
    messageId: answersMessage ? messageId : null
  }
}

export const cancel = Effect.gen(function* () {
  const principal = yield* RequestBody.authenticate("chat")
  const response = yield* StoredResponses.findRequested(principal)
  const turns = yield* HostedTurns
  const { sessionId } = response.session
  const position = ResponsePosition.find(response.entries, response.id, response.messageId)
  // A response that has ended may still wait for approvals, which a cancellation withdraws.
  if (position === null || position.isNewest) yield* turns.cancel(principal, sessionId)
  if (position === null) {
    yield* Stream.runDrain(turns.follow({ sessionId, start: startOf(response) })).pipe(
      Effect.timeoutOption(cancelTimeout),
      Effect.orDie
    )
  }
  const entries = yield* FindResponse.entriesOf(response)
  return HttpServerResponse.jsonUnsafe(yield* StoredResponses.read({ ...response, entries }))
})

/** Finds a response of a user by its id, with its part of the journal. */
import type { Authorization } from "@bough/gateway-api"
import type { Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { HostedTurns } from "../HostedTurns.ts"
import { messageIdOf } from "../TurnStart.ts"
import * as OpenAiError from "./OpenAiError.ts"
import * as ResponseId from "./ResponseId.ts"

export interface FoundResponse {
  readonly id: ResponseId.ResponseId
  /**
   * The id of the message that the response answers; if the request only decided approvals, the session has no such
   * message.
   */
  readonly messageId: string
  readonly session: Session.Summary
}

export const responseMissing = (param: string, responseId: string) =>
  Effect.fail(OpenAiError.notFound(param, `there is no response ${JSON.stringify(responseId)}`))

/** Fails as not found for a response of another user. */
export const find = Effect.fnUntraced(function* (
  principal: Authorization.Principal,
  responseId: string,
  param: string
) {
  const turns = yield* HostedTurns
  const id = ResponseId.parse(responseId)
  if (id === null) return yield* responseMissing(param, responseId)
  const session = yield* Effect.catchTag(turns.find(principal, id.sessionId), "TurnRefused", () =>
    responseMissing(param, responseId)
  )
  return { id, messageId: messageIdOf(principal, ResponseId.messageKey(id)), session } satisfies FoundResponse
})

/**
 * The entries of one response. In a tree without children the entries since the request are enough if the message is
 * among them; otherwise all entries are read.
 */
export const entriesOf = Effect.fnUntraced(function* ({ id, messageId, session: { sessionId } }: FoundResponse) {
  const turns = yield* HostedTurns
  if (!(yield* turns.isAlone(sessionId))) return yield* turns.entries(sessionId)
  const entries = yield* turns.entries(sessionId, id.entries)
  return entries.some(({ body }) => body._tag === "UserMessage" && body.messageId === messageId)
    ? entries
    : yield* turns.entries(sessionId)
})

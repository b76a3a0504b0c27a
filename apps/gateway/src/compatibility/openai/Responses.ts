/** `POST /v1/responses`. */
import type { Authorization } from "@bough/gateway-api"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { Conversations } from "../Conversations.ts"
import { HostedTurns } from "../HostedTurns.ts"
import * as RequestBody from "../RequestBody.ts"
import * as Sse from "../ServerSentEvents.ts"
import type { ChatMessage } from "../TurnInput.ts"
import type { TurnRefused } from "../TurnRefused.ts"
import { respond, TurnStreams } from "../TurnStreams.ts"
import * as FindResponse from "./FindResponse.ts"
import * as Models from "./Models.ts"
import { type OpenedRequest, OpenedRequests } from "./OpenedRequests.ts"
import { requestKey } from "./RequestKey.ts"
import * as RequestReader from "./RequestReader.ts"
import * as ResponseEvents from "./ResponseEvents.ts"
import * as ResponseId from "./ResponseId.ts"
import * as ResponsePosition from "./ResponsePosition.ts"
import * as ResponsesRequest from "./ResponsesRequest.ts"
import * as WordConversations from "./WordConversations.ts"

type Principal = Authorization.Principal

/**
 * Opens the session in which a response continues: the session of the earlier response, or a fork if that session has
 * continued since.
 */
const openByResponse = Effect.fnUntraced(function* (
  principal: Principal,
  { param, responseId }: ResponsesRequest.ReferredResponse,
  agent: string
) {
  const turns = yield* HostedTurns
  const found = yield* FindResponse.find(principal, responseId, param)
  const { id, messageId, session } = found
  yield* Models.checkAgent(session, agent)
  const position = ResponsePosition.find(yield* FindResponse.entriesOf(found), id, messageId)
  if (position !== null && !position.isNewest) {
    return yield* atEnd(principal, yield* turns.fork(principal, session.sessionId, position.entries), null)
  }
  return yield* atEnd(
    principal,
    session.sessionId,
    position === null ? null : { [session.sessionId]: position.entries }
  )
})

/** A request that continues a session at its end. */
const atEnd = Effect.fnUntraced(function* (
  principal: Principal,
  id: string,
  places: OpenedRequest["places"]
): Effect.fn.Return<OpenedRequest, TurnRefused, HostedTurns> {
  const turns = yield* HostedTurns
  const { entries, sessionId } = yield* turns.find(principal, id)
  return { sessionId, entries, isNew: false, places }
})

export const create = Effect.gen(function* () {
  const principal = yield* RequestBody.authenticate("chat")
  const request = yield* RequestReader.fromResult(ResponsesRequest.read(yield* RequestBody.json))
  const agent = yield* Models.agentOf(principal, request.model)
  const turns = yield* HostedTurns
  const streams = yield* TurnStreams
  yield* streams.take(principal)
  const conversations = yield* Conversations
  const requests = yield* OpenedRequests
  const key = yield* requestKey
  const { answers, content: input, previousResponseId } = request
  const previous =
    previousResponseId === null ? request.referred : { responseId: previousResponseId, param: "previous_response_id" }
  const open = Effect.gen(function* () {
    if (previous !== null) return yield* openByResponse(principal, previous, agent)
    if (answers.length === 0) return yield* WordConversations.openByWords(principal, key.text, { ...request, agent })
    const session = yield* turns.findByApproval(principal, answers[0].approvalId)
    yield* Models.checkAgent(session, agent)
    return yield* atEnd(principal, session.sessionId, null)
  })
  const opened = yield* requests.once(principal, key, open)
  const { entries, sessionId } = opened
  const id = { sessionId, entries, key: key.text }
  const content = input === null ? null : WordConversations.messageOf(opened, request)
  const openedTurn = yield* turns.begin(principal, sessionId, {
    message: content === null ? null : { key: ResponseId.messageKey(id), ...content },
    answers,
    // A repeated request gets its stream again from the position of the first request.
    positions: opened.places ?? { [sessionId]: entries }
  })
  const createdAtSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const encoder = ResponseEvents.make({
    mainId: sessionId,
    responseId: ResponseId.format(id),
    previousResponseId,
    createdAtSeconds,
    model: request.model,
    metadata: request.metadata
  })
  let answer = ""
  const events = Stream.concat(
    Stream.fromIterable(encoder.start()),
    (yield* streams.responseEvents(principal, openedTurn)).pipe(
      Stream.tap((event) => {
        if (event._tag === "Text" && event.sessionId === sessionId) answer += event.text
        if (event._tag !== "Ended" || event.status === "failed" || input === null) return Effect.void
        const conversation: ReadonlyArray<ChatMessage> = [
          ...request.history,
          { role: "user", text: input.text },
          { role: "assistant", text: answer }
        ]
        return WordConversations.remember(principal, { sessionId, said: conversation, ended: event })
      }),
      Stream.flatMap((event) => Stream.fromIterable(encoder.take(event)))
    )
  ).pipe(Stream.provideService(Conversations, conversations))
  if (request.isStreamed) return respond(Stream.map(events, (event) => Sse.eventText(event.type, event)))
  yield* Stream.runDrain(events)
  return HttpServerResponse.jsonUnsafe(encoder.response())
})

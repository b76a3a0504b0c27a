/** `POST /v1/chat/completions`. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import { ApprovalLinks } from "../ApprovalLinks.ts"
import { Conversations } from "../Conversations.ts"
import { HostedTurns } from "../HostedTurns.ts"
import * as RequestBody from "../RequestBody.ts"
import * as Sse from "../ServerSentEvents.ts"
import type { ChatMessage } from "../TurnInput.ts"
import { respond, TurnStreams } from "../TurnStreams.ts"
import * as ChatChunks from "./ChatChunks.ts"
import * as ChatRequest from "./ChatRequest.ts"
import * as Models from "./Models.ts"
import * as OpenAiError from "./OpenAiError.ts"
import { OpenedRequests } from "./OpenedRequests.ts"
import { requestKey } from "./RequestKey.ts"
import * as RequestReader from "./RequestReader.ts"
import * as WordConversations from "./WordConversations.ts"

export const create = Effect.gen(function* () {
  const principal = yield* RequestBody.authenticate("chat")
  const request = yield* RequestReader.fromResult(ChatRequest.read(yield* RequestBody.json))
  const agent = yield* Models.agentOf(principal, request.model)
  const turns = yield* HostedTurns
  const streams = yield* TurnStreams
  yield* streams.take(principal)
  const conversations = yield* Conversations
  const link = yield* ApprovalLinks
  const requests = yield* OpenedRequests
  const key = yield* requestKey
  const openedRequest = yield* requests.once(
    principal,
    key,
    WordConversations.openByWords(principal, key.text, { ...request, agent })
  )
  const { sessionId } = openedRequest
  const openedTurn = yield* turns.begin(principal, sessionId, {
    message: { key: `chat:${key.text}`, ...WordConversations.messageOf(openedRequest, request) },
    answers: [],
    positions: null
  })
  const createdAtSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  const encoder = ChatChunks.make({
    mainId: sessionId,
    completionId: `chatcmpl-${key.text}`,
    createdAtSeconds,
    model: request.model,
    includesUsage: request.includesUsage,
    link
  })
  const conversation = (): ReadonlyArray<ChatMessage> => [
    ...request.history,
    { role: "user", text: request.content.text },
    { role: "assistant", text: encoder.totals.content }
  ]
  const chunks = Stream.concat(
    Stream.fromIterable(encoder.start()),
    (yield* streams.responseEvents(principal, openedTurn)).pipe(
      Stream.map((event) => ({ event, chunks: encoder.take(event) })),
      Stream.tap(({ event }) =>
        event._tag === "Ended" && event.status !== "failed"
          ? WordConversations.remember(principal, { sessionId, said: conversation(), ended: event })
          : Effect.void
      ),
      Stream.flatMap(({ chunks }) => Stream.fromIterable(chunks))
    )
  ).pipe(Stream.provideService(Conversations, conversations))
  if (request.isStreamed) return respond(Stream.concat(Stream.map(chunks, Sse.data), Stream.succeed(Sse.done)))
  yield* Stream.runDrain(chunks)
  return encoder.totals.error === null
    ? HttpServerResponse.jsonUnsafe(encoder.completion())
    : OpenAiError.toResponse(encoder.totals.error)
})

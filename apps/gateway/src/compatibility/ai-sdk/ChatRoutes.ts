/** `/api/chat`: a hosted agent behind `useChat` of `@ai-sdk/react`, with its default transport. */
import { Authorization } from "@bough/gateway-api"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { ApprovalLinks } from "../ApprovalLinks.ts"
import * as CompatibilityRoute from "../CompatibilityRoute.ts"
import { Conversations } from "../Conversations.ts"
import { HostedTurns } from "../HostedTurns.ts"
import * as RefusedResponse from "../RefusedResponse.ts"
import * as RequestBody from "../RequestBody.ts"
import * as Sse from "../ServerSentEvents.ts"
import type { TurnRefused } from "../TurnRefused.ts"
import { messageIdOf, type OpenedTurn } from "../TurnStart.ts"
import { respond, TurnStreams } from "../TurnStreams.ts"
import * as ChatRequest from "./ChatRequest.ts"
import * as UiMessageStream from "./UiMessageStream.ts"

/** A stream with the fault of the request: the client shows the sentence. */
const failureResponse = (message: string) =>
  respond(Stream.fromIterable([Sse.data({ type: "error", errorText: message }), Sse.done]), UiMessageStream.headers)

const toResponse = (error: RequestBody.RequestRefused | TurnRefused) =>
  RefusedResponse.fromRefusal(error) ?? Effect.succeed(failureResponse(error.message))

/** The id of the answer to a message: the same each time the answer is streamed. */
const answerId = (userMessageId: string): string => `re_${userMessageId}`

const stream = Effect.fnUntraced(function* (
  principal: Authorization.Principal,
  opened: OpenedTurn,
  { calls, messageId }: { readonly messageId: string; readonly calls: ReadonlySet<string> }
) {
  const streams = yield* TurnStreams
  const link = yield* ApprovalLinks
  const encoder = UiMessageStream.make({ mainId: opened.sessionId, messageId, known: calls, link })
  const chunks = Stream.concat(
    Stream.fromIterable(encoder.start()),
    Stream.flatMap(yield* streams.responseEvents(principal, opened), (event) =>
      Stream.fromIterable(encoder.take(event))
    )
  )
  return respond(Stream.concat(Stream.map(chunks, Sse.data), Stream.succeed(Sse.done)), UiMessageStream.headers)
})

const post = Effect.gen(function* () {
  const principal = yield* RequestBody.authenticate("chat")
  const read = ChatRequest.read(yield* RequestBody.json)
  if (Result.isFailure(read)) return failureResponse(read.failure)
  yield* (yield* TurnStreams).take(principal)
  const { chatId, continues, input, userMessageId } = read.success
  const turns = yield* HostedTurns
  const conversations = yield* Conversations
  const key = ChatRequest.conversationKey(chatId)
  const sessionId = yield* turns.create(principal, key)
  yield* conversations.remember(Authorization.userKey(principal), key, { sessionId, entries: null })
  const openedTurn = yield* turns.begin(principal, sessionId, input)
  return yield* stream(
    principal,
    openedTurn,
    continues ?? { messageId: answerId(userMessageId ?? chatId), calls: new Set() }
  )
})

/** How long an ended answer can be read again: a client whose stream broke may come back after the end of the turn. */
const resumeMillis = 60_000

/** Continues an answer whose stream was cut, from its beginning; empty if no turn runs, or it has just ended. */
const resume = Effect.gen(function* () {
  const principal = yield* RequestBody.authenticate("chat")
  const { chatId = "" } = yield* HttpRouter.params
  const conversations = yield* Conversations
  const turns = yield* HostedTurns
  const found = yield* conversations.find(Authorization.userKey(principal), ChatRequest.conversationKey(chatId))
  if (found === null) return HttpServerResponse.empty()
  const session = yield* turns.find(principal, found.sessionId)
  const isRecent = (yield* Clock.currentTimeMillis) - session.updatedAtMillis < resumeMillis
  if (session.state !== "Active" && !isRecent) return HttpServerResponse.empty()
  const last = (yield* turns.entries(session.sessionId)).findLast(({ body }) => body._tag === "UserMessage")?.body
  const prefix = messageIdOf(principal, ChatRequest.messageKey(chatId, ""))
  if (last?._tag !== "UserMessage" || !last.messageId.startsWith(prefix)) return HttpServerResponse.empty()
  yield* (yield* TurnStreams).take(principal)
  const openedTurn: OpenedTurn = { sessionId: session.sessionId, start: { _tag: "Message", messageId: last.messageId } }
  const userMessageId = last.messageId.slice(prefix.length)
  return yield* stream(principal, openedTurn, { messageId: answerId(userMessageId), calls: new Set() })
})

export const layer = Layer.mergeAll(
  CompatibilityRoute.make("POST", "/api/chat", post.pipe(Effect.catch(toResponse))),
  CompatibilityRoute.make("GET", "/api/chat/:chatId/stream", resume.pipe(Effect.catch(toResponse)))
)

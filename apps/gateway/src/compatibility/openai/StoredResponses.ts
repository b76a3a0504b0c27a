/** `GET /v1/responses/ID` and its input items, read from the session's journal; responses are not stored separately. */
import type { Authorization } from "@bough/gateway-api"
import type { Entry } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { HostedTurns } from "../HostedTurns.ts"
import * as RequestBody from "../RequestBody.ts"
import type { TurnEvent } from "../TurnEvent.ts"
import * as TurnReader from "../TurnReader.ts"
import * as FindResponse from "./FindResponse.ts"
import * as Models from "./Models.ts"
import * as OpenAiError from "./OpenAiError.ts"
import * as ResponseEvents from "./ResponseEvents.ts"
import * as ResponsePosition from "./ResponsePosition.ts"

export interface RequestedResponse extends FindResponse.FoundResponse {
  readonly responseId: string
  readonly entries: ReadonlyArray<Entry.Entry>
}

/** Returns the response of the request's path, if its user has one with that id. */
export const findRequested = Effect.fnUntraced(function* (principal: Authorization.Principal) {
  const { responseId = "" } = yield* HttpRouter.params
  const found = yield* FindResponse.find(principal, responseId, "response_id")
  return { ...found, responseId, entries: yield* FindResponse.entriesOf(found) } satisfies RequestedResponse
})

export const isMessage =
  (messageId: string) =>
  ({ body }: Pick<Entry.Entry, "body">): boolean =>
    body._tag === "UserMessage" && body.messageId === messageId

/** Yields the recorded events of a response, and of the children that it started. */
const eventsOf = (
  reader: TurnReader.TurnReader,
  entries: ReadonlyArray<Entry.Entry>
): Effect.Effect<ReadonlyArray<TurnEvent>, never, HostedTurns> =>
  Effect.gen(function* () {
    const turns = yield* HostedTurns
    const turnEvents: Array<TurnEvent> = []
    for (const entry of entries) {
      const events = reader.entry(entry)
      turnEvents.push(...events)
      if (entry.body._tag !== "ChildSpawned" || entry.body.purpose !== undefined) continue
      turnEvents.push(...(yield* eventsOf(reader, yield* turns.entries(entry.body.childId))))
    }
    return turnEvents
  })

export const get = Effect.gen(function* () {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  if (new URL(url, "http://localhost").searchParams.get("stream") === "true") {
    return yield* Effect.fail(
      OpenAiError.unsupported("stream", "send the request again with its Idempotency-Key to stream its response again")
    )
  }
  return HttpServerResponse.jsonUnsafe(yield* read(yield* findRequested(yield* RequestBody.authenticate("read"))))
})

/** Returns the response with its status and output so far. */
export const read = Effect.fnUntraced(function* ({ entries, id, messageId, responseId, session }: RequestedResponse) {
  const { sessionId } = session
  const message = entries.find(isMessage(messageId))
  if (message === undefined && !entries.some(({ seq }) => seq >= id.entries)) {
    return yield* FindResponse.responseMissing("response_id", responseId)
  }
  const reader = TurnReader.make(
    sessionId,
    message === undefined
      ? { _tag: "Positions", positions: { [sessionId]: id.entries }, decided: [], messageId: null }
      : { _tag: "Message", messageId, fromSeq: entries[0]?.seq ?? 0 }
  )
  const end = ResponsePosition.find(entries, id, messageId)?.entries ?? Infinity
  const encoder = ResponseEvents.make({
    mainId: sessionId,
    responseId,
    previousResponseId: null,
    createdAtSeconds: Math.floor(session.createdAtMillis / 1000),
    model: Models.modelOf(session.agent),
    metadata: {}
  })
  const events = yield* eventsOf(
    reader,
    entries.filter(({ seq }) => seq < end)
  )
  for (const event of events) encoder.take(event)
  const ending = end === Infinity ? null : reader.ending()
  if (ending !== null) encoder.take({ _tag: "Ended", sessionId, ...ending })
  return encoder.response()
})

/** The message that a response answers; none if it only answers approvals. */
export const inputItems = Effect.gen(function* () {
  const { entries, messageId, responseId } = yield* findRequested(yield* RequestBody.authenticate("read"))
  const data = entries.filter(isMessage(messageId)).flatMap(({ body }) =>
    body._tag !== "UserMessage"
      ? []
      : [
          {
            id: `msg_${responseId.slice(5)}_0`,
            type: "message",
            role: "user",
            status: "completed",
            content: [
              { type: "input_text", text: body.text },
              ...body.media.map(({ data, mediaType }) => ({
                type: "input_image",
                detail: "auto",
                image_url: `data:${mediaType};base64,${data}`
              }))
            ]
          }
        ]
  )
  const ends = { first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null }
  return HttpServerResponse.jsonUnsafe({ object: "list", data, ...ends, has_more: false })
})

/** Refuses to delete a response: a session is append-only, and is deleted as a whole. */
export const remove = Effect.gen(function* () {
  const principal = yield* RequestBody.authenticate("chat")
  const { responseId = "" } = yield* HttpRouter.params
  const { session } = yield* FindResponse.find(principal, responseId, "response_id")
  return yield* Effect.fail(
    OpenAiError.invalid(
      "response_id",
      `a response is deleted with its session: DELETE /api/v1/sessions/${session.sessionId}`,
      "unsupported_operation"
    )
  )
})

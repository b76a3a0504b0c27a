/**
 * Opens the session of a request once. A request that is repeated with its `Idempotency-Key` continues in the same
 * session at the same position, which prevents a second fork or turn.
 */
import { Authorization } from "@bough/gateway-api"
import { Session } from "@bough/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import * as IdempotencyRows from "../../operations/IdempotencyRows.ts"
import * as OpenAiError from "./OpenAiError.ts"
import type { RequestKey } from "./RequestKey.ts"

const OpenedRequest = Schema.Struct({
  sessionId: Session.SessionId,
  /** The length of the session's journal when the request was made. */
  entries: Schema.Natural,
  /** True if the session was made for the request, so that its message contains the conversation so far. */
  isNew: Schema.Boolean,
  /** How far the client has received the session's streams; null: unknown. */
  places: Schema.NullOr(Schema.Record(Schema.String, Schema.Natural))
})
export type OpenedRequest = typeof OpenedRequest.Type

const Stored = Schema.fromJsonString(OpenedRequest)
const decode = Schema.decodeUnknownEffect(Stored)
const encode = Schema.encodeEffect(Stored)

export class OpenedRequests extends Context.Service<
  OpenedRequests,
  {
    readonly once: <E, R>(
      principal: Authorization.Principal,
      key: RequestKey,
      open: Effect.Effect<OpenedRequest, E, R>
    ) => Effect.Effect<OpenedRequest, E | OpenAiError.OpenAiError, R>
  }
>()("@bough/gateway/OpenedRequests") {}

export const layer: Layer.Layer<OpenedRequests, never, SqlClient.SqlClient> = Layer.effect(
  OpenedRequests,
  Effect.gen(function* () {
    const rows = yield* IdempotencyRows.make
    return OpenedRequests.of({
      once: (principal, { digest, text }, open) =>
        Effect.gen(function* () {
          if (digest === null) return yield* open
          // Keys of the gateway's own API contain no space, so these keys differ from them.
          const keyed = { user: Authorization.userKey(principal), key: `/v1 ${text}`, digest }
          const claim = yield* rows.claim(keyed)
          switch (claim._tag) {
            case "Reused":
              return yield* Effect.fail(OpenAiError.keyReused)
            case "InProgress":
              return yield* Effect.fail(OpenAiError.keyInProgress)
            case "Repeated":
              return yield* Effect.orDie(decode(claim.answer.body))
            case "Claimed":
              // If the client disconnects now, its repeated request must still find the fork.
              return yield* Effect.uninterruptible(
                open.pipe(
                  Effect.tap((opened) =>
                    Effect.flatMap(Effect.orDie(encode(opened)), (body) =>
                      rows.keep(keyed, { status: 200, headers: {}, body })
                    )
                  ),
                  Effect.onError(() => rows.forget(keyed))
                )
              )
          }
        })
    })
  })
)

/** Handlers of messages: a confirmed message is durable. */
import { Api, Authorization, Problem } from "@bough/gateway-api"
import { imageType } from "@bough/pack-files"
import type { Message } from "@bough/protocol"
import { Host } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Quotas } from "../accounts/Quotas.ts"
import { Attachments } from "../files/Attachments.ts"
import * as MessageFiles from "../files/MessageFiles.ts"
import { AgentCatalog } from "../sessions/AgentCatalog.ts"
import { OwnSessions } from "../sessions/OwnSessions.ts"
import * as SessionQuota from "../sessions/SessionQuota.ts"

/** True if the bytes are of the declared image type. */
const isImage = ({ data, mediaType }: Message.Media): boolean =>
  imageType(Buffer.from(data.slice(0, 64), "base64")) === mediaType

/** The sender of a request: the user, with the key of the request. */
const senderOf = (principal: Authorization.Principal, key: string | undefined) => ({
  principal: Authorization.userKey(principal),
  ...(key === undefined ? {} : { key })
})

export const layer = HttpApiBuilder.group(
  Api.Api,
  "messages",
  Effect.fnUntraced(function* (handlers) {
    const host = yield* Host.Host
    const ownSessions = yield* OwnSessions
    const quotas = yield* Quotas
    const attachments = yield* Attachments
    const catalog = yield* AgentCatalog
    return handlers.handleAll({
      send: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const principal = yield* Authorization.CurrentPrincipal
        const session = yield* ownSessions.find(params.sessionId)
        const { sessionId, treeId } = session
        const missing = yield* catalog.missing(session)
        if (missing !== null) return yield* new Problem.Unprocessable({ code: "unknown_agent", detail: missing })
        yield* SessionQuota.requireMoney(quotas, principal)
        const { delivery = "queue" } = payload
        if (!(payload.media ?? []).every(isImage)) {
          return yield* new Problem.Unprocessable({
            code: "invalid_media",
            detail: "media can contain only PNG, JPEG, GIF or WebP images; upload other files as attachments"
          })
        }
        const attached = yield* Effect.forEach(payload.attachments ?? [], (id) =>
          Effect.flatMap(attachments.find(treeId, id), (found) =>
            found === null ? Effect.fail(new Problem.NotFound({ detail: "no such attachment" })) : Effect.succeed(found)
          )
        )
        const files = yield* MessageFiles.make(session, attached)
        const text = `${payload.text}${files.text}`
        const media = [...(payload.media ?? []), ...files.media]
        const from = senderOf(principal, headers["idempotency-key"])
        const sent =
          delivery === "steer"
            ? host.steer(sessionId, { text, media }, from)
            : host.send(sessionId, { text, media }, from)
        return yield* Effect.catchTags(sent, {
          NotAMain: ({ treeId }: { readonly treeId: string }) =>
            Effect.fail(
              new Problem.Conflict({
                code: "not_a_main_session",
                detail: `messages go to ${treeId}; this session can be steered`
              })
            ),
          SessionNotFound: () => Effect.fail(new Problem.NotFound({})),
          NotAuthorised: () => Effect.fail(new Problem.NotFound({})),
          PrincipalRefused: Effect.die,
          StoreFailed: Effect.die
        })
      }),
      cancel: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const principal = yield* Authorization.CurrentPrincipal
        const { sessionId } = yield* ownSessions.find(params.sessionId)
        const from = senderOf(principal, headers["idempotency-key"])
        return yield* Effect.catchTags(host.cancel(sessionId, payload.reason ?? "stopped by the user", from), {
          SessionNotFound: () => Effect.fail(new Problem.NotFound({})),
          NotAuthorised: () => Effect.fail(new Problem.NotFound({})),
          PrincipalRefused: Effect.die,
          StoreFailed: Effect.die
        })
      })
    })
  })
)

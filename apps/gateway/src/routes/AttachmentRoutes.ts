/** Handlers of attachments: uploads are written to disk as they arrive, downloads are saved and never displayed. */
import { Api, Attachments as AttachmentsApi, Authorization, Problem } from "@bough/gateway-api"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { createReadStream } from "node:fs"
import { type AttachmentLocation, Attachments, type StoredAttachment } from "../files/Attachments.ts"
import * as DownloadResponse from "../files/DownloadResponse.ts"
import { OwnSessions } from "../sessions/OwnSessions.ts"
import * as SessionQuota from "../sessions/SessionQuota.ts"
import * as RowCursor from "./RowCursor.ts"

const defaultLimit = 50

/** An attachment as the API shows it: without its path on disk. */
const view = ({ path: _, ...attachment }: StoredAttachment): AttachmentsApi.Attachment => attachment

export const layer = HttpApiBuilder.group(
  Api.Api,
  "attachments",
  Effect.fnUntraced(function* (handlers) {
    const ownSessions = yield* OwnSessions
    const attachments = yield* Attachments

    const find = Effect.fnUntraced(function* (sessionId: string, attachmentId: string) {
      const { treeId } = yield* ownSessions.find(sessionId)
      return (yield* attachments.find(treeId, attachmentId)) ?? (yield* new Problem.NotFound({}))
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ params, query }) {
        const { treeId } = yield* ownSessions.find(params.sessionId)
        const limit = query.limit ?? defaultLimit
        const after: AttachmentLocation | null =
          query.cursor === undefined ? null : yield* RowCursor.decode(query.cursor)
        const page = yield* attachments.list(treeId, { limit: limit + 1, after })
        return RowCursor.page(page, limit)
      }),
      upload: Effect.fnUntraced(function* ({ headers, params, payload, query }) {
        const principal = yield* Authorization.CurrentPrincipal
        const { treeId } = yield* ownSessions.find(params.sessionId)
        const options = { treeId, name: query.name, key: headers["idempotency-key"] ?? null }
        return yield* attachments.upload(principal, options, payload).pipe(
          Effect.catchTags({
            QuotaExceeded: SessionQuota.refuse,
            HttpApiPayloadTooLarge: () => Effect.fail(new Problem.PayloadTooLarge({}))
          })
        )
      }),
      get: ({ params }) => Effect.map(find(params.sessionId, params.attachmentId), view),
      download: Effect.fnUntraced(function* ({ params }) {
        const { bytes, mediaType, name, path } = yield* find(params.sessionId, params.attachmentId)
        const content = NodeStream.fromReadable({ evaluate: () => createReadStream(path), onError: (error) => error })
        return DownloadResponse.make({ name, mediaType, bytes, content })
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { id, treeId } = yield* find(params.sessionId, params.attachmentId)
        yield* attachments.remove(treeId, id)
      })
    })
  })
)

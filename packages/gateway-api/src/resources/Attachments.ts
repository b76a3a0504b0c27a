/** Files that the user attaches to a session, for its messages. */
import { Session as SessionData } from "@bough/protocol"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import * as Idempotency from "../Idempotency.ts"
import { limits } from "../Limits.ts"
import * as Page from "../Page.ts"
import { Conflict, NotFound, PayloadTooLarge, TooManyRequests, UnsupportedMediaType } from "../Problem.ts"
import { Download, FileName, Upload } from "./Files.ts"
import { sessionParams } from "./Sessions.ts"

export const AttachmentId = Schema.NonEmptyString.check(Schema.isMaxLength(100))

export const Attachment = Schema.Struct({
  id: AttachmentId,
  /** The Main whose tree contains it, and with which it is deleted. */
  treeId: SessionData.SessionId,
  name: FileName,
  /** Detected from the bytes, not from the name or the request. */
  mediaType: Schema.String,
  bytes: Schema.Natural,
  /** `sha256:` and hexadecimal digits. */
  digest: Schema.String,
  createdAtMillis: Schema.Natural
}).annotate({ identifier: "Attachment" })
export type Attachment = typeof Attachment.Type

const attachmentParams = { ...sessionParams, attachmentId: AttachmentId }

export class AttachmentsApi extends HttpApiGroup.make("attachments")
  .add(
    /** Lists the attachments, oldest first. */
    HttpApiEndpoint.get("list", "/:sessionId/attachments", {
      params: sessionParams,
      query: { limit: Page.limit, cursor: Page.cursor },
      success: Page.pageOf(Attachment),
      error: NotFound
    }).annotate(RequiredScope, "read"),
    /** Uploads a file, which is the body. It counts towards the tenant's quotas of attachments and storage. */
    HttpApiEndpoint.post("upload", "/:sessionId/attachments", {
      params: sessionParams,
      headers: Idempotency.headers,
      query: { name: FileName },
      payload: Upload,
      success: Attachment.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict, PayloadTooLarge, UnsupportedMediaType, TooManyRequests]
    }).annotate(RequiredScope, "chat"),
    HttpApiEndpoint.get("get", "/:sessionId/attachments/:attachmentId", {
      params: attachmentParams,
      success: Attachment,
      error: NotFound
    }).annotate(RequiredScope, "read"),
    HttpApiEndpoint.get("download", "/:sessionId/attachments/:attachmentId/content", {
      params: attachmentParams,
      success: Download,
      error: NotFound
    }).annotate(RequiredScope, "read"),
    /** Removes an attachment. Messages that were sent with it keep their copy. */
    HttpApiEndpoint.delete("remove", "/:sessionId/attachments/:attachmentId", {
      params: attachmentParams,
      headers: Idempotency.headers,
      error: NotFound
    })
      .annotate(RequiredScope, "chat")
      .middleware(Idempotency.Idempotency)
  )
  .middleware(Authorization)
  .prefix("/api/v1/sessions") {}

/** Attachments of one message. */
export const MessageAttachments = Schema.Array(AttachmentId).check(Schema.isMaxLength(limits.attachmentsPerMessage))

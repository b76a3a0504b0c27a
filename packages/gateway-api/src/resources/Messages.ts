/**
 * The user's messages to a session, which are queued or steered into the running turn, and the cancellation of a turn.
 */
import { Message as MessageData } from "@bough/protocol"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import * as Idempotency from "../Idempotency.ts"
import * as OptionalBody from "../OptionalBody.ts"
import { Conflict, NotFound, Unprocessable } from "../Problem.ts"
import { MessageAttachments } from "./Attachments.ts"
import { sessionParams } from "./Sessions.ts"

export const SendMessage = Schema.Struct({
  text: Schema.NonEmptyString,
  /** Images. */
  media: Schema.optionalKey(Schema.Array(MessageData.Media)),
  /**
   * Attachments of the session. Images are shown to the model, other files are copied into the workspace and named in
   * the message.
   */
  attachments: Schema.optionalKey(MessageAttachments),
  /**
   * `queue`, the default, starts a turn, or waits for the end of the running one; `steer` joins the running turn before its
   * next step.
   */
  delivery: Schema.optionalKey(Schema.Literals(["queue", "steer"]))
}).annotate({ identifier: "SendMessage" })

/**
 * The response to a message, which is durable by then. `inserted` is false if an earlier request with that key sent it.
 */
export const Accepted = Schema.Struct({ inserted: Schema.Boolean }).annotate({ identifier: "Accepted" })

export const Cancel = Schema.Struct({
  reason: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(1000)))
}).annotate({ identifier: "Cancel" })

export class MessagesApi extends HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.post("send", "/:sessionId/messages", {
      params: sessionParams,
      headers: Idempotency.headers,
      payload: SendMessage,
      success: Accepted.pipe(HttpApiSchema.status(202)),
      error: [NotFound, Conflict, Unprocessable]
    }).annotate(RequiredScope, "chat"),
    /** Stops the work of the session and its children; later messages start a new turn. */
    HttpApiEndpoint.post("cancel", "/:sessionId/cancel", {
      params: sessionParams,
      headers: Idempotency.headers,
      payload: OptionalBody.make(Cancel),
      success: Accepted.pipe(HttpApiSchema.status(202)),
      error: NotFound
    })
      .annotate(RequiredScope, "chat")
      .annotateMerge(OptionalBody.documented)
  )
  .middleware(Idempotency.Idempotency)
  .middleware(Authorization)
  .prefix("/api/v1/sessions") {}

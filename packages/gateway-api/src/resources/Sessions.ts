/** Sessions of the user: what they are, and what may be done to them as a whole. */
import { Session as SessionData } from "@bough/protocol"
import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import * as Idempotency from "../Idempotency.ts"
import { limits } from "../Limits.ts"
import * as Page from "../Page.ts"
import { Conflict, NotFound, Unprocessable } from "../Problem.ts"

export const Session = Schema.Struct({
  id: SessionData.SessionId,
  /** The Main that it is, or that it works for. */
  treeId: SessionData.SessionId,
  kind: SessionData.Kind,
  state: SessionData.SessionState,
  title: Schema.String,
  agent: Schema.String,
  /** The folder that it works in; null: not one of the user's workspaces. */
  workspaceId: Schema.NullOr(Schema.String),
  entries: Schema.Natural,
  createdAtMillis: Schema.Natural,
  updatedAtMillis: Schema.Natural
}).annotate({ identifier: "Session" })
export type Session = typeof Session.Type

export const CreateSession = Schema.Struct({
  /** Default: the server's only agent, or its first. */
  agent: Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxLength(100))),
  /** A workspace of the user; default: a new, empty one. */
  workspaceId: Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxLength(100)))
}).annotate({ identifier: "CreateSession" })

export const sessionParams = { sessionId: Schema.NonEmptyString.check(Schema.isMaxLength(limits.titleLength)) }

export class SessionsApi extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { limit: Page.limit, cursor: Page.cursor, state: Schema.optionalKey(SessionData.SessionState) },
      success: Page.pageOf(Session)
    }).annotate(RequiredScope, "read"),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: CreateSession,
      success: Session.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict, Unprocessable]
    }).annotate(RequiredScope, "chat"),
    HttpApiEndpoint.get("get", "/:sessionId", { params: sessionParams, success: Session, error: NotFound }).annotate(
      RequiredScope,
      "read"
    ),
    HttpApiEndpoint.delete("remove", "/:sessionId", {
      params: sessionParams,
      headers: Idempotency.headers,
      error: [NotFound, Conflict]
    }).annotate(RequiredScope, "chat")
  )
  .middleware(Authorization)
  .prefix("/api/v1/sessions") {}

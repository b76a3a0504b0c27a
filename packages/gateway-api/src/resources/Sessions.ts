/** The user's sessions, and the operations on a session as a whole. */
import { Session as SessionData } from "@bough/protocol"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import * as Idempotency from "../Idempotency.ts"
import { limits } from "../Limits.ts"
import * as OptionalBody from "../OptionalBody.ts"
import * as Page from "../Page.ts"
import { Conflict, NotFound, PreconditionFailed, Unprocessable } from "../Problem.ts"

export const Session = Schema.Struct({
  id: SessionData.SessionId,
  /** The Main of its tree, which may be the session itself. */
  treeId: SessionData.SessionId,
  kind: SessionData.Kind,
  state: SessionData.SessionState,
  title: Schema.String,
  agent: Schema.String,
  /** The workspace in which it works; null: not one of the user's workspaces. */
  workspaceId: Schema.NullOr(Schema.String),
  entries: Schema.Natural,
  createdAtMillis: Schema.Natural,
  updatedAtMillis: Schema.Natural,
  /** Null: it is not archived. */
  archivedAtMillis: Schema.NullOr(Schema.Natural)
}).annotate({ identifier: "Session" })
export type Session = typeof Session.Type

export const CreateSession = Schema.Struct({
  /** Default: `bough`. */
  agent: Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxLength(100))),
  /** One of the server's models, for the session and its descendants. Default: the agent's model. */
  model: Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxLength(limits.titleLength))),
  /** A workspace of the user; default: a new, empty one. */
  workspaceId: Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxLength(100)))
}).annotate({ identifier: "CreateSession" })

export const ChangeSession = Schema.Struct({
  title: Schema.optionalKey(Schema.NonEmptyString.check(Schema.isMaxLength(limits.titleLength))),
  archived: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ChangeSession" })

export const ForkSession = Schema.Struct({
  /** The last entry that the fork copies: the end of a step. Default: the newest entry. */
  throughSeq: Schema.optionalKey(Schema.Natural)
}).annotate({ identifier: "ForkSession" })

/**
 * The mode of a session and its descendants: `auto` follows the rules, `ask` needs an approval for every change, `plan`
 * denies changes.
 */
export const SessionMode = Schema.Struct({ mode: Schema.Literals(["auto", "ask", "plan"]) }).annotate({
  identifier: "SessionMode"
})

/** A message that matches a search. */
export const SearchHit = Schema.Struct({
  sessionId: SessionData.SessionId,
  sequence: Schema.Natural,
  speaker: Schema.Literals(["user", "agent"]),
  text: Schema.String,
  title: Schema.String,
  updatedAtMillis: Schema.Natural
}).annotate({ identifier: "SearchHit" })

/** The session with the ETag of its editable part: title and archive time. */
const withETag = HttpApiSchema.WithHeaders(Session, { etag: Schema.String })

export const sessionParams = { sessionId: Schema.NonEmptyString.check(Schema.isMaxLength(limits.titleLength)) }

export class SessionsApi extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        limit: Page.limit,
        cursor: Page.cursor,
        state: Schema.optionalKey(SessionData.SessionState),
        /** Default: sessions that are not archived. */
        archived: Schema.optionalKey(Schema.Literals(["true", "false", "any"])),
        /** A part of the title. */
        title: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(limits.titleLength)))
      },
      success: Page.pageOf(Session)
    }).annotate(RequiredScope, "read"),
    HttpApiEndpoint.post("create", "/", {
      headers: Idempotency.headers,
      payload: OptionalBody.make(CreateSession),
      success: Session.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict, Unprocessable]
    })
      .annotate(RequiredScope, "chat")
      .annotateMerge(OptionalBody.documented),
    /** Finds messages in all sessions of the user, best matches first. */
    HttpApiEndpoint.get("search", "/search", {
      query: {
        text: Schema.NonEmptyString.check(Schema.isMaxLength(1000)),
        limit: Page.limit
      },
      success: Schema.Struct({ items: Schema.Array(SearchHit) })
    }).annotate(RequiredScope, "read"),
    HttpApiEndpoint.get("get", "/:sessionId", { params: sessionParams, success: withETag, error: NotFound }).annotate(
      RequiredScope,
      "read"
    ),
    /** Renames or archives a session; with `If-Match` only if it is unchanged. */
    HttpApiEndpoint.patch("change", "/:sessionId", {
      params: sessionParams,
      headers: { ...Idempotency.headers, "if-match": Schema.optionalKey(Schema.String) },
      payload: ChangeSession,
      success: withETag,
      error: [NotFound, PreconditionFailed]
    }).annotate(RequiredScope, "chat"),
    /** Reads the mode of the session's tree. */
    HttpApiEndpoint.get("mode", "/:sessionId/mode", {
      params: sessionParams,
      success: SessionMode,
      error: NotFound
    }).annotate(RequiredScope, "read"),
    /** Changes the mode of the session's tree, also while it works. The scope is `approve`: a mode decides what asks. */
    HttpApiEndpoint.put("changeMode", "/:sessionId/mode", {
      params: sessionParams,
      headers: Idempotency.headers,
      payload: SessionMode,
      success: SessionMode,
      error: NotFound
    }).annotate(RequiredScope, "approve"),
    /** Creates a session with the entries of this session, up to the end of a step. */
    HttpApiEndpoint.post("fork", "/:sessionId/fork", {
      params: sessionParams,
      headers: Idempotency.headers,
      payload: OptionalBody.make(ForkSession),
      success: Session.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict, Unprocessable]
    })
      .annotate(RequiredScope, "chat")
      .annotateMerge(OptionalBody.documented),
    /** Exports every entry of the session and its descendants, one JSON line each, in the order of their commits. */
    HttpApiEndpoint.get("export", "/:sessionId/export", {
      params: sessionParams,
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/x-ndjson" }),
      error: NotFound
    }).annotate(RequiredScope, "read"),
    HttpApiEndpoint.delete("remove", "/:sessionId", {
      params: sessionParams,
      headers: Idempotency.headers,
      error: [NotFound, Conflict]
    }).annotate(RequiredScope, "chat")
  )
  .middleware(Idempotency.Idempotency)
  .middleware(Authorization)
  .prefix("/api/v1/sessions") {}

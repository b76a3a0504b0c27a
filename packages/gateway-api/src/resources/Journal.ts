/** The journal of a session and its tree: its descendants, its entries, and the stream of its frames. */
import { Budget, Session as SessionData } from "@bough/protocol"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import { Entry, Frame, FrameId } from "../Frame.ts"
import * as Page from "../Page.ts"
import { Conflict, NotFound, TooManyRequests } from "../Problem.ts"
import { Session, sessionParams } from "./Sessions.ts"

const fromSeq = Schema.FiniteFromString.check(Schema.isInt(), Schema.isGreaterThanOrEqualTo(0))

/** A session in its tree: its state, its pending work and its cost. */
export const TreeSession = Schema.Struct({
  ...Session.fields,
  /** Null for the Main. */
  parentId: Schema.NullOr(SessionData.SessionId),
  turn: Schema.Natural,
  step: Schema.Natural,
  /** The pending approvals of the session itself. */
  approvals: Schema.Array(SessionData.ApprovalId),
  /** Its children that have not ended. */
  liveChildren: Schema.Array(SessionData.SessionId),
  /** The usage of the session and its ended descendants. */
  spent: Budget.BudgetSpent,
  /** The limit of the session with all of its descendants; null: no limit is recorded. */
  limit: Schema.NullOr(Budget.Limit)
}).annotate({ identifier: "TreeSession" })
export type TreeSession = typeof TreeSession.Type

export const Tree = Schema.Struct({ treeId: Schema.String, sessions: Schema.Array(TreeSession) }).annotate({
  identifier: "Tree"
})

/** The id of a frame; `latest`: only frames from now on. */
export const After = Schema.Union([FrameId, Schema.Literal("latest")])

export class JournalApi extends HttpApiGroup.make("journal")
  .add(
    /** Lists every session of the tree: the Main first, and each session before those that it started. */
    HttpApiEndpoint.get("tree", "/:sessionId/tree", {
      params: sessionParams,
      success: Tree,
      error: NotFound
    }).annotate(RequiredScope, "read"),
    /** Entries of one session from `fromSeq` on, oldest first. */
    HttpApiEndpoint.get("entries", "/:sessionId/entries", {
      params: sessionParams,
      query: { fromSeq: Schema.optionalKey(fromSeq), limit: Page.limit },
      success: Schema.Struct({ items: Schema.Array(Entry), nextSeq: Schema.NullOr(Schema.Natural) }),
      error: NotFound
    }).annotate(RequiredScope, "read"),
    /**
     * Streams the frames of a session and its descendants as server-sent events, without end. Without an id, the stream
     * begins with the first entry of the tree.
     */
    HttpApiEndpoint.get("events", "/:sessionId/events", {
      params: sessionParams,
      query: { after: Schema.optionalKey(After) },
      headers: { "last-event-id": Schema.optionalKey(Schema.String) },
      success: HttpApiSchema.StreamSse({ data: Frame }),
      error: [NotFound, Conflict, TooManyRequests]
    }).annotate(RequiredScope, "read"),
    /** Streams the frames over a WebSocket, one text message each; messages of the client are ignored. */
    HttpApiEndpoint.get("socket", "/:sessionId/socket", {
      params: sessionParams,
      query: { after: Schema.optionalKey(After) },
      success: HttpApiSchema.Empty(101),
      error: [NotFound, Conflict, TooManyRequests]
    }).annotate(RequiredScope, "read")
  )
  .middleware(Authorization)
  .prefix("/api/v1/sessions") {}

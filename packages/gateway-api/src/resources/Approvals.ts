/** Calls that wait for a decision of the user, and the decision. */
import { Approval as ApprovalData } from "@bough/protocol"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import * as Idempotency from "../Idempotency.ts"
import { Conflict, NotFound, Unprocessable } from "../Problem.ts"
import { Accepted } from "./Messages.ts"

export const Approval = Schema.Struct({
  request: ApprovalData.Request,
  /** `open` is false if the approval was decided, used or withdrawn, or its deadline has passed. */
  open: Schema.Boolean,
  /** The sessions from the Main down to the requesting session. */
  askedBy: Schema.Array(Schema.Struct({ sessionId: Schema.String, kind: Schema.String, title: Schema.String })),
  /** The rule that `always` would save; null: none is offered. */
  rule: Schema.NullOr(Schema.String),
  /** The time on the store's clock, to which deadlines refer. */
  nowMillis: Schema.Natural
}).annotate({ identifier: "Approval" })
export type Approval = typeof Approval.Type

export const Decision = Schema.Union([
  Schema.Struct({
    decision: Schema.Literal("approve"),
    /** Must equal the rule that the approval shows; any other text is refused. */
    always: Schema.optionalKey(Schema.Struct({ rule: Schema.NonEmptyString, scope: ApprovalData.Scope }))
  }),
  Schema.Struct({
    decision: Schema.Literal("deny"),
    words: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(4000)))
  })
]).annotate({ identifier: "Decision" })

const params = { approvalId: Schema.NonEmptyString.check(Schema.isMaxLength(200)) }

export class ApprovalsApi extends HttpApiGroup.make("approvals")
  .add(
    /** Lists pending approvals, oldest first. */
    HttpApiEndpoint.get("list", "/", {
      query: { sessionId: Schema.optionalKey(Schema.String) },
      success: Schema.Struct({ items: Schema.Array(Approval) }),
      error: NotFound
    }).annotate(RequiredScope, "read"),
    HttpApiEndpoint.get("get", "/:approvalId", { params, success: Approval, error: NotFound }).annotate(
      RequiredScope,
      "read"
    ),
    /** The first decision counts; repeating it is accepted, another decision is a conflict. */
    HttpApiEndpoint.post("decide", "/:approvalId/decision", {
      params,
      headers: Idempotency.headers,
      payload: Decision,
      success: Accepted,
      error: [NotFound, Conflict, Unprocessable]
    }).annotate(RequiredScope, "approve")
  )
  .middleware(Idempotency.Idempotency)
  .middleware(Authorization)
  .prefix("/api/v1/approvals") {}

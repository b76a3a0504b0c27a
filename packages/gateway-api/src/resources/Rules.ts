/** Rules that the user saved with approvals: for all sessions, for a workspace, or for one tree. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"
import * as Idempotency from "../Idempotency.ts"
import { NotFound } from "../Problem.ts"
import { sessionParams } from "./Sessions.ts"

export const SavedRule = Schema.Struct({
  id: Schema.String,
  rule: Schema.String,
  scope: Schema.Literals(["project", "user"]),
  /** The workspace in which the rule applies; null: all workspaces. */
  workspaceId: Schema.NullOr(Schema.String),
  savedAtMillis: Schema.Natural
}).annotate({ identifier: "SavedRule" })

export class RulesApi extends HttpApiGroup.make("rules")
  .add(
    HttpApiEndpoint.get("list", "/rules", { success: Schema.Struct({ items: Schema.Array(SavedRule) }) }).annotate(
      RequiredScope,
      "read"
    ),
    /** Removes a rule, which no longer applies from the next call on. */
    HttpApiEndpoint.delete("remove", "/rules/:ruleId", {
      params: { ruleId: Schema.NonEmptyString.check(Schema.isMaxLength(100)) },
      headers: Idempotency.headers,
      error: NotFound
    }).annotate(RequiredScope, "approve"),
    /** The rules that apply to one tree. */
    HttpApiEndpoint.get("ofSession", "/sessions/:sessionId/rules", {
      params: sessionParams,
      success: Schema.Struct({ items: Schema.Array(Schema.String) }),
      error: NotFound
    }).annotate(RequiredScope, "read"),
    /** Revokes a rule of the tree. */
    HttpApiEndpoint.post("revoke", "/sessions/:sessionId/rules/revocations", {
      params: sessionParams,
      headers: Idempotency.headers,
      payload: Schema.Struct({ rule: Schema.NonEmptyString }),
      success: Schema.Struct({ inserted: Schema.Boolean }),
      error: NotFound
    }).annotate(RequiredScope, "approve")
  )
  .middleware(Idempotency.Idempotency)
  .middleware(Authorization)
  .prefix("/api/v1") {}

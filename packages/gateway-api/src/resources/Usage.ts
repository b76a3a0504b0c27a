/** Tokens and cost of the user's sessions, by day, model and session. */
import { Session } from "@bough/protocol"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Authorization, RequiredScope } from "../Authorization.ts"

const day = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u))

/** The model calls of one tree with one model on one UTC day. */
export const UsageRow = Schema.Struct({
  day,
  model: Schema.String,
  treeId: Session.SessionId,
  steps: Schema.Natural,
  inputTokens: Schema.Natural,
  cachedInputTokens: Schema.Natural,
  outputTokens: Schema.Natural,
  /** Null: the price of a call is not known. */
  costUsd: Schema.NullOr(Schema.Finite)
}).annotate({ identifier: "UsageRow" })

export class UsageApi extends HttpApiGroup.make("usage")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        from: Schema.optionalKey(day),
        to: Schema.optionalKey(day),
        sessionId: Schema.optionalKey(Schema.String)
      },
      success: Schema.Struct({ items: Schema.Array(UsageRow) })
    }).annotate(RequiredScope, "read")
  )
  .middleware(Authorization)
  .prefix("/api/v1/usage") {}

/** The verifiable record after a call. Times are epoch milliseconds on the store's clock. */
import * as Schema from "effect/Schema"
import { Artifact } from "./Artifact.ts"
import { ApprovalId, SessionId, ToolCallId } from "./Session.ts"
import { Tier } from "./Tier.ts"

/** Who let the call happen. */
export const Authority = Schema.TaggedUnion({
  /** The tier needs no decision, or the sandbox confines it. */
  Automatic: {},
  /** A human's saved or given rule, shown as it was written. */
  Rule: { rule: Schema.String },
  /** The operator's configuration or command line. */
  Config: { source: Schema.String },
  User: { approvalId: ApprovalId, principal: Schema.String }
})
export type Authority = typeof Authority.Type

export const Receipt = Schema.Struct({
  sessionPath: Schema.Array(SessionId),
  toolCallId: ToolCallId,
  /** Digest of session and call: the key of an Idempotent effect. */
  callKey: Schema.String,
  tool: Schema.String,
  version: Schema.Natural,
  tier: Tier,
  argumentsDigest: Schema.String,
  outputDigest: Schema.NullOr(Schema.String),
  artifacts: Schema.Array(Artifact),
  authority: Authority,
  attempt: Schema.Natural,
  startedAtMillis: Schema.Natural,
  elapsedMillis: Schema.Natural
})
export type Receipt = typeof Receipt.Type

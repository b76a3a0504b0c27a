/** The verifiable record of a finished call. Times are epoch milliseconds on the store's clock. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Artifact } from "./Artifact.ts"
import * as Canonical from "./Canonical.ts"
import { ApprovalId, SessionId, ToolCallId } from "./Session.ts"
import { Tier } from "./Tier.ts"

/** The authority by which a call was allowed. */
export const Authority = Schema.TaggedUnion({
  /** The tier needs no decision, or the sandbox confines the call. */
  Automatic: {},
  /** A rule that a user saved or gave, in its original text. */
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
  /**
   * The arguments as canonical JSON, if no reply contains them in that form: defaults were filled in, or a user made
   * the call.
   */
  arguments: Schema.optionalKey(Schema.String),
  outputDigest: Schema.NullOr(Schema.String),
  /** The digest of the full text that the model reads; absent: the model reads the output itself. */
  textDigest: Schema.optionalKey(Schema.String),
  artifacts: Schema.Array(Artifact),
  authority: Authority,
  attempt: Schema.Natural,
  startedAtMillis: Schema.Natural,
  elapsedMillis: Schema.Natural,
  /** The call whose recorded result was reused for this one; absent if this call ran. */
  cached: Schema.optionalKey(Schema.Struct({ sessionId: SessionId, toolCallId: ToolCallId })),
  /**
   * The recorded states of the workspace around the call, which `bough undo` restores; `after` is null if that state
   * was not recorded.
   */
  workspace: Schema.optionalKey(Schema.Struct({ before: Schema.String, after: Schema.NullOr(Schema.String) })),
  /** The git commit of the workspace; absent: there is none, or it is not known. */
  commit: Schema.optionalKey(Schema.String)
})
export type Receipt = typeof Receipt.Type

/** The key of a call's effects: the same for every attempt, different for every call. */
export const callKeyOf = (sessionId: SessionId, toolCallId: ToolCallId): string =>
  Canonical.digest(JSON.stringify([sessionId, toolCallId]))

/** Returns the canonical form of arguments that a model wrote; null: they are not JSON. */
export const canonicalArguments = (written: string): string | null =>
  Result.getOrNull(Result.try(() => Canonical.stringify(JSON.parse(written.trim() === "" ? "{}" : written))))

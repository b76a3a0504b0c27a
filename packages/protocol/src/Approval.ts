/** One decision of a user on one call. Deadlines are epoch milliseconds on the store's clock. */
import * as Schema from "effect/Schema"
import { ApprovalId, SessionId, ToolCallId } from "./Session.ts"
import { Tier } from "./Tier.ts"

/** A fact that a preview relied on. It is read again before the intent; a change makes the approval lapse. */
export const Precondition = Schema.TaggedUnion({
  /** `digest` null: the file did not exist. */
  FileDigest: { path: Schema.String, digest: Schema.NullOr(Schema.String) },
  /** The device and inode numbers of the working directory. */
  Directory: { path: Schema.String, identity: Schema.String },
  EnvironmentKeys: { keys: Schema.Array(Schema.String) },
  SandboxProfile: { profile: Schema.String },
  /** The addresses of a name when it was shown, sorted. */
  Addresses: { host: Schema.String, port: Schema.Int, addresses: Schema.Array(Schema.String) },
  /** The digest of the number of runs, per session of the tree, of tools that may write the workspace. */
  WorkspaceWrites: { digest: Schema.String },
  /** A pack's own fact: `key` names the subject, as in "acme/table orders"; `digest` changes with its state. */
  Fact: { key: Schema.NonEmptyString, digest: Schema.String }
})
export type Precondition = typeof Precondition.Type

/** The text that a user sees: `render` is plain text, escaped by the program that shows it. */
export const Preview = Schema.Struct({ render: Schema.String, preconditions: Schema.Array(Precondition) })
export type Preview = typeof Preview.Type

/** A request for approval. An approval is valid for exactly these facts. */
export const Request = Schema.Struct({
  approvalId: ApprovalId,
  sessionPath: Schema.Array(SessionId),
  toolCallId: ToolCallId,
  tool: Schema.String,
  version: Schema.Natural,
  tier: Tier,
  /** The decoded arguments as canonical JSON, which run if the call is approved. */
  arguments: Schema.String,
  argumentsDigest: Schema.String,
  preview: Preview,
  /** The reason of the request, for the user. */
  reason: Schema.String,
  /** True: no rule can cover this request, so none is offered. */
  everyTime: Schema.optionalKey(Schema.Boolean),
  /** The host and port that an approval opens to the tree; absent: the approval opens no host. */
  opensHost: Schema.optionalKey(Schema.String),
  /** The rule that "always" saves; absent: it follows from the facts above, or there is none. */
  rule: Schema.optionalKey(Schema.String),
  /** The URL of the host that the command of this running call waits to reach; absent: the call itself waits. */
  reaches: Schema.optionalKey(Schema.String),
  askedAtMillis: Schema.Natural,
  expiresAtMillis: Schema.Natural
})
export type Request = typeof Request.Type

/** The reach of a rule that a user gives with a decision: the tree, the workspace, or every session of the user. */
export const Scope = Schema.Literals(["session", "project", "user"])
export type Scope = typeof Scope.Type

/**
 * `Approved`, `Denied` come from users; the other kinds end a request without a user. The first stored decision counts.
 */
export const Decision = Schema.TaggedUnion({
  /** The rule applies to the tree if `scope` is missing. */
  Approved: { rule: Schema.NullOr(Schema.String), scope: Schema.optionalKey(Scope) },
  Denied: { words: Schema.NullOr(Schema.String) },
  Expired: {},
  Withdrawn: { reason: Schema.String }
})
export type Decision = typeof Decision.Type

/** The kind of a decision, without its words. */
export const DecisionTag = Schema.Literals(["Approved", "Denied", "Expired", "Withdrawn"]) satisfies Schema.Schema<
  Decision["_tag"]
>

/** One human decision on one call. Deadlines are epoch milliseconds on the store's clock. */
import * as Schema from "effect/Schema"
import { ApprovalId, SessionId, ToolCallId } from "./Session.ts"
import { Tier } from "./Tier.ts"

/** A fact that a preview relied on. It is read again before the intent; a change makes the approval lapse. */
export const Precondition = Schema.TaggedUnion({
  /** `digest` null: the file did not exist. */
  FileDigest: { path: Schema.String, digest: Schema.NullOr(Schema.String) },
  /** Device and inode of the working directory. */
  Directory: { path: Schema.String, identity: Schema.String },
  EnvironmentKeys: { keys: Schema.Array(Schema.String) },
  SandboxProfile: { profile: Schema.String },
  /** Where a name led when it was shown, sorted. */
  Addresses: { host: Schema.String, port: Schema.Int, addresses: Schema.Array(Schema.String) },
  /** Digest of how often each session of the tree has run what may write the workspace. */
  WorkspaceWrites: { digest: Schema.String },
  /** A pack's own: `key` names the subject, as in "acme/table orders"; `digest` changes with its state. */
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
  /** Why it is asked, for the human. */
  reason: Schema.String,
  /** True: no rule answers such an ask, so none is offered. */
  everyTime: Schema.optionalKey(Schema.Boolean),
  /** Host and port that an approval opens to the tree; absent: it opens none. */
  opensHost: Schema.optionalKey(Schema.String),
  /** The rule that "always" saves; absent: it follows from the facts above, or there is none. */
  rule: Schema.optionalKey(Schema.String),
  /** The URL of the host that the command of this running call waits to reach; absent: the call itself waits. */
  reaches: Schema.optionalKey(Schema.String),
  askedAtMillis: Schema.Natural,
  expiresAtMillis: Schema.Natural
})
export type Request = typeof Request.Type

/** How far a rule reaches that a person gives with a decision: its tree, the workspace, all that the person runs. */
export const Scope = Schema.Literals(["session", "project", "user"])
export type Scope = typeof Scope.Type

/** `Approved`, `Denied` come from people; the others end a request without one. The first stored wins. */
export const Decision = Schema.TaggedUnion({
  /** If `scope` is missing, the rule is for the tree. */
  Approved: { rule: Schema.NullOr(Schema.String), scope: Schema.optionalKey(Scope) },
  Denied: { words: Schema.NullOr(Schema.String) },
  Expired: {},
  Withdrawn: { reason: Schema.String }
})
export type Decision = typeof Decision.Type

/** The kind of a decision, without what was said with it. */
export const DecisionTag = Schema.Literals(["Approved", "Denied", "Expired", "Withdrawn"]) satisfies Schema.Schema<
  Decision["_tag"]
>

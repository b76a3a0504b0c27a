/**
 * The entries of a session. A stored body has a version `v`; a change of shape increments it and adds a migration. The
 * prompt, the open calls and the state are folds over entries: `@bough/runtime` Prompt and SessionState.
 */
import * as Schema from "effect/Schema"
import { Decision, Precondition, Request } from "./Approval.ts"
import { Limit } from "./Budget.ts"
import { Media, ReplyPart } from "./Message.ts"
import { Receipt } from "./Receipt.ts"
import { describeWithoutName } from "./RefusalName.ts"
import { ApprovalId, EntryId, Kind, Label, Origin, Purpose, SessionId, SessionState, ToolCallId } from "./Session.ts"
import { SessionResult } from "./SessionResult.ts"
import { Tier } from "./Tier.ts"
import { ToolErrorData } from "./ToolError.ts"
import { Usage } from "./Usage.ts"

/** The version in which bodies are written. */
export const currentVersion = 1

/**
 * The outcome of a call. `output` is the typed output as JSON text, redacted and bounded; if it was truncated, the full
 * text is the blob `outputBlob`. `Unknown`: the call was interrupted between intent and result, and cannot be run
 * again.
 */
export const Outcome = Schema.TaggedUnion({
  Succeeded: {
    output: Schema.String,
    outputBlob: Schema.NullOr(Schema.String),
    /** The text that the model reads, redacted and bounded. Without it the model reads `output`. */
    text: Schema.optionalKey(Schema.String),
    /** The blob with the full `text`, if `text` was truncated. */
    textBlob: Schema.optionalKey(Schema.String),
    media: Schema.Array(Media),
    display: Schema.String,
    /** Details for users in addition to that sentence: plain text, redacted and bounded. Models do not read them. */
    details: Schema.optionalKey(Schema.String),
    /** The addresses that a search found. */
    found: Schema.optionalKey(Schema.Array(Schema.String))
  },
  /** `schema`: the schema of the arguments, as JSON Schema text, if they did not fit it. */
  Failed: { error: ToolErrorData, schema: Schema.NullOr(Schema.String) },
  Rejected: { error: ToolErrorData },
  Unknown: { message: Schema.String },
  NotRun: { reason: Schema.String }
})
export type Outcome = typeof Outcome.Type
export type SuccessOutcome = Extract<Outcome, { readonly _tag: "Succeeded" }>

/** Returns the model's text of an output: plain text if the tool renders one, else the JSON text. */
export const modelText = ({ output, text }: Pick<SuccessOutcome, "output" | "text">): string => text ?? output

export type Unsuccessful = Exclude<Outcome, SuccessOutcome>

/** Returns the reason why a call gave no result, in one line for users; null: it succeeded. */
export function failureText(outcome: Unsuccessful): string
export function failureText(outcome: Outcome): string | null
export function failureText(outcome: Outcome): string | null {
  switch (outcome._tag) {
    case "Succeeded":
      return null
    case "Failed":
    case "Rejected":
      return describeWithoutName(outcome.error)
    case "Unknown":
      return outcome.message
    case "NotRun":
      return outcome.reason
  }
}

/** Returns the blob with the full text if the text for the model was truncated; null: it was not. */
export const modelBlob = ({ outputBlob, text, textBlob }: SuccessOutcome): string | null =>
  text === undefined ? outputBlob : (textBlob ?? null)

/** Returns the digests of the blobs that an outcome refers to. */
export const blobsOf = (outcome: Outcome): ReadonlyArray<string> =>
  outcome._tag === "Succeeded" ? [outcome.outputBlob, outcome.textBlob ?? null].filter((digest) => digest !== null) : []

/** The terms that a parent sets for a child. */
export const Terms = Schema.Struct({
  /** The ids from the Main down to the parent. */
  parentPath: Schema.Array(SessionId),
  /** The amount that is reserved from the parent's budget; the rest is returned at the end. */
  budget: Limit,
  /** The child's active time, after which it is asked to end. */
  lifetimeMillis: Schema.Natural,
  /** The limit on the child's own model calls. */
  maxSteps: Schema.Natural,
  /** The number of following entries that are copies of the parent's entries; their cost counts for the parent. */
  copied: Schema.Natural,
  /** The JSON Schema that the child's output must fit, as text; null: its last message is the result. */
  outputSchema: Schema.NullOr(Schema.String)
})
export type Terms = typeof Terms.Type

/** The failure of a model: its kind, a sentence, and the next step for the user; "" if there is none. */
export const ReplyFailure = Schema.Struct({ reason: Schema.String, message: Schema.String, hint: Schema.String })
export type ReplyFailure = typeof ReplyFailure.Type

export const Body = Schema.TaggedUnion({
  SessionOpened: {
    v: Schema.Natural,
    kind: Kind,
    origin: Origin,
    agent: Schema.String,
    user: Schema.NullOr(Schema.String),
    workspaceRoot: Schema.String,
    /** The channel that this session owns; null: it owns none, and an ask goes to the parent. */
    channel: Schema.NullOr(Schema.String),
    openedAtMillis: Schema.Natural,
    /** The terms of a Branch or a Worker; absent for a Main. */
    terms: Schema.optionalKey(Terms)
  },
  UserMessage: {
    text: Schema.String,
    media: Schema.Array(Media),
    principal: Schema.String,
    /** The inbox key under which the message arrived. */
    messageId: Schema.String
  },
  ContextAdded: { source: Schema.String, text: Schema.String, digest: Schema.String },
  StepStarted: {
    turn: Schema.Natural,
    step: Schema.Natural,
    model: Schema.String,
    /** The tokens that count as spent if no ModelReplied follows. */
    reservedTokens: Schema.Natural,
    /** Set if the reply is not an answer: its text is left out of the prompt. */
    purpose: Schema.optionalKey(Schema.Literals(["compaction"])),
    /** The budget of a Main and its descendants from here on, if it has changed. */
    limit: Schema.optionalKey(Limit)
  },
  ModelReplied: {
    turn: Schema.Natural,
    step: Schema.Natural,
    completion: Schema.Literals(["complete", "interrupted"]),
    parts: Schema.Array(ReplyPart),
    usage: Usage,
    /** True: the provider did not report all of `usage`, or far less than the text can have: it is an upper bound then. */
    unreported: Schema.optionalKey(Schema.Boolean),
    /** True: the reply was cut off before its provider reported usage, so `usage` is an estimate. */
    estimated: Schema.optionalKey(Schema.Boolean),
    /** The failure that cut the reply off; absent: it was complete, or its turn was interrupted. */
    failure: Schema.optionalKey(ReplyFailure),
    /** The session's active time since its last reply: calls and this reply, without waiting. */
    activeMillis: Schema.optionalKey(Schema.Natural)
  },
  ApprovalAsked: { request: Request },
  ApprovalDecided: {
    approvalId: ApprovalId,
    toolCallId: ToolCallId,
    decision: Schema.Union([Decision, Schema.TaggedStruct("Lapsed", { reason: Schema.String })]),
    principal: Schema.String
  },
  CallStarted: {
    toolCallId: ToolCallId,
    callKey: Schema.String,
    tool: Schema.String,
    version: Schema.Natural,
    tier: Tier,
    argumentsDigest: Schema.String,
    attempt: Schema.Natural,
    /** The preconditions at its start: an Idempotent call may run again only if they still hold. */
    preconditions: Schema.Array(Precondition),
    /** Set on the first attempt of an approved call: starting it consumed the approval. */
    approvalId: Schema.NullOr(ApprovalId),
    /** The recorded state of the workspace before the call. */
    workspace: Schema.optionalKey(Schema.String)
  },
  CallDeferred: { toolCallId: ToolCallId, approvalId: ApprovalId },
  CallEnded: {
    toolCallId: ToolCallId,
    tool: Schema.String,
    outcome: Outcome,
    /** Null if no code of the tool ran. */
    receipt: Schema.NullOr(Receipt),
    /** The version of the tool if an experiment chose it and no receipt names it. */
    version: Schema.optionalKey(Schema.Natural)
  },
  ChildSpawned: {
    childId: SessionId,
    kind: Kind,
    toolCallId: ToolCallId,
    /** The first line of the child's task. */
    title: Schema.String,
    /** The budget that is reserved until the child ends. */
    budget: Limit,
    purpose: Schema.optionalKey(Purpose)
  },
  /**
   * The end of a child. If the child has a purpose, its result is not for the parent's model. `labels` are those of the
   * child and of its text.
   */
  ChildEnded: {
    childId: SessionId,
    result: SessionResult,
    purpose: Schema.optionalKey(Purpose),
    labels: Schema.optionalKey(Schema.Array(Label))
  },
  /**
   * The rule is stored in the Main's journal, regardless of which session requested the approval, because it applies to
   * the entire tree.
   */
  RuleGiven: { rule: Schema.String, approvalId: ApprovalId, principal: Schema.String },
  RuleRevoked: { rule: Schema.String, principal: Schema.String },
  /** The end of a command that continued after its call. */
  CommandEnded: {
    commandId: Schema.String,
    exitCode: Schema.NullOr(Schema.Int),
    /** A clause for users, such as `exit 1` or `stopped by the user`. */
    reason: Schema.String,
    /** The beginning of the command's text. */
    command: Schema.optionalKey(Schema.String)
  },
  /** Replaces the entries `fromSeq` to `throughSeq` in the prompt by `summary`. */
  Compacted: { fromSeq: Schema.Natural, throughSeq: Schema.Natural, summary: Schema.String },
  /** A tool asks a model of the session, with its own messages alone. Models of the session never read these entries. */
  SamplingStarted: {
    toolCallId: ToolCallId,
    /** The author of the messages, for users, such as `MCP server tickets`. */
    requester: Schema.String,
    model: Schema.String,
    /** The usage that counts as spent until SamplingEnded; of it the input tokens if none follows. */
    reserved: Usage,
    system: Schema.String,
    messages: Schema.Array(Schema.Struct({ role: Schema.Literals(["user", "assistant"]), text: Schema.String }))
  },
  SamplingEnded: {
    /** The `seq` of its SamplingStarted. */
    startedSeq: Schema.Natural,
    toolCallId: ToolCallId,
    model: Schema.String,
    /** The model's answer; empty if it failed. */
    text: Schema.String,
    /** The reason for a missing answer; null: the model answered. */
    failure: Schema.NullOr(Schema.String),
    usage: Usage,
    /** True: `usage` is an upper bound, or an estimate for a reply that was cut off. */
    estimated: Schema.optionalKey(Schema.Boolean)
  },
  StateChanged: {
    state: SessionState,
    reason: Schema.String,
    /** The session's active time since its last reply. */
    activeMillis: Schema.optionalKey(Schema.Natural)
  },
  SessionEnded: { result: SessionResult }
})
export type Body = typeof Body.Type
export type BodyOf<Tag extends Body["_tag"]> = Extract<Body, { readonly _tag: Tag }>

/** Returns the usage of the model call that an entry ends; null: it ends none. */
export const usageOf = (body: Body): Usage | null =>
  body._tag === "ModelReplied" || body._tag === "SamplingEnded" ? body.usage : null

/** Ends a fold that has a case for every kind of entry: a kind without one does not compile. */
export const assertHandled = (_: never): void => {}

/** One record of a session, in the order of `seq` (0, 1, 2 …). `digest` includes the digest of the entry before it. */
export const Entry = Schema.Struct({
  id: EntryId,
  sessionId: SessionId,
  seq: Schema.Natural,
  /** The commit of the tree that contains the entry. */
  commit: Schema.Natural,
  labels: Schema.Array(Label),
  digest: Schema.String,
  body: Body
})
export type Entry = typeof Entry.Type

/** Returns the id of an entry. The id is derived from the entry's position, so that all readers use the same id. */
export const idOf = (sessionId: SessionId, seq: number): EntryId => EntryId.make(`${sessionId}/${seq}`)

/**
 * The session tree as data: ids, kinds, origins and states. Schemas only; `@bough/runtime` reads and writes them.
 * Stored forever: adr/0006-journal-format.md.
 */
import * as Schema from "effect/Schema"

export const SessionId = Schema.NonEmptyString.pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

export const EntryId = Schema.NonEmptyString.pipe(Schema.brand("EntryId"))
export type EntryId = typeof EntryId.Type

/** Identifies one call within its session; chosen by the runtime, never by the model. */
export const ToolCallId = Schema.NonEmptyString.pipe(Schema.brand("ToolCallId"))
export type ToolCallId = typeof ToolCallId.Type

/** The id of a link's call within the call of its chain. */
export const linkIdOf = (chain: ToolCallId, link: string): ToolCallId => ToolCallId.make(`${chain}/${link}`)

/** Splits an id into the call of the chain and the name of the link; null: the call is not a link. */
export const linkOf = (toolCallId: ToolCallId): { readonly chain: ToolCallId; readonly link: string } | null => {
  const slash = toolCallId.lastIndexOf("/")
  return slash <= 0 ? null : { chain: ToolCallId.make(toolCallId.slice(0, slash)), link: toolCallId.slice(slash + 1) }
}

export const ApprovalId = Schema.NonEmptyString.pipe(Schema.brand("ApprovalId"))
export type ApprovalId = typeof ApprovalId.Type

export const Kind = Schema.Literals(["Main", "Branch", "Worker"])
export type Kind = typeof Kind.Type

/** The origin of a session. A Branch without `forkedAt` started from a brief. */
export const Origin = Schema.TaggedUnion({
  Main: { forkedFrom: Schema.NullOr(Schema.Struct({ sessionId: SessionId, entryId: EntryId })) },
  Branch: { parentId: SessionId, forkedAt: Schema.NullOr(EntryId) },
  Worker: { parentId: SessionId, spawnedBy: ToolCallId }
})
export type Origin = typeof Origin.Type

/** A `Suspended` session waits for an approval, for children or for input; the last four are end states. */
export const SessionState = Schema.Literals(["Active", "Suspended", "Completed", "Failed", "Expired", "Cancelled"])
export type SessionState = typeof SessionState.Type

/**
 * The purpose of a session that no call requested. `reflection`: it decides which parts of its parent's conversation to
 * save.
 */
export const Purpose = Schema.Literals(["reflection"])
export type Purpose = typeof Purpose.Type

/**
 * A label of data that a session read, which its text and calls inherit: `untrusted` came from outside, `private` must
 * not leave without approval.
 */
export const Label = Schema.Literals(["untrusted", "private"])
export type Label = typeof Label.Type

/** One row of a list of sessions. Times are epoch milliseconds on the store's clock. */
export const Summary = Schema.Struct({
  sessionId: SessionId,
  treeId: SessionId,
  kind: Kind,
  state: SessionState,
  title: Schema.String,
  /** The user for whom the session works; null: not known. */
  user: Schema.NullOr(Schema.String),
  agent: Schema.String,
  workspaceRoot: Schema.String,
  entries: Schema.Natural,
  createdAtMillis: Schema.Natural,
  updatedAtMillis: Schema.Natural,
  /** Absent: it is not archived. */
  archivedAtMillis: Schema.optionalKey(Schema.Natural)
})
export type Summary = typeof Summary.Type

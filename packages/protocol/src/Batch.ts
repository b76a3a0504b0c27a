/**
 * One commit: entries of the sessions of one tree, and the projections that change with them. It is stored completely
 * or not at all.
 */
import * as Schema from "effect/Schema"
import { Request } from "./Approval.ts"
import { Body } from "./Entry.ts"
import { ApprovalId, Label, SessionId, SessionState } from "./Session.ts"

/** `Full`: durable when `commit` returns. `Relaxed`: made durable by the next `Full` commit. */
export const Durability = Schema.Literals(["Full", "Relaxed"])
export type Durability = typeof Durability.Type

export const Append = Schema.Struct({
  sessionId: SessionId,
  /** The expected `seq` of this entry; on a mismatch the commit fails with LeafMoved. */
  expectedSeq: Schema.Natural,
  labels: Schema.Array(Label),
  body: Body
})
export type Append = typeof Append.Type

/** Rows that are derived from entries and stored with them, so that lists need not read journals. */
export const Projection = Schema.TaggedUnion({
  SessionState: { sessionId: SessionId, state: SessionState },
  SessionTitle: { sessionId: SessionId, title: Schema.String },
  ApprovalPending: { request: Request },
  ApprovalClosed: { approvalId: ApprovalId },
  InboxDone: { dedupeKey: Schema.String }
})
export type Projection = typeof Projection.Type

export const Batch = Schema.Struct({
  treeId: SessionId,
  epoch: Schema.Natural,
  durability: Durability,
  entries: Schema.Array(Append),
  projections: Schema.Array(Projection)
})
export type Batch = typeof Batch.Type

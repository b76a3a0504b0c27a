/** The description of a child session in these tools. */
import { Session } from "@bough/protocol"
import type { Spawn } from "@bough/tool"
import * as Schema from "effect/Schema"

/** A child session as shown to the model. Its result arrives in a separate message. */
export const ChildRow = Schema.Struct({
  session: Schema.String,
  kind: Session.Kind,
  state: Session.SessionState,
  title: Schema.String,
  /** Approvals that a user has to decide first. */
  waitsFor: Schema.Array(Schema.String),
  steps: Schema.Natural
})

export const rowOf = ({ approvals, kind, sessionId, spent, state, title }: Spawn.Child): typeof ChildRow.Type => ({
  session: sessionId,
  kind,
  state,
  title,
  waitsFor: approvals,
  steps: spent.steps
})

/** Formats a child in one line for the model. */
export const formatRow = ({ kind, session, state, steps, title, waitsFor }: typeof ChildRow.Type): string => {
  const waits = waitsFor.length === 0 ? "" : `, waits for the approval of ${waitsFor.join(", ")}`
  return `${session} ${kind} ${state}, ${steps} ${steps === 1 ? "step" : "steps"}${waits}: ${title}`
}

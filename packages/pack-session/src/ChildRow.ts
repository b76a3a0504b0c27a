/** A child as these tools tell of it. */
import { Session } from "@bough/protocol"
import type { Spawn } from "@bough/tool"
import * as Schema from "effect/Schema"

/** A child as the model reads of it. Its result comes as a message of its own. */
export const ChildRow = Schema.Struct({
  session: Schema.String,
  kind: Session.Kind,
  state: Session.State,
  title: Schema.String,
  /** Approvals that a person has to decide first. */
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

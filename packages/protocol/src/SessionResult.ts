/** How a child ended, as reported to its parent, with any incomplete results. */
import * as Schema from "effect/Schema"
import { Artifact } from "./Artifact.ts"
import { BudgetSpent } from "./Budget.ts"

/** The end states of a session. */
export const EndState = Schema.Literals(["Completed", "Failed", "Expired", "Cancelled"])
export type EndState = typeof EndState.Type

export const SessionResult = Schema.Struct({
  status: EndState,
  /** One sentence; "" when completed. */
  reason: Schema.String,
  /** The child's last message. */
  summary: Schema.String,
  /** JSON text that fits the requested schema; null: none was requested, or the child ended before it gave one. */
  output: Schema.NullOr(Schema.String),
  /** The artifacts of the child and its descendants. */
  artifacts: Schema.Array(Artifact),
  memoryIds: Schema.Array(Schema.String),
  /** The usage of the child and its descendants. */
  usage: BudgetSpent
})
export type SessionResult = typeof SessionResult.Type

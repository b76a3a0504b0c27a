/**
 * A line of REPLAY.jsonl, made from one receipt: the data for a replay, and the authority that allowed the call. A
 * stored format: adr/0023-receipts.md.
 */
import { Artifact, Canonical, Receipt, Session, Tier } from "@bough/protocol"
import * as Schema from "effect/Schema"
import type { CallRecord } from "./CallRecord.ts"

/** The value of `v` in a line of `REPLAY.jsonl`. */
export const version = 1

export const Line = Schema.Struct({
  v: Schema.Literal(version),
  /** The id of the entry that contains the receipt: `<session>/<seq>`. */
  id: Session.EntryId,
  /** The ids of the sessions from the Main down to the calling session. */
  sessionPath: Schema.Array(Session.SessionId),
  toolCallId: Session.ToolCallId,
  callKey: Schema.String,
  /** The turn of the call; null: a user made the call. */
  turn: Schema.NullOr(Schema.Natural),
  step: Schema.NullOr(Schema.Natural),
  model: Schema.NullOr(Schema.String),
  tool: Schema.String,
  version: Schema.Natural,
  tier: Tier.Tier,
  /** The arguments as canonical JSON, whose SHA-256 is `argumentsDigest`; null: no entry contains them. */
  arguments: Schema.NullOr(Schema.String),
  argumentsDigest: Schema.String,
  outcome: Schema.String,
  /** The tag of the error; null: the call succeeded. */
  error: Schema.NullOr(Schema.String),
  /** The SHA-256 of the complete output; null: there is no output. */
  outputDigest: Schema.NullOr(Schema.String),
  /** The SHA-256 of the complete text for the model; absent if the model reads the output itself. */
  textDigest: Schema.optionalKey(Schema.String),
  artifacts: Schema.Array(Artifact.Artifact),
  authority: Receipt.Authority,
  attempt: Schema.Natural,
  /** The call whose recorded result answered this call; absent if this call ran. */
  cached: Receipt.Receipt.fields.cached,
  startedAtMillis: Schema.Natural,
  elapsedMillis: Schema.Natural,
  /** The git commit of the workspace; null: there is no commit, or it is not known. */
  commit: Schema.NullOr(Schema.String)
})
export type Line = typeof Line.Type

/** Returns the arguments that the handler received; null: no entry contains them. */
export const argumentsOf = ({ receipt, written }: CallRecord): string | null => {
  if (receipt?.arguments !== undefined) return receipt.arguments
  const canonical = written === null ? null : Receipt.canonicalArguments(written)
  return canonical !== null && Canonical.digest(canonical) === receipt?.argumentsDigest ? canonical : null
}

/** Returns the line; null: the call has no receipt, or belongs to another session. */
export const lineOf = (call: CallRecord): Line | null => {
  const { copied, model, outcome, receipt, step, turn } = call
  if (receipt === null || copied) return null
  const { arguments: _, commit, ...rest } = receipt
  return {
    ...rest,
    v: version,
    id: call.id,
    turn,
    step,
    model,
    arguments: argumentsOf(call),
    outcome: outcome._tag,
    error: outcome._tag === "Failed" || outcome._tag === "Rejected" ? outcome.error._tag : null,
    commit: commit ?? null
  }
}

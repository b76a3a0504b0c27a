/**
 * One receipt as a line of REPLAY.jsonl: the data for a replay, and who allowed the call. Stored: adr/0023-receipts.md.
 */
import { Artifact, Canonical, Receipt, Session, Tier } from "@bough/protocol"
import * as Schema from "effect/Schema"
import type { CallRecord } from "./CallRecord.ts"

/** The `v` of a line of `REPLAY.jsonl`. */
export const version = 1

export const Line = Schema.Struct({
  v: Schema.Literal(version),
  /** The id of the entry that holds the receipt: `<session>/<seq>`. */
  id: Session.EntryId,
  /** The ids from the Main down to the calling session. */
  sessionPath: Schema.Array(Session.SessionId),
  toolCallId: Session.ToolCallId,
  callKey: Schema.String,
  /** Null: a user made the call. */
  turn: Schema.NullOr(Schema.Natural),
  step: Schema.NullOr(Schema.Natural),
  model: Schema.NullOr(Schema.String),
  tool: Schema.String,
  version: Schema.Natural,
  tier: Tier.Tier,
  /** Canonical JSON, of which `argumentsDigest` is the SHA-256; null: no entry holds them. */
  arguments: Schema.NullOr(Schema.String),
  argumentsDigest: Schema.String,
  outcome: Schema.String,
  /** The error's tag, if the call failed. */
  error: Schema.NullOr(Schema.String),
  /** SHA-256 of the whole output; null: there is none. */
  outputDigest: Schema.NullOr(Schema.String),
  /** SHA-256 of the whole text that the model reads; absent where it reads the output itself. */
  textDigest: Schema.optionalKey(Schema.String),
  artifacts: Schema.Array(Artifact.Artifact),
  authority: Receipt.Authority,
  attempt: Schema.Natural,
  /** The call whose recorded result answered this one; absent if it ran. */
  cached: Receipt.Receipt.fields.cached,
  startedAtMillis: Schema.Natural,
  elapsedMillis: Schema.Natural,
  /** The git commit of the workspace; null: there is none, or it is not known. */
  commit: Schema.NullOr(Schema.String)
})
export type Line = typeof Line.Type

/** The arguments as the handler took them; null: no entry holds them. */
export const argumentsOf = ({ receipt, written }: CallRecord): string | null => {
  if (receipt?.arguments !== undefined) return receipt.arguments
  const canonical = written === null ? null : Receipt.canonicalArguments(written)
  return canonical !== null && Canonical.digest(canonical) === receipt?.argumentsDigest ? canonical : null
}

/** Null: the call has no receipt, or belongs to another session. */
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

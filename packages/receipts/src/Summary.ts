/**
 * RECEIPT.json: the totals of a session and its descendants, and the last digest of each chain. adr/0023-receipts.md.
 */
import { Artifact, Entry, Session, Tier, Usage } from "@bough/protocol"
import * as Schema from "effect/Schema"
import * as CallRecord from "./CallRecord.ts"
import type { Fault } from "./Mismatch.ts"
import * as Totals from "./Totals.ts"

/** The value of `v` in `RECEIPT.json`. Version 1 lacks side effects, times and checks. */
export const version = 2

/** The versions that can be generated from a journal. */
export type Version = 1 | 2

const Count = Schema.Natural

export const Summary = Schema.Struct({
  v: Schema.Literal(version),
  sessionId: Session.SessionId,
  origin: Session.Origin,
  agent: Schema.String,
  user: Schema.NullOr(Schema.String),
  workspaceRoot: Schema.String,
  openedAtMillis: Schema.Natural,
  /** The session and its descendants, in the order in which they began. */
  sessions: Schema.Array(
    Schema.Struct({
      sessionId: Session.SessionId,
      kind: Session.Kind,
      entries: Count,
      /** The digest of the session's last entry, which ends its chain. */
      digest: Schema.String
    })
  ),
  counts: Schema.Struct({
    entries: Count,
    replies: Count,
    calls: Count,
    succeeded: Count,
    failed: Count,
    rejected: Count,
    unknown: Count,
    notRun: Count,
    receipts: Count
  }),
  /** The usage. `costUsd` null: the price of a part of the usage is not known. */
  usage: Usage.Usage,
  approvals: Schema.Array(
    Schema.Struct({
      approvalId: Session.ApprovalId,
      sessionId: Session.SessionId,
      toolCallId: Session.ToolCallId,
      tool: Schema.String,
      version: Schema.Natural,
      tier: Tier.Tier,
      argumentsDigest: Schema.String,
      decision: Entry.Body.cases.ApprovalDecided.fields.decision,
      principal: Schema.String
    })
  ),
  artifacts: Schema.Array(Schema.Struct({ id: Session.EntryId, artifact: Artifact.Artifact })),
  sideEffects: Totals.SideEffects,
  latency: Totals.Latency,
  verification: Totals.Verification,
  /** The number of lines and the last digest of JOURNAL.jsonl. */
  journal: Schema.Struct({ lines: Count, chain: Schema.String }),
  /** The number of lines of REPLAY.jsonl. */
  replay: Schema.Struct({ lines: Count })
})
export type Summary = typeof Summary.Type

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

interface SessionTally {
  readonly kind: Session.Kind
  readonly isCopy: (entry: Entry.Entry) => boolean
  entries: number
  digest: string
}

export interface SummaryState {
  first: { readonly sessionId: Session.SessionId; readonly opened: Entry.BodyOf<"SessionOpened"> } | null
  readonly sessions: Map<Session.SessionId, SessionTally>
  readonly counts: Mutable<Summary["counts"]>
  usage: Usage.Usage
  readonly approvals: Array<Summary["approvals"][number]>
  readonly artifacts: Array<Summary["artifacts"][number]>
  readonly totals: Totals.TotalsState
}

/** Returns the state before the first entry. `append` changes it in place. */
export const empty = (): SummaryState => ({
  first: null,
  sessions: new Map(),
  counts: {
    entries: 0,
    replies: 0,
    calls: 0,
    succeeded: 0,
    failed: 0,
    rejected: 0,
    unknown: 0,
    notRun: 0,
    receipts: 0
  },
  usage: Usage.zero,
  approvals: [],
  artifacts: [],
  totals: Totals.empty()
})

/** An entry, the call that the entry ends, and the fault of either; `fault` null: there is none. */
export interface CheckedEntry {
  readonly entry: Entry.Entry
  readonly call: CallRecord.CallRecord | null
  readonly fault: Fault | null
}

/** Adds an entry. Calls that a fork copied are counted in the original session only. */
export const append = (state: SummaryState, { call, entry, fault }: CheckedEntry): void => {
  const { body, sessionId } = entry
  Totals.appendCheck(state.totals, { line: state.counts.entries + 1, call, fault })
  if (body._tag === "SessionOpened") {
    state.first ??= { sessionId, opened: body }
    state.sessions.set(sessionId, { kind: body.kind, isCopy: CallRecord.copies(entry), entries: 0, digest: "" })
  }
  const session = state.sessions.get(sessionId)
  if (session === undefined) return
  session.entries += 1
  session.digest = entry.digest
  state.counts.entries += 1
  if (session.isCopy(entry)) return
  if (body._tag === "ModelReplied") state.counts.replies += 1
  state.usage = Usage.add(state.usage, Entry.usageOf(body) ?? Usage.zero)
  if (call !== null) appendCall(state, call)
}

const counted = {
  Succeeded: "succeeded",
  Failed: "failed",
  Rejected: "rejected",
  Unknown: "unknown",
  NotRun: "notRun"
} as const

const appendCall = (state: SummaryState, call: CallRecord.CallRecord): void => {
  state.counts.calls += 1
  state.counts[counted[call.outcome._tag]] += 1
  for (const { decided, request } of call.asked) {
    if (decided === null) continue
    const { approvalId, argumentsDigest, tier, tool, toolCallId, version: toolVersion } = request
    const facts = { approvalId, toolCallId, tool, version: toolVersion, tier, argumentsDigest }
    state.approvals.push({
      ...facts,
      sessionId: call.sessionId,
      decision: decided.decision,
      principal: decided.principal
    })
  }
  if (call.receipt === null) return
  state.counts.receipts += 1
  Totals.appendCall(state.totals, call)
  for (const artifact of call.receipt.artifacts) state.artifacts.push({ id: call.id, artifact })
}

/** Returns the summary; null: there was no session. */
export const end = (state: SummaryState, journal: Summary["journal"]): Summary | null => {
  if (state.first === null) return null
  const { opened, sessionId } = state.first
  return {
    v: version,
    sessionId,
    origin: opened.origin,
    agent: opened.agent,
    user: opened.user,
    workspaceRoot: opened.workspaceRoot,
    openedAtMillis: opened.openedAtMillis,
    sessions: Array.from(state.sessions, ([id, { digest, entries, kind }]) => ({
      sessionId: id,
      kind,
      entries,
      digest
    })),
    counts: { ...state.counts },
    usage: state.usage,
    approvals: state.approvals,
    artifacts: state.artifacts,
    ...Totals.end(state.totals),
    journal,
    replay: { lines: state.counts.receipts }
  }
}

/** Converts the summary to an older version. */
export const asVersion = (summary: Summary, wanted: Version): unknown => {
  if (wanted === version) return summary
  const { latency: _, sideEffects: __, verification: ___, ...rest } = summary
  return { ...rest, v: wanted }
}

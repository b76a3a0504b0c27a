/** Statistics of calls per tool and model: a fold over calls that is bounded by the number of tools. Pure. */
import type { Receipt } from "@bough/protocol"
import type { CallRecord } from "./CallRecord.ts"
import * as Histogram from "./Histogram.ts"

/**
 * The statistics of one tool as one model calls it. `model` null: users called it. Latencies are null if no call ran.
 */
export interface Row {
  readonly tool: string
  readonly model: string | null
  readonly calls: number
  readonly succeeded: number
  /** The numbers of failures by the tag of the error. */
  readonly failed: Readonly<Record<string, number>>
  readonly rejected: number
  /** Interrupted between start and result. */
  readonly unknown: number
  readonly notRun: number
  /** Calls that corrected no earlier one of their turn, and how many of them fitted the tool's schema. */
  readonly firstTries: number
  readonly fitted: number
  readonly p50Millis: number | null
  readonly p95Millis: number | null
  /** Attempts beyond the first of each call. */
  readonly retries: number
  readonly approvals: { readonly asked: number; readonly approved: number; readonly denied: number }
  /** The numbers of calls by their authority. */
  readonly allowed: Readonly<Record<Lowercase<Receipt.Authority["_tag"]>, number>>
}

interface Tally {
  readonly tool: string
  readonly model: string | null
  calls: number
  readonly outcomes: Map<string, number>
  readonly failed: Map<string, number>
  firstTries: number
  fitted: number
  retries: number
  readonly latency: Histogram.Histogram
  readonly approvals: Map<string, number>
  asked: number
  readonly authorities: Map<string, number>
}

export interface StatsState {
  readonly tallies: Map<string, Tally>
  /** Where each tool's arguments last did not fit, by session and tool, while that turn lasts. */
  readonly misfits: Map<string, { readonly turn: number; readonly step: number }>
}

/** Before the first call. Changed in place by `append`. */
export const empty = (): StatsState => ({ tallies: new Map(), misfits: new Map() })

/** Copies of other sessions' calls are left out. */
export const append = (state: StatsState, call: CallRecord): void => {
  if (call.copied) return
  const tally = tallyOf(state, call)
  tally.calls += 1
  count(tally.outcomes, call.outcome._tag)
  if (call.outcome._tag === "Failed") count(tally.failed, call.outcome.error._tag)
  judge(state, tally, call)
  for (const { decided } of call.asked) {
    tally.asked += 1
    if (decided !== null) count(tally.approvals, decided.decision._tag)
  }
  if (call.receipt === null) return
  count(tally.authorities, call.receipt.authority._tag)
  tally.retries += call.receipt.attempt - 1
  Histogram.add(tally.latency, call.receipt.elapsedMillis)
}

const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

const tallyOf = ({ tallies }: StatsState, { model, tool }: CallRecord): Tally => {
  const key = JSON.stringify([tool, model])
  const known = tallies.get(key)
  if (known !== undefined) return known
  const made: Tally = {
    tool,
    model,
    calls: 0,
    outcomes: new Map(),
    failed: new Map(),
    firstTries: 0,
    fitted: 0,
    retries: 0,
    latency: Histogram.empty(),
    approvals: new Map(),
    asked: 0,
    authorities: new Map()
  }
  tallies.set(key, made)
  return made
}

/** A call in a later step of a turn in which the tool's arguments did not fit corrects them. */
const judge = ({ misfits }: StatsState, tally: Tally, call: CallRecord): void => {
  const fits = fitted(call)
  if (fits === null) return
  const key = JSON.stringify([call.sessionId, call.tool])
  const misfit = misfits.get(key)
  const corrects = misfit !== undefined && misfit.turn === call.turn && misfit.step < (call.step ?? 0)
  if (!corrects) {
    tally.firstTries += 1
    if (fits) tally.fitted += 1
  }
  if (fits) misfits.delete(key)
  else if (call.turn !== null && call.step !== null) misfits.set(key, { turn: call.turn, step: call.step })
}

/** True if the arguments fitted the tool; null: they were not checked. */
const fitted = ({ asked, outcome, receipt, started }: CallRecord): boolean | null => {
  if (receipt !== null || asked.length > 0 || started.length > 0) return true
  return outcome._tag === "Failed" && outcome.error._tag === "ValidationError" ? false : null
}

/** Returns the rows by tool, then by model. */
export const rows = ({ tallies }: StatsState): ReadonlyArray<Row> =>
  [...tallies.values()]
    .toSorted((a, b) => compare(a.tool, b.tool) || compare(a.model ?? "", b.model ?? ""))
    .map((tally) => ({
      tool: tally.tool,
      model: tally.model,
      calls: tally.calls,
      succeeded: tally.outcomes.get("Succeeded") ?? 0,
      failed: Object.fromEntries([...tally.failed].toSorted(([a], [b]) => compare(a, b))),
      rejected: tally.outcomes.get("Rejected") ?? 0,
      unknown: tally.outcomes.get("Unknown") ?? 0,
      notRun: tally.outcomes.get("NotRun") ?? 0,
      firstTries: tally.firstTries,
      fitted: tally.fitted,
      p50Millis: Histogram.percentile(tally.latency, 0.5),
      p95Millis: Histogram.percentile(tally.latency, 0.95),
      retries: tally.retries,
      approvals: {
        asked: tally.asked,
        approved: tally.approvals.get("Approved") ?? 0,
        denied: tally.approvals.get("Denied") ?? 0
      },
      allowed: {
        automatic: tally.authorities.get("Automatic") ?? 0,
        rule: tally.authorities.get("Rule") ?? 0,
        config: tally.authorities.get("Config") ?? 0,
        user: tally.authorities.get("User") ?? 0
      }
    }))

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

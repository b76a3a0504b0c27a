/**
 * Statistics of calls by tool, model and version: a fold over calls whose memory is bounded by the number of tools.
 * Pure.
 */
import type { Receipt } from "@bough/protocol"
import type { CallRecord } from "./CallRecord.ts"
import * as Histogram from "./Histogram.ts"

/** The numbers of calls by outcome. Latencies are null if no call ran. */
export interface Counts {
  readonly calls: number
  readonly succeeded: number
  /** The numbers of failures by the tag of the error. */
  readonly failed: Readonly<Record<string, number>>
  readonly rejected: number
  /** Calls that were interrupted between the start and the result. */
  readonly unknown: number
  readonly notRun: number
  /** Calls that did not correct an earlier call of their turn, and how many of them matched the tool's schema. */
  readonly firstTries: number
  readonly fitted: number
  readonly p50Millis: number | null
  readonly p95Millis: number | null
  /** The total duration of all calls that ran, in milliseconds. */
  readonly totalMillis: number
  /** Calls that were answered by the recorded result of an earlier call; the latencies do not include them. */
  readonly cached: number
  /** The number of attempts after the first attempt of each call. */
  readonly retries: number
  readonly approvals: { readonly asked: number; readonly approved: number; readonly denied: number }
  /** The numbers of calls by their authority. */
  readonly allowed: Readonly<Record<Lowercase<Receipt.Authority["_tag"]>, number>>
}

/** The statistics of one tool called by one model. `model` null: users made the calls. */
export interface Row extends Counts {
  readonly tool: string
  readonly model: string | null
}

/** The statistics of one version of a tool; null: no record of its calls names the version. */
export interface VersionRow extends Counts {
  readonly tool: string
  readonly version: number | null
}

/** The statistics of a group of tools. */
export interface CategoryRow extends Counts {
  readonly category: string
  /** The tools of the group that were called. */
  readonly tools: ReadonlyArray<string>
}

interface Tally {
  readonly tool: string
  readonly model: string | null
  readonly version: number | null
  calls: number
  readonly outcomes: Map<string, number>
  readonly failed: Map<string, number>
  firstTries: number
  fitted: number
  retries: number
  cached: number
  totalMillis: number
  readonly latency: Histogram.Histogram
  readonly approvals: Map<string, number>
  asked: number
  readonly authorities: Map<string, number>
}

export interface StatsState {
  readonly tallies: Map<string, Tally>
  /**
   * The last step in which the arguments of a tool did not match its schema, by session and tool, until the turn ends.
   */
  readonly misfits: Map<string, { readonly turn: number; readonly step: number }>
}

/** Returns the state before the first call. `append` changes it in place. */
export const empty = (): StatsState => ({ tallies: new Map(), misfits: new Map() })

/** Adds a call. Ignores copies of other sessions' calls. */
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
  if (call.receipt.cached !== undefined) {
    tally.cached += 1
    return
  }
  tally.totalMillis += call.receipt.elapsedMillis
  Histogram.add(tally.latency, call.receipt.elapsedMillis)
}

const count = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

const tallyOf = ({ tallies }: StatsState, call: CallRecord): Tally => {
  const { model, tool } = call
  const version = versionOf(call)
  const key = JSON.stringify([tool, model, version])
  const known = tallies.get(key)
  if (known !== undefined) return known
  const tally = emptyTally({ tool, model, version })
  tallies.set(key, tally)
  return tally
}

/**
 * Returns the recorded version: the version that ran, was started, or was shown for approval; null: no version is
 * recorded.
 */
const versionOf = ({ asked, receipt, started, version }: CallRecord): number | null =>
  receipt?.version ?? started.at(-1)?.version ?? asked.at(-1)?.request.version ?? version

const emptyTally = (of: Pick<Tally, "tool" | "model" | "version">): Tally => ({
  ...of,
  calls: 0,
  outcomes: new Map(),
  failed: new Map(),
  firstTries: 0,
  fitted: 0,
  retries: 0,
  cached: 0,
  totalMillis: 0,
  latency: Histogram.empty(),
  approvals: new Map(),
  asked: 0,
  authorities: new Map()
})

/** Decides if a call is a first try. A call in a later step of a turn corrects earlier arguments that did not match. */
const judge = ({ misfits }: StatsState, tally: Tally, call: CallRecord): void => {
  const fits = didFit(call)
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

/** Returns true if the arguments matched the tool's schema; null: they were not checked. */
const didFit = ({ asked, outcome, receipt, started }: CallRecord): boolean | null => {
  if (receipt !== null || asked.length > 0 || started.length > 0) return true
  return outcome._tag === "Failed" && outcome.error._tag === "ValidationError" ? false : null
}

/** Returns the rows by tool, then by model. */
export const rows = ({ tallies }: StatsState): ReadonlyArray<Row> =>
  groupRows(tallies, ({ model, tool }) => [tool, model ?? ""]).map((group) => ({
    tool: group[0].tool,
    model: group[0].model,
    ...countsOf(group)
  }))

/** Returns the rows by tool, then by version. */
export const versions = ({ tallies }: StatsState): ReadonlyArray<VersionRow> =>
  groupRows(tallies, ({ tool, version }) => [tool, String(version ?? "").padStart(16)]).map((group) => ({
    tool: group[0].tool,
    version: group[0].version,
    ...countsOf(group)
  }))

/** Returns the rows by category, such as the pack that a tool belongs to. */
export const categories = ({ tallies }: StatsState, categoryOf: (tool: string) => string): ReadonlyArray<CategoryRow> =>
  groupRows(tallies, ({ tool }) => [categoryOf(tool), ""]).map((group) => ({
    category: categoryOf(group[0].tool),
    tools: [...new Set(group.map(({ tool }) => tool))].toSorted(compare),
    ...countsOf(group)
  }))

type Group = readonly [Tally, ...ReadonlyArray<Tally>]

/** Returns the groups in the order of their keys. */
const groupRows = (
  tallies: StatsState["tallies"],
  keyOf: (tally: Tally) => readonly [string, string]
): ReadonlyArray<Group> =>
  [...Map.groupBy(tallies.values(), (tally) => JSON.stringify(keyOf(tally))).values()]
    .flatMap(([first, ...others]): ReadonlyArray<Group> => (first === undefined ? [] : [[first, ...others]]))
    .toSorted(([a], [b]) => compare(keyOf(a)[0], keyOf(b)[0]) || compare(keyOf(a)[1], keyOf(b)[1]))

const countsOf = (group: Group): Counts => {
  const sum = (of: (tally: Tally) => number): number => group.reduce((total, tally) => total + of(tally), 0)
  const count = (of: (tally: Tally) => ReadonlyMap<string, number>, key: string): number =>
    sum((tally) => of(tally).get(key) ?? 0)
  const outcome = (tag: string): number => count(({ outcomes }) => outcomes, tag)
  const approval = (tag: string): number => count(({ approvals }) => approvals, tag)
  const authority = (tag: string): number => count(({ authorities }) => authorities, tag)
  const latency = Histogram.empty()
  for (const tally of group) Histogram.merge(latency, tally.latency)
  const tags = [...new Set(group.flatMap(({ failed }) => [...failed.keys()]))].toSorted(compare)
  return {
    calls: sum(({ calls }) => calls),
    succeeded: outcome("Succeeded"),
    failed: Object.fromEntries(tags.map((tag) => [tag, count(({ failed }) => failed, tag)])),
    rejected: outcome("Rejected"),
    unknown: outcome("Unknown"),
    notRun: outcome("NotRun"),
    firstTries: sum(({ firstTries }) => firstTries),
    fitted: sum((tally) => tally.fitted),
    p50Millis: Histogram.percentile(latency, 0.5),
    p95Millis: Histogram.percentile(latency, 0.95),
    totalMillis: sum(({ totalMillis }) => totalMillis),
    cached: sum(({ cached }) => cached),
    retries: sum(({ retries }) => retries),
    approvals: { asked: sum(({ asked }) => asked), approved: approval("Approved"), denied: approval("Denied") },
    allowed: {
      automatic: authority("Automatic"),
      rule: authority("Rule"),
      config: authority("Config"),
      user: authority("User")
    }
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** The totals in RECEIPT.json: the calls' side effects, their durations, and the checks made. Pure. */
import type { Artifact } from "@bough/protocol"
import * as Schema from "effect/Schema"
import type { CallRecord } from "./CallRecord.ts"
import * as Histogram from "./Histogram.ts"
import type { Fault } from "./Mismatch.ts"

const Count = Schema.Natural

/** The numbers of side effects by kind. */
export const SideEffects = Schema.Struct({
  filesWritten: Count,
  filesDeleted: Count,
  filesMoved: Count,
  directoriesWritten: Count,
  commands: Count,
  /** Commands with an exit code other than 0, or without an exit code. */
  commandsFailed: Count,
  notesWritten: Count,
  notesDeleted: Count,
  messages: Count,
  media: Count,
  requests: Count,
  sessionsEnded: Count,
  /** Artifacts of kinds that packs define. */
  others: Count
})
export type SideEffects = typeof SideEffects.Type

const LatencyFields = {
  calls: Count,
  totalMillis: Count,
  /** The median. Values are exact below 256 and within 1 % above it; null: no call ran. */
  p50Millis: Schema.NullOr(Count),
  p95Millis: Schema.NullOr(Count)
}

/** The durations of the calls that ran. A call that a recorded result answered has no duration. */
export const Latency = Schema.Struct({
  ...LatencyFields,
  cached: Count,
  tools: Schema.Array(Schema.Struct({ tool: Schema.String, ...LatencyFields }))
})
export type Latency = typeof Latency.Type

/** The checks of entries and receipts that were made while the file was written, and the mismatches that they found. */
export const Verification = Schema.Struct({
  success: Schema.Boolean,
  entries: Count,
  receipts: Count,
  /** The first mismatches. */
  mismatches: Schema.Array(
    Schema.Struct({ line: Count, what: Schema.String, expected: Schema.String, found: Schema.String })
  ),
  mismatchCount: Count
})
export type Verification = typeof Verification.Type

const maxMismatches = 20

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

export interface TotalsState {
  readonly sideEffects: Mutable<SideEffects>
  readonly latency: Map<string, { readonly histogram: Histogram.Histogram; totalMillis: number }>
  cached: number
  entries: number
  receipts: number
  readonly mismatches: Array<Verification["mismatches"][number]>
  mismatchCount: number
}

/** Returns the totals before the first entry. They are changed in place. */
export const empty = (): TotalsState => ({
  sideEffects: {
    filesWritten: 0,
    filesDeleted: 0,
    filesMoved: 0,
    directoriesWritten: 0,
    commands: 0,
    commandsFailed: 0,
    notesWritten: 0,
    notesDeleted: 0,
    messages: 0,
    media: 0,
    requests: 0,
    sessionsEnded: 0,
    others: 0
  },
  latency: new Map(),
  cached: 0,
  entries: 0,
  receipts: 0,
  mismatches: [],
  mismatchCount: 0
})

/** Adds the results of the checks of an entry and of the call that the entry ends. `line` counts from 1. */
export const appendCheck = (
  state: TotalsState,
  { call, fault, line }: { readonly line: number; readonly call: CallRecord | null; readonly fault: Fault | null }
): void => {
  state.entries += 1
  if (call !== null && call.receipt !== null) state.receipts += 1
  if (fault === null) return
  state.mismatchCount += 1
  if (state.mismatches.length < maxMismatches) state.mismatches.push({ line, ...fault })
}

/** Adds a call of the session itself; calls that a fork copied are excluded. */
export const appendCall = (state: TotalsState, { receipt }: CallRecord): void => {
  if (receipt === null) return
  for (const artifact of receipt.artifacts) appendArtifact(state.sideEffects, artifact)
  if (receipt.cached !== undefined) {
    state.cached += 1
    return
  }
  const known = state.latency.get(receipt.tool) ?? { histogram: Histogram.empty(), totalMillis: 0 }
  known.totalMillis += receipt.elapsedMillis
  Histogram.add(known.histogram, receipt.elapsedMillis)
  state.latency.set(receipt.tool, known)
}

const counted = {
  FileWritten: "filesWritten",
  FileDeleted: "filesDeleted",
  FileMoved: "filesMoved",
  DirectoryWritten: "directoriesWritten",
  CommandExecuted: "commands",
  MessageSent: "messages",
  MemoryWritten: "notesWritten",
  MemoryDeleted: "notesDeleted",
  MediaSent: "media",
  RequestSent: "requests",
  SessionEnded: "sessionsEnded",
  Declared: "others"
} as const satisfies Readonly<Record<Artifact.Artifact["_tag"], keyof SideEffects>>

const appendArtifact = (effects: Mutable<SideEffects>, artifact: Artifact.Artifact): void => {
  effects[counted[artifact._tag]] += 1
  // A command that continues after its call has no exit code yet.
  if (artifact._tag === "CommandExecuted" && artifact.commandId === undefined && artifact.exitCode !== 0) {
    effects.commandsFailed += 1
  }
}

/** Returns the totals in the form of RECEIPT.json. */
export const end = (
  state: TotalsState
): { readonly sideEffects: SideEffects; readonly latency: Latency; readonly verification: Verification } => {
  const all = Histogram.empty()
  for (const { histogram } of state.latency.values()) Histogram.merge(all, histogram)
  const tools = [...state.latency]
    .toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)))
    .map(([tool, { histogram, totalMillis }]) => ({ tool, ...timesOf(histogram, totalMillis) }))
  const totalMillis = tools.reduce((sum, tool) => sum + tool.totalMillis, 0)
  return {
    sideEffects: { ...state.sideEffects },
    latency: { ...timesOf(all, totalMillis), cached: state.cached, tools },
    verification: {
      success: state.mismatchCount === 0,
      entries: state.entries,
      receipts: state.receipts,
      mismatches: state.mismatches,
      mismatchCount: state.mismatchCount
    }
  }
}

const timesOf = (histogram: Histogram.Histogram, totalMillis: number) => ({
  calls: histogram.count,
  totalMillis,
  p50Millis: Histogram.percentile(histogram, 0.5),
  p95Millis: Histogram.percentile(histogram, 0.95)
})

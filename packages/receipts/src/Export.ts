/**
 * The texts of an export: JOURNAL.jsonl, REPLAY.jsonl, RECEIPT.json. The last two follow from the first, so that a
 * verifier makes them again. Pure, and bounded by the open calls and by the list in RECEIPT.json.
 */
import { Canonical, Entry } from "@bough/protocol"
import * as CallCheck from "./CallCheck.ts"
import * as CallRecord from "./CallRecord.ts"
import * as EntryCheck from "./EntryCheck.ts"
import type { Fault } from "./Mismatch.ts"
import * as Replay from "./Replay.ts"
import * as SealedLine from "./SealedLine.ts"
import * as Summary from "./Summary.ts"

/** The files of an export, within its directory. */
export const fileNames = { journal: "JOURNAL.jsonl", replay: "REPLAY.jsonl", receipt: "RECEIPT.json" } as const

/**
 * The directory beside them with the complete text of each truncated output and model text, in a file named by its
 * digest.
 */
export const outputsName = "outputs"

/** The file of an output. */
export const outputFile = (digest: string): string => digest.replace("sha256:", "")

/**
 * Returns the digests of the texts that the entry of a call has truncated: the output, the text that the model reads.
 */
export const outputsOf = ({ outcome }: CallRecord.CallRecord): ReadonlyArray<string> => Entry.blobsOf(outcome)

export interface ExportState {
  readonly calls: CallRecord.CallRecordState
  readonly summary: Summary.SummaryState
  readonly places: EntryCheck.EntryCheckState
  lines: number
  /** The chain of the last line of JOURNAL.jsonl. */
  chain: string
}

/** Before the first entry. Changed in place by `append`. */
export const empty = (): ExportState => ({
  calls: CallRecord.empty(),
  summary: Summary.empty(),
  places: EntryCheck.empty(),
  lines: 0,
  chain: ""
})

/** The lines that one entry adds, with their line feeds. `replay` null: the entry adds no line to that file. */
export interface Added {
  readonly journal: string
  readonly replay: string | null
  readonly call: CallRecord.CallRecord | null
  /** The first contradiction to the entry, or to the receipt of the call that ended with it; null: there is none. */
  readonly fault: Fault | null
}

/** Entries of a session and its descendants, in the order in which they were committed. */
export const append = (state: ExportState, entry: Entry.Entry): Added => {
  const sealed = SealedLine.seal(state.chain, entry)
  state.chain = sealed.chain
  state.lines += 1
  const misplaced = EntryCheck.check(state.places, entry)
  const call = CallRecord.append(state.calls, entry)
  const fault = misplaced ?? (call === null ? null : CallCheck.check(call))
  Summary.append(state.summary, { entry, call, fault })
  const line = call === null ? null : Replay.lineOf(call)
  return { journal: sealed.text, replay: line === null ? null : `${Canonical.stringify(line)}\n`, call, fault }
}

/** The text of RECEIPT.json; null: there was no entry. */
export const end = (state: ExportState, version: Summary.Version = Summary.version): string | null => {
  const summary = Summary.end(state.summary, { lines: state.lines, chain: state.chain })
  if (summary === null) return null
  const sorted: unknown = JSON.parse(Canonical.stringify(Summary.asVersion(summary, version)))
  return `${JSON.stringify(sorted, null, 2)}\n`
}

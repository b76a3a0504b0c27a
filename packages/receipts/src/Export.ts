/**
 * The texts of an export: JOURNAL.jsonl, REPLAY.jsonl, RECEIPT.json. The last two are derived from the first, so a
 * verifier can derive them again. Pure; the memory is bounded by the number of open calls and by the list in
 * RECEIPT.json.
 */
import { Canonical, Entry } from "@bough/protocol"
import * as CallCheck from "./CallCheck.ts"
import * as CallRecord from "./CallRecord.ts"
import * as EntryCheck from "./EntryCheck.ts"
import type { Fault } from "./Mismatch.ts"
import * as Replay from "./Replay.ts"
import * as SealedLine from "./SealedLine.ts"
import * as Summary from "./Summary.ts"

/** The names of an export's files in its directory. */
export const fileNames = { journal: "JOURNAL.jsonl", replay: "REPLAY.jsonl", receipt: "RECEIPT.json" } as const

/**
 * The directory of an export that contains the complete text of each truncated output and model text, in files named by
 * their digests.
 */
export const outputsName = "outputs"

/** Returns the path of the file with an output. */
export const outputFile = (digest: string): string => digest.replace("sha256:", "")

/**
 * Returns the digests of the texts that are truncated in the entry of a call: the output, and the text for the model.
 */
export const outputsOf = ({ outcome }: CallRecord.CallRecord): ReadonlyArray<string> => Entry.blobsOf(outcome)

export interface ExportState {
  readonly calls: CallRecord.CallRecordState
  readonly summary: Summary.SummaryState
  readonly places: EntryCheck.EntryCheckState
  lines: number
  /** The chain digest of the last line of JOURNAL.jsonl. */
  chain: string
}

/** Returns the state before the first entry. `append` changes it in place. */
export const empty = (): ExportState => ({
  calls: CallRecord.empty(),
  summary: Summary.empty(),
  places: EntryCheck.empty(),
  lines: 0,
  chain: ""
})

/** The lines that one entry adds, including their line feeds. `replay` null: the entry adds no line to REPLAY.jsonl. */
export interface EntryLines {
  readonly journal: string
  readonly replay: string | null
  readonly call: CallRecord.CallRecord | null
  /** The first fault of the entry, or of the receipt of the call that the entry ends; null: there is none. */
  readonly fault: Fault | null
}

/**
 * Adds an entry of the session or of a descendant. The entries must be passed in the order in which they were
 * committed.
 */
export const append = (state: ExportState, entry: Entry.Entry): EntryLines => {
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

/** Returns the text of RECEIPT.json; null: there was no entry. */
export const end = (state: ExportState, version: Summary.Version = Summary.version): string | null => {
  const summary = Summary.end(state.summary, { lines: state.lines, chain: state.chain })
  if (summary === null) return null
  const sorted: unknown = JSON.parse(Canonical.stringify(Summary.asVersion(summary, version)))
  return `${JSON.stringify(sorted, null, 2)}\n`
}

/**
 * Verifies an export: every line of the journal in its chain, every entry in its session's chain, every receipt against
 * the entries before it, and the two derived files against the journal. Pure; the files are read line by line.
 */
import { Canonical, Entry } from "@bough/protocol"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Export from "./Export.ts"
import { type Fault, type Mismatch, compareTexts, compareValues } from "./Mismatch.ts"
import * as SealedLine from "./SealedLine.ts"
import * as Summary from "./Summary.ts"

/** The lines of an export. Each includes its line feed; a missing line feed at the end is reported. */
export interface Files {
  readonly journal: Iterable<Uint8Array>
  readonly replay: Iterable<Uint8Array>
  readonly receipt: Uint8Array
  /**
   * Returns a complete output by its digest; null: the output is missing. `outputs` null: the export contains only
   * digests.
   */
  readonly outputs: ((digest: string) => Uint8Array | null) | null
}

export interface VerificationResult {
  readonly sessions: number
  readonly entries: number
  readonly receipts: number
  /** The number of complete outputs of which the export contains only the digests. */
  readonly unseen: number
}

const { journal: journalName, receipt: receiptName, replay: replayName } = Export.fileNames

/** Returns the first mismatch, if there is one. */
export const verify = (files: Files): Result.Result<VerificationResult, Mismatch> => {
  const state = Export.empty()
  const replay = files.replay[Symbol.iterator]()
  let replayed = 0
  let unseen = 0
  for (const bytes of files.journal) {
    const where = `${journalName} line ${state.lines + 1}`
    const entry = entryOf(state.chain, bytes)
    if (Result.isFailure(entry)) return at(where, entry.failure)
    const added = Export.append(state, entry.success)
    if (added.fault !== null) return at(where, added.fault)
    for (const digest of added.call === null ? [] : Export.outputsOf(added.call)) {
      const lost = files.outputs === null ? null : wholeDiffers(digest, files.outputs(digest))
      if (lost !== null) return at(where, lost)
      if (files.outputs === null) unseen += 1
    }
    if (added.replay === null) continue
    replayed += 1
    const differs = lineDiffers(added.replay, replay.next())
    if (differs !== null) return at(`${replayName} line ${replayed}`, differs)
  }
  const cut = endsEarly(state, files.receipt)
  if (cut !== null) return at(journalName, cut)
  const surplus = replay.next()
  if (surplus.done !== true) {
    return at(`${replayName} line ${replayed + 1}`, {
      what: "the line",
      expected: "nothing",
      found: textOf(surplus.value)
    })
  }
  const expected = Export.end(state, versionOf(files.receipt))
  if (expected === null) return at(journalName, { what: "the first line", expected: "an entry", found: "nothing" })
  const found = SealedLine.decodeText(files.receipt)
  if (found !== expected)
    return at(receiptName, compareTexts("what follows from the journal", expected, found ?? "no UTF-8"))
  return Result.succeed({ sessions: state.places.sessions.size, entries: state.lines, receipts: replayed, unseen })
}

/** Returns the version in RECEIPT.json, or the newest version if it contains none. */
const versionOf = (receipt: Uint8Array): Summary.Version =>
  Result.match(decodeVersion(textOf(receipt)), { onSuccess: ({ v }) => v, onFailure: () => Summary.version })

const decodeVersion = Schema.decodeUnknownResult(
  Schema.fromJsonString(Schema.Struct({ v: Schema.Literals([1, Summary.version]) }))
)

const at = (where: string, fault: Fault): Result.Result<never, Mismatch> => Result.fail({ where, ...fault })

const decodeEntry = Schema.decodeUnknownResult(Entry.Entry, { onExcessProperty: "error" })

const entryOf = (chain: string, bytes: Uint8Array): Result.Result<Entry.Entry, Fault> =>
  Result.flatMap(SealedLine.open(chain, bytes), ({ content }) =>
    Result.mapError(decodeEntry(content), (error) => ({
      what: "the line",
      expected: "an entry that this version knows",
      found: String(error)
    }))
  )

const wholeDiffers = (digest: string, bytes: Uint8Array | null): Fault | null =>
  compareValues("the whole output", digest, bytes === null ? "no file" : Canonical.digest(bytes))

const lineDiffers = (expected: string, next: IteratorResult<Uint8Array, unknown>): Fault | null => {
  const found = next.done === true ? "" : textOf(next.value)
  return expected === found ? null : compareTexts("what follows from the journal", expected, found)
}

const textOf = (bytes: Uint8Array): string => SealedLine.decodeText(bytes) ?? "no UTF-8"

const decodeEnd = Schema.decodeUnknownResult(
  Schema.fromJsonString(Schema.Struct({ journal: Schema.Struct({ lines: Schema.Natural, chain: Schema.String }) }))
)

/** Reports missing or additional lines: the end of the journal differs from RECEIPT.json. */
const endsEarly = ({ chain, lines }: Export.ExportState, receipt: Uint8Array): Fault | null => {
  const end = decodeEnd(textOf(receipt))
  return Result.isFailure(end) || end.success.journal.chain === chain
    ? null
    : compareValues("the number of lines", end.success.journal.lines, lines)
}

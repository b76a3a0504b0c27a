/**
 * Exports of earlier programs: `before-texts` from before a result kept the model's text beside its output, and before
 * its receipt had a digest of it; `with-texts` from after. `with-totals` has version 2 of RECEIPT.json, a call that a
 * recorded result answered, effects on directories and notes, and the version of a tool whose arguments were invalid.
 * Each was recorded once and is never recorded again.
 */
import { Canonical, Entry, Receipt } from "@bough/protocol"
import { Summary, Verify } from "@bough/receipts"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { join } from "node:path"

const fileOf = (recorded: string, name: string): Buffer =>
  readFileSync(join(import.meta.dirname, "fixtures", recorded, name))

const linesOf = (bytes: Buffer): ReadonlyArray<Buffer> =>
  bytes
    .toString("utf8")
    .split(/(?<=\n)/u)
    .map((line) => Buffer.from(line))

const verify = (recorded: string, change: (journal: string) => string = (journal) => journal) =>
  Verify.verify({
    journal: linesOf(Buffer.from(change(fileOf(recorded, "JOURNAL.jsonl").toString("utf8")))),
    replay: linesOf(fileOf(recorded, "REPLAY.jsonl")),
    receipt: fileOf(recorded, "RECEIPT.json"),
    outputs: null
  })

const bodyOf = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ body: Schema.Unknown })))
const isBody = Schema.is(Entry.Body)
const receiptOf = Schema.decodeUnknownSync(Receipt.Receipt)

interface EndedEntry {
  readonly _tag: string
  readonly outcome: { readonly text?: string }
  readonly receipt: unknown
}

const endedOf = (recorded: string): ReadonlyArray<EndedEntry> =>
  linesOf(fileOf(recorded, "JOURNAL.jsonl"))
    .map((line) => bodyOf(line.toString("utf8")).body as EndedEntry)
    .filter(({ _tag }) => _tag === "CallEnded")

describe("an export of an earlier program", () => {
  it.each(["before-texts", "with-texts"])("%s verifies", (recorded) => {
    assert.deepStrictEqual(Result.getOrThrow(verify(recorded)), { sessions: 1, entries: 9, receipts: 2, unseen: 0 })
    for (const ended of endedOf(recorded)) assert.isTrue(isBody(ended))
  })

  it("with-totals verifies, and its totals are compared with the journal", () => {
    assert.deepStrictEqual(Result.getOrThrow(verify("with-totals")), {
      sessions: 1,
      entries: 19,
      receipts: 5,
      unseen: 0
    })
    const text = fileOf("with-totals", "RECEIPT.json").toString("utf8")
    const { latency, sideEffects, v, verification } = Schema.decodeUnknownSync(Schema.fromJsonString(Summary.Summary))(
      text
    )
    assert.strictEqual(v, 2)
    assert.deepInclude(sideEffects, { directoriesWritten: 2, notesDeleted: 1, notesWritten: 0 })
    assert.deepInclude(latency, { calls: 4, cached: 1, totalMillis: 354, p95Millis: 300 })
    assert.deepStrictEqual(verification, { success: true, entries: 19, receipts: 5, mismatches: [], mismatchCount: 0 })
    const forged = Verify.verify({
      journal: linesOf(fileOf("with-totals", "JOURNAL.jsonl")),
      replay: linesOf(fileOf("with-totals", "REPLAY.jsonl")),
      receipt: Buffer.from(text.replace('"directoriesWritten": 2', '"directoriesWritten": 1')),
      outputs: null
    })
    assert.isTrue(Result.isFailure(forged))
  })

  it("has neither a text nor its digest, or both", () => {
    for (const { outcome, receipt } of endedOf("before-texts")) {
      assert.notProperty(outcome, "text")
      assert.notProperty(receiptOf(receipt), "textDigest")
    }
    for (const { outcome, receipt } of endedOf("with-texts")) {
      assert.strictEqual(receiptOf(receipt).textDigest, Canonical.digest(outcome.text ?? ""))
    }
  })

  it("does not verify with a text that its receipt does not contain, or with another one", () => {
    const verified = verify("before-texts", (journal) => journal.replace('"outcome":{', '"outcome":{"text":"forged",'))
    assert.isTrue(Result.isFailure(verified))
    const other = verify("with-texts", (journal) => journal.replace(String.raw`1\tone`, String.raw`1\tten`))
    assert.isTrue(Result.isFailure(other))
  })
})

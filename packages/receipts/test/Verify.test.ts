/** Tests of exports: an unchanged one verifies, and every change is named. */
import type { Entry } from "@bough/protocol"
import { Canonical, Session } from "@bough/protocol"
import { Export, type Summary, Verify } from "@bough/receipts"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { sampled } from "../../../test/thorough.ts"
import { journal, main, opened, receipt, sample, step } from "./tree.ts"

interface Texts {
  readonly journal: string
  readonly replay: string
  readonly receipt: string
}

const textsOf = (entries: ReadonlyArray<Entry.Entry>): Texts => {
  const state = Export.empty()
  let [lines, replay] = ["", ""]
  for (const entry of entries) {
    const added = Export.append(state, entry)
    lines += added.journal
    replay += added.replay ?? ""
  }
  return { journal: lines, replay, receipt: Export.end(state) ?? "" }
}

const linesOf = (bytes: Buffer): ReadonlyArray<Buffer> => {
  const lines: Array<Buffer> = []
  for (let from = 0; from < bytes.length;) {
    const feed = bytes.indexOf(10, from)
    const end = feed === -1 ? bytes.length : feed + 1
    lines.push(bytes.subarray(from, end))
    from = end
  }
  return lines
}

const verify = (files: { readonly [K in keyof Texts]: string | Buffer }, outputs: Verify.Files["outputs"] = null) =>
  Verify.verify({
    journal: linesOf(Buffer.from(files.journal)),
    replay: linesOf(Buffer.from(files.replay)),
    receipt: Buffer.from(files.receipt),
    outputs
  })

const mismatch = (...args: Parameters<typeof verify>) => {
  const verified = verify(...args)
  assert.isTrue(Result.isFailure(verified), "nothing was found")
  return Result.isFailure(verified) ? verified.failure : assert.fail()
}

describe("an export with contradictions", () => {
  it("reports them itself", () => {
    const made = journal()
    made.add(main, opened())
    const ran = { path: [main], id: "a", tool: "read_file", tier: "ReadOnly", arguments: "{}", output: "{}" } as const
    made.add(main, {
      _tag: "CallEnded",
      toolCallId: Session.ToolCallId.make("a"),
      tool: "read_file",
      outcome: { _tag: "Succeeded", output: "[]", outputBlob: null, media: [], display: "" },
      receipt: receipt(ran)
    })
    const { verification } = JSON.parse(textsOf(made.entries).receipt) as Summary.Summary
    assert.isFalse(verification.success)
    assert.deepInclude(verification.mismatches[0], { line: 2, what: "the digest of the output" })
  })
})

const made = textsOf(sample())
const fileNames = ["journal", "replay", "receipt"] as const
const lineFiles = ["journal", "replay"] as const
const named = { journal: "JOURNAL.jsonl", replay: "REPLAY.jsonl", receipt: "RECEIPT.json" } as const

const place = Schema.Struct({ file: Schema.Literals(fileNames), at: Schema.Natural, bits: Schema.Natural })
const line = Schema.Struct({
  file: Schema.Literals(lineFiles),
  at: Schema.Natural,
  to: Schema.Natural,
  how: Schema.Literals(["dropped", "repeated", "moved"])
})
const many = { arbitrary: { runs: 300, size: 1_000_000 } }

describe("Verify", () => {
  it("finds no fault in its own exports", () => {
    const verified = verify(made)
    assert.deepStrictEqual(Result.getOrThrow(verified), { sessions: 2, entries: 20, receipts: 3, unseen: 0 })
  })

  it.prop(
    "names the file of any byte that was changed, and its line",
    [Arbitrary.schema(place)],
    ([{ at, bits, file }]) => {
      const bytes = Buffer.from(made[file])
      const offset = at % bytes.length
      bytes[offset] ^= 1 + (bits % 255)
      const found = mismatch({ ...made, [file]: bytes })
      const lineNumber = made[file]
        .slice(0, Buffer.from(made[file]).subarray(0, offset).toString().length)
        .split("\n").length
      assert.strictEqual(found.where, file === "receipt" ? named.receipt : `${named[file]} line ${lineNumber}`)
      assert.notStrictEqual(found.expected, found.found)
    },
    sampled(many)
  )

  it.prop(
    "names the line at which one was dropped, repeated or moved",
    [Arbitrary.schema(line)],
    ([{ at, file, how, to }]) => {
      const lines = [...linesOf(Buffer.from(made[file]))]
      const from = at % lines.length
      const target = to % lines.length
      const [taken] = lines.splice(from, 1)
      if (how === "repeated") lines.splice(from, 0, taken, taken)
      if (how === "moved") {
        if (target === from) return
        lines.splice(target, 0, taken)
      }
      const found = mismatch({ ...made, [file]: Buffer.concat(lines) })
      const first = how === "repeated" ? from + 1 : how === "moved" ? Math.min(from, target) : from
      // The last line of the journal is missing.
      const whole = file === "journal" && how === "dropped" && from === lines.length
      assert.strictEqual(found.where, whole ? named.journal : `${named[file]} line ${first + 1}`)
    },
    many
  )

  it("finds contradictions although every chain is valid", () => {
    const forge = (change: (body: Entry.Body) => Entry.Body) => {
      const digests = new Map<string, string>()
      return sample().map((entry) => {
        const body = change(entry.body)
        const digest = Canonical.chain(digests.get(entry.sessionId) ?? "", Canonical.stringify(body))
        digests.set(entry.sessionId, digest)
        return { ...entry, body, digest }
      })
    }
    const whatOf = (change: (body: Entry.Body) => Entry.Body) => mismatch(textsOf(forge(change))).what
    const receiptOf = (change: Partial<ReturnType<typeof receipt>>) =>
      whatOf((body) =>
        body._tag === "CallEnded" && body.receipt?.tool === "run_command"
          ? { ...body, receipt: { ...body.receipt, ...change } }
          : body
      )
    assert.strictEqual(receiptOf({ outputDigest: Canonical.digest("{}}") }), "the digest of the output")
    assert.strictEqual(receiptOf({ arguments: '{"argv":["rm"]}' }), "the digest of the arguments")
    assert.strictEqual(receiptOf({ argumentsDigest: Canonical.digest("{}") }), "the digest of the arguments")
    assert.strictEqual(receiptOf({ callKey: "sha256:0" }), "the key of the call")
    assert.strictEqual(receiptOf({ version: 2 }), "the version that was started")
    assert.strictEqual(receiptOf({ attempt: 2 }), "the number of attempts")
    assert.strictEqual(receiptOf({ sessionPath: [main, main] }), "the session path of the receipt")
    assert.strictEqual(
      whatOf((body) => (body._tag === "ApprovalDecided" ? { ...body, principal: "eve" } : body)),
      "who approved"
    )
    assert.strictEqual(
      whatOf((body) =>
        body._tag === "ApprovalDecided" ? { ...body, decision: { _tag: "Denied", words: null } } : body
      ),
      "the decision"
    )
    assert.strictEqual(
      whatOf((body) =>
        body._tag === "ApprovalAsked" ? { ...body, request: { ...body.request, tier: "Workspace" } } : body
      ),
      "the tier that was approved"
    )
    assert.strictEqual(
      whatOf((body) => (body._tag === "CallStarted" ? { ...body, approvalId: null } : body)),
      "the intents that consumed the approval"
    )
  })

  it("finds a session without a parent, and a truncated end", () => {
    const entries = sample()
    const spawn = entries.findIndex(({ body }) => body._tag === "ChildSpawned")
    const orphan = [
      ...entries.slice(0, spawn),
      ...entries.slice(spawn + 1).filter(({ sessionId }) => sessionId !== main)
    ]
    assert.strictEqual(mismatch(textsOf(orphan)).expected, "a session that another one started")
    const half = textsOf(entries.slice(0, 9))
    const cut = mismatch({ ...half, receipt: made.receipt })
    assert.deepStrictEqual([cut.where, cut.expected, cut.found], ["JOURNAL.jsonl", "20", "9"])
    assert.strictEqual(mismatch({ ...made, journal: "", replay: "" }).where, "JOURNAL.jsonl")
    assert.strictEqual(mismatch({ journal: "", replay: "", receipt: "" }).found, "nothing")
  })

  it("refuses an unreadable line: no object, invalid UTF-8, endless nesting", () => {
    for (const text of ["7\n", "null\n", "[]\n", "{\n", `${"[".repeat(100_000)}\n`, Buffer.from([0xff, 0x0a])]) {
      assert.strictEqual(mismatch({ ...made, journal: text }).where, "JOURNAL.jsonl line 1")
    }
  })

  it("finds the same values in another spelling: blanks, escapes, a duplicate member, no line feed at the end", () => {
    const [first] = made.journal.split("\n")
    const last = made.journal.split("\n").length - 1
    for (const [text, at] of [
      [made.journal.replace(first, `${first} `), 1],
      [made.journal.replace(first, first.replace("{", '{"seq":0,')), 1],
      [made.journal.replace('"ada"', String.raw`"\u0061da"`), 1],
      [made.journal.replace('"seq":0', '"seq":0.0'), 1],
      [made.journal.slice(0, -1), last],
      [`${made.journal.slice(0, -1)} `, last]
    ] as const) {
      assert.notStrictEqual(text, made.journal)
      const { what, where } = mismatch({ ...made, journal: text })
      assert.strictEqual(where, `JOURNAL.jsonl line ${at}`)
      assert.match(what, /^the spelling of the line, from character \d+$/)
    }
  })

  it("compares full outputs with their digests if there are any, and counts them otherwise", () => {
    const whole = Buffer.from("all of it")
    const outputBlob = Canonical.digest(whole)
    const cut = journal()
    const { sessionId } = sample()[0]
    cut.add(sessionId, opened({}))
    const ran = {
      path: [sessionId],
      id: "t1s1c0",
      tool: "read_file",
      tier: "ReadOnly",
      arguments: "{}",
      output: "all"
    } as const
    step(cut, sessionId, { turn: 1, step: 1, id: "t1s1c0", tool: "read_file", arguments: "{}" })
    cut.add(sessionId, {
      _tag: "CallEnded",
      toolCallId: receipt(ran).toolCallId,
      tool: "read_file",
      outcome: { _tag: "Succeeded", output: "all", outputBlob, media: [], display: "" },
      receipt: { ...receipt(ran), outputDigest: outputBlob }
    })
    const texts = textsOf(cut.entries)
    const unseen = (outputs: Verify.Files["outputs"]) =>
      Result.map(verify(texts, outputs), (verified) => verified.unseen)
    assert.deepStrictEqual(unseen(null), Result.succeed(1))
    assert.deepStrictEqual(
      unseen((digest) => (digest === outputBlob ? whole : null)),
      Result.succeed(0)
    )
    for (const [bytes, found] of [
      [null, "no file"],
      [Buffer.from("else"), Canonical.digest(Buffer.from("else"))]
    ] as const) {
      assert.deepInclude(
        mismatch(texts, () => bytes),
        {
          where: `JOURNAL.jsonl line ${cut.entries.length}`,
          what: "the whole output",
          expected: outputBlob,
          found
        }
      )
    }
  })

  it("leaves the entries that a fork copied to their original session", () => {
    const copied = journal()
    const source = sample()[0].sessionId
    const origin = { _tag: "Main", forkedFrom: { sessionId: source, entryId: sample()[0].id } } as const
    const fork = sample()[0].sessionId
    copied.add(fork, opened({ origin }))
    const ran = {
      path: [source],
      id: "t1s1c0",
      tool: "read_file",
      tier: "ReadOnly",
      arguments: "{}",
      output: "{}"
    } as const
    step(copied, fork, { turn: 1, step: 1, id: "t1s1c0", tool: "read_file", arguments: "{}" })
    const end = {
      _tag: "CallEnded",
      toolCallId: receipt(ran).toolCallId,
      tool: "read_file",
      outcome: { _tag: "Succeeded", output: "{}", outputBlob: null, media: [], display: "" },
      receipt: receipt(ran)
    } as const
    copied.add(fork, end)
    const all = copied.entries.map((entry) => ({ ...entry, commit: 1 }))
    const texts = textsOf(all)
    assert.deepStrictEqual(Result.getOrThrow(verify(texts)), { sessions: 1, entries: 4, receipts: 0, unseen: 0 })
    const summary = JSON.parse(texts.receipt)
    assert.deepStrictEqual([summary.counts.calls, summary.usage.inputTokens], [0, 0])
  })
})

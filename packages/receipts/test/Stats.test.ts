/** Tests of the statistics: per tool and model, percentiles within their error bound, and the deciders. */
import { type Entry, type Receipt, Session } from "@bough/protocol"
import { AllowedBy, CallRecord, Stats } from "@bough/receipts"
import { assert, describe, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as Histogram from "../src/Histogram.ts"
import { decide, ended, journal, main, misfit, opened, receipt, sample, step } from "./tree.ts"

const recordsOf = (entries: ReadonlyArray<Entry.Entry>): ReadonlyArray<CallRecord.CallRecord> => {
  const calls = CallRecord.empty()
  return entries.flatMap((entry) => CallRecord.append(calls, entry) ?? [])
}

const rowsOf = (entries: ReadonlyArray<Entry.Entry>): ReadonlyArray<Stats.Row> => {
  const stats = Stats.empty()
  for (const call of recordsOf(entries)) Stats.append(stats, call)
  return Stats.rows(stats)
}

const fields = { tier: "ReadOnly", arguments: "{}", output: "{}", path: [main] } as const

describe("Stats", () => {
  it("counts calls by tool and model, with their outcomes", () => {
    const rows = rowsOf(sample())
    assert.deepStrictEqual(
      rows.map(({ calls, failed, fitted, firstTries, retries, succeeded, tool }) => [
        tool,
        calls,
        succeeded,
        failed,
        `${fitted}/${firstTries}`,
        retries
      ]),
      [
        ["list_files", 1, 0, { ExecutionError: 1 }, "1/1", 1],
        ["read_file", 2, 1, { ValidationError: 1 }, "0/1", 0],
        ["run_command", 1, 1, {}, "1/1", 0]
      ]
    )
    assert.deepStrictEqual(rows[2].approvals, { asked: 1, approved: 1, denied: 0 })
    assert.deepStrictEqual(rows[2].allowed, { automatic: 0, rule: 0, config: 0, user: 1 })
    assert.deepStrictEqual([rows[1].p50Millis, rows[1].p95Millis], [7, 7])
  })

  it("adds rows up by category and by version, percentiles included, and excludes cached results from latencies", () => {
    const made = journal()
    made.add(main, opened())
    const call = (id: string, more: Partial<Receipt.Receipt>) => {
      step(made, main, { turn: 1, step: made.entries.length, id, tool: "edit_file", arguments: "{}" })
      const ran = { ...fields, id, tool: "edit_file" }
      const outcome = { _tag: "Succeeded", output: "{}", outputBlob: null, media: [], display: "" } as const
      const toolCallId = Session.ToolCallId.make(id)
      made.add(main, {
        _tag: "CallEnded",
        toolCallId,
        tool: "edit_file",
        outcome,
        receipt: { ...receipt(ran), ...more }
      })
    }
    for (const [at, elapsedMillis] of [10, 20, 30].entries()) call(`one${at}`, { elapsedMillis })
    for (const [at, elapsedMillis] of [100, 200].entries()) call(`two${at}`, { elapsedMillis, version: 2 })
    call("again", { elapsedMillis: 1, cached: { sessionId: main, toolCallId: Session.ToolCallId.make("one0") } })
    step(made, main, { turn: 9, step: 99, id: "wrong", tool: "edit_file", arguments: "{}" })
    misfit(made, main, "wrong", "edit_file", 2)
    const stats = Stats.empty()
    for (const record of recordsOf(made.entries)) Stats.append(stats, record)
    assert.deepStrictEqual(
      Stats.versions(stats).map((row) => [
        row.version,
        row.calls,
        row.p50Millis,
        row.totalMillis,
        row.cached,
        row.fitted
      ]),
      [
        [1, 4, 20, 60, 1, 4],
        [2, 3, 100, 300, 0, 2]
      ]
    )
    const [category] = Stats.categories(stats, () => "files")
    assert.deepInclude(category, { category: "files", tools: ["edit_file"], calls: 7, p50Millis: 30, p95Millis: 200 })
    assert.deepStrictEqual(category.failed, { ValidationError: 1 })
  })

  it("separates models, and calls by users from theirs", () => {
    const made = journal()
    made.add(main, opened())
    step(made, main, { turn: 1, step: 1, id: "a", tool: "read_file", arguments: "{}" }, "one/a")
    ended(made, { ...fields, id: "a", tool: "read_file" })
    step(made, main, { turn: 1, step: 2, id: "b", tool: "read_file", arguments: "{}" }, "two/b")
    ended(made, { ...fields, id: "b", tool: "read_file" })
    ended(made, { ...fields, id: "c", tool: "read_file" })
    assert.deepStrictEqual(
      rowsOf(made.entries).map(({ calls, model }) => [model, calls]),
      [
        [null, 1],
        ["one/a", 1],
        ["two/b", 1]
      ]
    )
  })

  it("counts a correction in the same turn as a failed first try, and one in the next turn as a new call", () => {
    const made = journal()
    made.add(main, opened())
    const at = (turn: number, number: number) => {
      const id = `t${turn}s${number}`
      step(made, main, { turn, step: number, id, tool: "x", arguments: "{}" })
      return id
    }
    misfit(made, main, at(1, 1), "x")
    misfit(made, main, at(1, 2), "x")
    ended(made, { ...fields, id: at(1, 3), tool: "x" })
    misfit(made, main, at(1, 4), "x")
    ended(made, { ...fields, id: at(2, 1), tool: "x" })
    const [row] = rowsOf(made.entries)
    assert.deepStrictEqual([row.calls, row.firstTries, row.fitted], [5, 3, 1])
  })

  it("names who allowed a call, and who denied one", () => {
    const made = journal()
    made.add(main, opened())
    const ran = { ...fields, tool: "run_command" }
    ended(made, { ...ran, id: "a" })
    ended(made, { ...ran, id: "b", authority: { _tag: "Rule", rule: "run_command" } })
    ended(made, { ...ran, id: "c", authority: { _tag: "Config", source: "--approve allow" } })
    decide(made, { ...ran, id: "d" }, { _tag: "Denied", words: "no" }, "bob")
    const reject = (id: string) => {
      const { body } = made.entries[1]
      if (body._tag !== "CallEnded") return
      const error = { _tag: "PermissionDenied", tier: "System", reason: "no" } as const
      const toolCallId = body.toolCallId.replace("a", id) as typeof body.toolCallId
      made.add(main, { ...body, toolCallId, outcome: { _tag: "Rejected", error }, receipt: null })
    }
    reject("d")
    reject("e")
    assert.deepStrictEqual(recordsOf(made.entries).map(AllowedBy.text), [
      "automatic",
      "rule run_command",
      "config --approve allow",
      "denied by bob",
      "denied by policy"
    ])
    assert.deepStrictEqual(rowsOf(made.entries)[0].approvals, { asked: 1, approved: 0, denied: 1 })
  })
})

describe("Histogram", () => {
  it.prop(
    "returns the nearest rank within 1 %, from below, and needs a bounded number of buckets",
    [
      Arbitrary.schema(Schema.NonEmptyArray(Schema.Natural.check(Schema.isLessThan(10_000_000)))),
      Arbitrary.schema(Schema.Literals([0.01, 0.5, 0.95, 1]))
    ],
    ([values, fraction]) => {
      const histogram = Histogram.empty()
      for (const value of values) Histogram.add(histogram, value)
      const exact = values.toSorted((a, b) => a - b)[Math.ceil(values.length * fraction) - 1]
      const found = Histogram.percentile(histogram, fraction) ?? -1
      assert.isAtMost(found, exact)
      assert.isAtLeast(found, exact - exact / 100)
      if (exact < 256) assert.strictEqual(found, exact)
    },
    { arbitrary: { runs: 200, size: 300 } }
  )

  it("stores any number of values in few buckets", () => {
    const histogram = Histogram.empty()
    for (let value = 0; value < 1_000_000; value += 7) Histogram.add(histogram, value)
    assert.isBelow(histogram.buckets.size, 2_000)
    assert.isNull(Histogram.percentile(Histogram.empty(), 0.5))
  })
})

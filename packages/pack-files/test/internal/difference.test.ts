/** The diff of long texts, which is not minimal, and the passes over them, which yield. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import { sampled } from "../../../../test/thorough.ts"
import * as Difference from "../../src/internal/difference.ts"
import * as Edits from "../../src/internal/edits.ts"
import * as Slices from "../../src/internal/Slices.ts"

const Text = Schema.Array(Schema.Literals(["a", "b", "ab", "\n", "\r\n", "\n\n", "é"])).check(Schema.isMaxLength(20))

/** Applies the diff to the old text. */
const patched = (before: string, diff: string): string => {
  const [, from, count] = /^@@ -(\d+),(\d+) /mu.exec(diff) ?? []
  const lines = before.match(/[^\n]*\n|[^\n]+$/gu) ?? []
  const body = diff.split(" @@\n")[1].match(/[^\n]*\n/gu) ?? []
  const side = (mark: string): ReadonlyArray<string> =>
    body.flatMap((line, at) => {
      if (!line.startsWith(mark)) return []
      const ends = !(body[at + 1] ?? "").startsWith("\\ No newline")
      return [ends ? line.slice(1) : line.slice(1, -1)]
    })
  const start = Number(count) === 0 ? Number(from) : Number(from) - 1
  assert.deepStrictEqual(side("-"), lines.slice(start, start + Number(count)))
  return [...lines.slice(0, start), ...side("+"), ...lines.slice(start + Number(count))].join("")
}

/** True if another fiber ran before this one was done. */
const hearsOthers = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(work, { startImmediately: true })
    const heard = fiber.pollUnsafe() === undefined
    yield* Fiber.interrupt(fiber)
    return heard
  })

describe("difference", () => {
  it.prop("of long texts turns the old one into the new one", [Text, Text, Text, Text], ([head, old, now, tail]) => {
    const before = [...head, ...old, ...tail].join("")
    const after = [...head, ...now, ...tail].join("")
    if (before === after) return
    const diff = Effect.runSync(Difference.coarse("x", "x", { before, after }))
    assert.strictEqual(patched(before, diff), after)
  })

  it.effect("names in a long text the lines that differ, and no others", () =>
    Effect.gen(function* () {
      const lines = Array.from({ length: 30_000 }, (_, at) => `line ${at}\n`)
      const diff = yield* Difference.unified("x", lines.join(""), lines.with(17_000, "other\n").join(""))
      assert.strictEqual(diff, "--- x\n+++ x\n@@ -17001,1 +17001,1 @@\n-line 17000\n+other\n")
      const added = yield* Difference.unified("x", null, lines.join(""))
      assert.strictEqual(added, `--- /dev/null\n+++ x\n@@ -0,0 +1,30000 @@\n+${lines.join("+")}`)
    })
  )

  const long = "a\r\n".repeat(Slices.length)

  it.effect.each([
    ["a diff", Difference.unified("x", long, `${long}b`)],
    ["an edit", Edits.apply(`${long}<b>`, [{ old: "<b>", new: "c" }])],
    ["line ends", Slices.toLineFeeds(long)],
    ["the count of lines", Slices.lineFeeds(long, long.length)],
    ["the begin of two texts", Slices.sameBegin(long, long)],
    ["their end", Slices.sameEnd(long, long, long.length)]
  ] as ReadonlyArray<readonly [string, Effect.Effect<unknown, unknown>]>)(
    "%s of a long text lets other fibers run",
    ([, work]) =>
      Effect.gen(function* () {
        assert.isTrue(yield* hearsOthers(work))
      })
  )

  it.prop(
    "passes in slices find the same as one pass",
    [Text, Schema.Natural],
    ([pieces, seed]) => {
      // Longer than a slice, with a line end across its border in some of the runs.
      const text = "x".repeat(Slices.length - (seed % 4)) + pieces.join("") + "\r\n".repeat(3)
      const plain = text.replaceAll("\r\n", "\n")
      assert.strictEqual(Effect.runSync(Slices.toLineFeeds(text)), plain)
      assert.strictEqual(Effect.runSync(Slices.lineFeeds(text, text.length)), text.split("\n").length - 1)
      const index = Slices.length - 4 + (seed % 12)
      const original = Effect.runSync(Slices.originalIndex(text, Math.min(index, plain.length)))
      assert.strictEqual(text.slice(0, original).replaceAll("\r\n", "\n").length, Math.min(index, plain.length))
    },
    sampled({ arbitrary: { runs: 100 } })
  )
})

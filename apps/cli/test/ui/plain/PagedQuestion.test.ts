/** An approval in plain lines: which keys are accepted when, and which pages were shown before. */
import { text } from "@bough/tui/text/SafeText"
import { plain } from "@bough/tui/theme/Style"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Output } from "../../../src/io/Output.ts"
import * as PagedQuestion from "../../../src/ui/plain/PagedQuestion.ts"

/** A key press, or a new size of the terminal before the next key. */
type Step = string | { readonly columns: number; readonly rows: number }

interface QuestionLog {
  readonly answer: string | null
  /** The shown rows, the keys that were accepted by then and those that were pressed, oldest first. */
  readonly log: ReadonlyArray<string>
}

const ask = (length: number, steps: ReadonlyArray<Step>): Effect.Effect<QuestionLog> => {
  let size = { columns: 40, rows: 10 }
  const log: Array<string> = []
  const left = [...steps]
  const output = {
    columns: () => size.columns,
    rows: () => size.rows,
    style: plain,
    noteEscaped: (shown: string) => void log.push(shown)
  } as unknown as Output["Service"]
  const terminal = {
    readKey: (accepted: ReadonlyArray<string>, ready: () => void) =>
      Effect.sync(() => {
        ready()
        for (;;) {
          const step = left.shift()
          if (step === undefined) return null
          if (typeof step !== "string") size = step
          else if (accepted.includes(step)) return step
          else log.push(`refused ${step}`)
        }
      })
  } as unknown as PagedQuestion.QuestionOptions["terminal"]
  const { next } = PagedQuestion.make(
    { output, terminal },
    {
      question: ({ columns }) => Array.from({ length }, (_, row) => text`row ${row + 1} of ${columns}`),
      everything: () => [text`everything`],
      keys: (whole) => [whole ? text`KEYS y` : text`KEYS more`],
      approvingKeys: ["y", "a"],
      others: ["n"]
    }
  )
  return Effect.map(next, (answer) => ({ answer, log }))
}

const rows = (from: number, to: number, columns = 40): ReadonlyArray<string> =>
  Array.from({ length: to - from + 1 }, (_, at) => `row ${from + at} of ${columns}`)
/** The row with the position of a page, cut at the width of the screen. */
const positionRow = (from: number, to: number, total: number): string =>
  `│ … rows ${from} to ${to} of ${total}: read all rows before you allow it`.slice(0, 39).concat("…")

describe("PagedQuestion", () => {
  it.effect("accepts yes at once if the whole question is on the screen", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ask(7, ["y"]), { answer: "y", log: [...rows(1, 7), "KEYS y"] })
    })
  )

  it.effect("accepts yes only after the last page, and no at any time", () =>
    Effect.gen(function* () {
      const { answer, log } = yield* ask(16, ["y", "a", " ", "y", " ", "a"])
      assert.strictEqual(answer, "a")
      assert.deepStrictEqual(log, [
        ...rows(1, 6),
        positionRow(1, 6, 16),
        "KEYS more",
        "refused y",
        "refused a",
        ...rows(7, 12),
        positionRow(7, 12, 16),
        "KEYS more",
        "refused y",
        ...rows(11, 16),
        "│ … rows 11 to 16 of 16",
        "KEYS y"
      ])
      assert.strictEqual((yield* ask(16, ["n"])).answer, "n")
      assert.strictEqual((yield* ask(16, [])).answer, null)
    })
  )

  it.effect(
    "shows the question from its start if the screen became smaller before yes, and only then accepts yes",
    () =>
      Effect.gen(function* () {
        const narrower = yield* ask(7, [{ columns: 38, rows: 10 }, "y", "y"])
        assert.deepStrictEqual(narrower, {
          answer: "y",
          log: [...rows(1, 7), "KEYS y", ...rows(1, 7, 38), "KEYS y"]
        })
        const lower = yield* ask(7, [{ columns: 40, rows: 6 }, "y", "y", " ", " ", " ", "y"])
        assert.strictEqual(lower.answer, "y")
        assert.include(lower.log, "refused y")
        const between = yield* ask(16, [" ", { columns: 38, rows: 10 }, " ", "y", " ", " ", "y"])
        assert.include(between.log, "refused y")
        assert.includeMembers([...between.log], [...rows(1, 16, 38)])
        assert.deepStrictEqual((yield* ask(7, [{ columns: 40, rows: 30 }, "y"])).answer, "y")
      })
  )

  it.effect("accepts yes once all rows were printed with ?, at any size", () =>
    Effect.gen(function* () {
      const { answer, log } = yield* ask(100, ["?", { columns: 20, rows: 5 }, "y"])
      assert.strictEqual(answer, "y")
      assert.deepStrictEqual(log.slice(-2), ["everything", "KEYS y"])
    })
  )
})

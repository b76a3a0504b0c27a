import { cells } from "@bough/tui/text/Width"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { helpOf } from "../build/helpOf.ts"
import * as HelpText from "../src/command-line/HelpText.ts"

const Path = Schema.Literals(["", "run", "sessions", "sessions fork", "tools schema", "policy test", "memory search"])
const Columns = Schema.Literals([40, 60, 80, 100])

describe("HelpText", () => {
  it.effect.prop(
    "prints all of it within the columns, and breaks no word that fits",
    [Path, Columns],
    ([path, columns]) =>
      Effect.gen(function* () {
        const doc = yield* helpOf(
          "bough",
          path.split(" ").filter((word) => word !== "")
        )
        const rows = HelpText.rows(doc, columns)
        assert.deepStrictEqual(
          rows.filter((row) => cells(row) > columns),
          []
        )
        const words = (some: ReadonlyArray<string>) => some.join(" ").split(/\s+/u).join(" ")
        const widest = HelpText.rows(doc, 1000)
        assert.strictEqual(words(rows), words(widest))
        assert.include(words(rows), "--cwd DIR Workspace directory; default: the current directory")
      })
  )
})

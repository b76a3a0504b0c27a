import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as CliOutput from "effect/cli/CliOutput"
import * as Command from "effect/cli/Command"
import type { HelpDoc } from "effect/cli/HelpDoc"
import * as CommandLine from "../src/command-line/CommandLine.ts"
import * as HelpText from "../src/command-line/HelpText.ts"
import * as Parse from "../src/command-line/Parse.ts"
import { cells } from "@bough/tui/text/Width"

const handlers = new Proxy({} as CommandLine.Handlers, { get: () => () => Effect.void })

const helpOf = (path: ReadonlyArray<string>) =>
  Effect.suspend(() => {
    const found: Array<HelpDoc> = []
    const presenter: CliOutput.Presenter = {
      present: (event) => Effect.sync(() => void (event._tag === "Help" && found.push(event.helpDoc)))
    }
    return Command.runWith(CommandLine.make("bough", handlers), { version: "0", renderErrors: false })([
      ...path,
      "--help"
    ]).pipe(
      Effect.provide(Parse.environment(presenter)),
      Effect.map(() => found[0])
    )
  })

const Path = Schema.Literals(["", "run", "sessions", "sessions fork", "tools schema", "policy test", "memory search"])
const Columns = Schema.Literals([40, 60, 80, 100])

describe("HelpText", () => {
  it.effect.prop(
    "says all of it within the columns, and breaks no word that fits",
    [Path, Columns],
    ([path, columns]) =>
      Effect.gen(function* () {
        const doc = yield* helpOf(path.split(" ").filter((word) => word !== ""))
        const rows = HelpText.rows(doc, columns)
        assert.deepStrictEqual(
          rows.filter((row) => cells(row) > columns),
          []
        )
        const words = (some: ReadonlyArray<string>) => some.join(" ").split(/\s+/u).join(" ")
        const widest = HelpText.rows(doc, 1000)
        assert.strictEqual(words(rows), words(widest))
        assert.include(words(rows), "--cwd DIR The workspace; default: the directory")
      })
  )
})

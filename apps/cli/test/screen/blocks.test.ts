/** Finished blocks as a person reads them: signs, and where rows break. */
import { assert, describe, it } from "@effect/vitest"
import type { Entry } from "@bough/protocol"
import type { Block } from "../../src/screen/Block.ts"
import * as BlockRows from "../../src/screen/BlockRows.ts"
import * as Theme from "../../src/screen/Theme.ts"

const rowsOf = (block: Block): string => BlockRows.rows(block, null, { columns: 60, theme: Theme.none }).join("\n")

const succeeded = (output: unknown, display: string): Entry.Outcome => ({
  _tag: "Succeeded",
  output: JSON.stringify(output),
  outputBlob: null,
  media: [],
  display
})

describe("BlockRows", () => {
  it("has the sign of how a command ended", () => {
    const call = {
      _tag: "Call",
      tool: "run_command",
      arguments: "{}",
      tier: "System",
      wasAsked: false,
      fold: null
    } as const
    const signOf = (output: unknown): string => rowsOf({ ...call, outcome: succeeded(output, "ran") })
    assert.strictEqual(signOf({ exitCode: 0, stdout: "", stderr: "" }), "✓ ran")
    assert.strictEqual(signOf({ exitCode: 3, stdout: "", stderr: "" }), "✗ ran")
    assert.strictEqual(signOf({ exitCode: null, signal: "SIGKILL", stdout: "", stderr: "" }), "✗ ran")
    assert.strictEqual(signOf({ text: '"exitCode":3' }), "✓ ran")
  })

  it("breaks what a person said between words, and keeps how it was indented", () => {
    const text = `please do what has to be done here, it is a long request\n    and ${"word ".repeat(14)}`
    assert.strictEqual(
      rowsOf({ _tag: "Said", text, note: "" }),
      [
        "› please do what has to be done here, it is a long request",
        `      and ${"word ".repeat(10)}`.trimEnd(),
        `      ${"word ".repeat(4)}`.trimEnd()
      ].join("\n")
    )
  })
})

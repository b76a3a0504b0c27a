/** Finished blocks as a user reads them: signs, and where rows break. */
import { text } from "@bough/tui/text/SafeText"
import * as Theme from "@bough/tui/theme/Theme"
import { assert, describe, it } from "@effect/vitest"
import type { Block } from "../../../src/ui/tui/Block.ts"
import * as BlockRows from "../../../src/ui/tui/BlockRows.ts"

const rowsOf = (block: Block): string => BlockRows.rows(block, null, { columns: 60, theme: Theme.none }).join("\n")

const succeeded = (output: unknown, display: string) => ({
  _tag: "Succeeded" as const,
  output: JSON.stringify(output),
  outputBlob: null,
  media: [],
  display
})

describe("BlockRows", () => {
  it("has the sign of a command's outcome", () => {
    const call = {
      _tag: "Call",
      tool: "run_command",
      role: "Command",
      arguments: "{}",
      tier: "System",
      wasAsked: false,
      hasOutput: false
    } as const
    const signOf = (output: unknown): string => rowsOf({ ...call, outcome: succeeded(output, "ran") })
    assert.strictEqual(signOf({ exitCode: 0, stdout: "", stderr: "" }), "✓ ran")
    assert.strictEqual(signOf({ exitCode: 3, stdout: "", stderr: "" }), "✗ ran")
    assert.strictEqual(signOf({ exitCode: null, signal: "SIGKILL", stdout: "", stderr: "" }), "✗ ran")
    assert.strictEqual(signOf({ text: '"exitCode":3' }), "✓ ran")
    assert.strictEqual(signOf({ exitCode: null, commandId: "cmd-1", stdout: "", stderr: "" }), "✓ ran")
    assert.strictEqual(signOf({ commandId: "cmd-1", running: false, exitCode: 1, text: "port is taken" }), "✗ ran")
    assert.strictEqual(signOf({ commandId: "cmd-1", running: false, exitCode: 1, reason: "stopped" }), "✓ ran")
  })

  it("breaks a user message between words, and keeps its indentation", () => {
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

  it("shows the end of a command's output, and of a file that was read only that it can be shown", () => {
    const stdout = Array.from({ length: 9 }, (_, line) => `line ${line + 1}\n`).join("")
    const call = {
      _tag: "Call",
      tool: "run_command",
      role: "Command",
      arguments: "{}",
      wasAsked: false,
      hasOutput: true
    } as const
    assert.strictEqual(
      rowsOf({ ...call, tier: "Workspace", outcome: succeeded({ exitCode: 0, stdout }, "ran it") }),
      "✓ ran it\n  │ … 4 more lines · Ctrl-O opens it\n  │ line 5\n  │ line 6\n  │ line 7\n  │ line 8\n  │ line 9"
    )
    assert.strictEqual(
      rowsOf({
        ...call,
        tool: "read_file",
        role: null,
        tier: "ReadOnly",
        outcome: succeeded({ text: stdout }, "Read it")
      }),
      "✓ Read it · Ctrl-O opens it"
    )
  })

  it("shows why a command failed, not its last lines", () => {
    const stdout = [
      ...Array.from({ length: 9 }, (_, test) => `ok ${test + 1}`),
      "not ok 10 - adds",
      "  3 !== 4",
      ...Array.from({ length: 9 }, (_, line) => `# count ${line}`)
    ].join("\n")
    const call = {
      _tag: "Call",
      tool: "run_command",
      role: "Command",
      arguments: "{}",
      wasAsked: false,
      hasOutput: true
    } as const
    const rows = rowsOf({
      ...call,
      tier: "Workspace",
      outcome: succeeded({ exitCode: 1, stdout }, "npm test exited with 1")
    })
    assert.match(
      rows,
      /^✗ npm test exited with 1\n {2}│ … 6 more lines · Ctrl-O opens it\n {2}│ ok 7\n {2}│ ok 8\n {2}│ ok 9\n {2}│ not ok 10 - adds\n {2}│ {3}3 !== 4\n/
    )
    assert.match(rows, /# count 8$/)
    // A gap further down is counted too, without the hint.
    const longer = stdout.replace("# count 0", `${"- step\n".repeat(30)}# count 0`)
    const longRows = rowsOf({
      ...call,
      tier: "Workspace",
      outcome: succeeded({ exitCode: 1, stdout: longer }, "npm test exited with 1")
    })
    assert.match(longRows, /\n {2}│ … \d+ more lines\n[\s\S]*# count 8$/)
  })

  it("shows the beginning of a write's diff, unless an approval has shown it", () => {
    const call = {
      _tag: "Call",
      tool: "edit_file",
      role: null,
      arguments: "{}",
      tier: "Workspace",
      wasAsked: false,
      hasOutput: true
    } as const
    const edited = { ...succeeded({}, "Edited a.ts"), details: "@@ -1 +1 @@\n-one\n+two\n" }
    assert.strictEqual(rowsOf({ ...call, outcome: edited }), "✓ Edited a.ts\n  │ 1 -one\n  │ 1 +two")
    assert.strictEqual(rowsOf({ ...call, outcome: edited, wasAsked: true }), "✓ Edited a.ts · Ctrl-O opens it")
    const painted = BlockRows.rows({ ...call, outcome: edited }, null, { columns: 60, theme: Theme.themeFor("dark") })
    assert.include(painted.at(-1), Theme.themeFor("dark").green(text`two`))
    const long = {
      ...edited,
      details: `@@ -0,0 +1,20 @@\n${Array.from({ length: 20 }, (_, line) => `+${line}\n`).join("")}`
    }
    const rows = rowsOf({ ...call, outcome: long }).split("\n")
    assert.lengthOf(rows, 17)
    assert.strictEqual(rows.at(-2), "  │ 15 +14")
    assert.strictEqual(rows.at(-1), "  │ … 5 more lines · Ctrl-O opens it")
  })
})

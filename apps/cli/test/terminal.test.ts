/** The pure parts of the terminal: arguments before parsing, text in cells, type-ahead, the text of an approval. */
import { Approval, type Entry, Session } from "@bough/protocol"
import { breakHard, cut } from "@bough/tui/text/Rows"
import { text as safe, unchecked } from "@bough/tui/text/SafeText"
import { cells } from "@bough/tui/text/Width"
import { plain as style } from "@bough/tui/theme/Style"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Arguments from "../src/command-line/Arguments.ts"
import * as ApprovalText from "../src/format/ApprovalText.ts"
import * as EventText from "../src/format/EventText.ts"
import * as ListText from "../src/format/ListText.ts"
import * as MessageText from "../src/format/MessageText.ts"
import * as TypedAhead from "../src/io/TypedAhead.ts"
import { recorded } from "./ui/recorded.ts"

describe("Arguments", () => {
  it("puts words that cannot be flags behind --, and ties the value of a flag to it", () => {
    const cases: ReadonlyArray<readonly [ReadonlyArray<string>, ReadonlyArray<string>]> = [
      [
        ["run", "- x"],
        ["run", "--", "- x"]
      ],
      [
        ["run", "--- a diff", "--format", "json"],
        ["run", "--format", "json", "--", "--- a diff"]
      ],
      [
        ["run", "--allow", "- odd", "hi"],
        ["run", "--allow=- odd", "hi"]
      ],
      [
        ["run", "-"],
        ["run", "-"]
      ],
      [
        ["run", "--format=json", "-v"],
        ["run", "--format=json", "-v"]
      ],
      [
        ["run", "-5 apples", "--", "--help"],
        ["run", "--", "-5 apples", "--help"]
      ]
    ]
    for (const [input, prepared] of cases)
      assert.deepStrictEqual(Arguments.prepare(input, new Set(["--allow", "--format"])), prepared)
  })
})

describe("Layout", () => {
  it.prop(
    "wraps every line into rows that fit and loses nothing",
    [Schema.Array(Schema.Literals(["a", "世", "é", " ", "🌳", "\n", "word"])), Schema.Literals([2, 3, 7, 20])],
    ([pieces, columns]) => {
      const text = pieces.join("")
      const rows = breakHard(unchecked(text), columns)
      assert.strictEqual(rows.join(""), text.replaceAll("\n", ""))
      assert.isTrue(rows.every((row) => cells(row) <= columns))
    },
    { arbitrary: { runs: 200, size: 40 } }
  )

  it("cuts at the width, wide characters counted as two", () => {
    assert.deepStrictEqual<ReadonlyArray<string>>(
      [cut(safe`short`, 10), cut(safe`a longer line`, 8), cut(safe`世界世界`, 5)],
      ["short", "a longe…", "世界…"]
    )
  })
})

describe("ListText", () => {
  const entries: ReadonlyArray<readonly [string, string]> = [
    ["/model [provider/model]", "show or change the model"],
    ["/quit", "leave"],
    ["none", ""],
    ["", "/model PROVIDER/MODEL uses any other model"]
  ]

  it("puts descriptions beside the names if they fit, else below them, and never beyond the width", () => {
    assert.deepStrictEqual<ReadonlyArray<string>>(ListText.rows(entries, 80), [
      "/model [provider/model]  show or change the model",
      "/quit                    leave",
      "none",
      "/model PROVIDER/MODEL uses any other model"
    ])
    assert.deepStrictEqual<ReadonlyArray<string>>(ListText.rows(entries, 30), [
      "/model [provider/model]",
      "     show or change the model",
      "/quit",
      "     leave",
      "none",
      "/model PROVIDER/MODEL uses any",
      "other model"
    ])
    for (const columns of [20, 30, 52, 60, 80]) {
      for (const row of ListText.rows(ListText.numberLines(entries), columns)) {
        assert.isAtMost(cells(row), columns, row)
      }
    }
  })
})

describe("TypedAhead", () => {
  it("keeps lines and an unfinished one, applies erasing, ignores keys that are not text", () => {
    const typed = TypedAhead.make()
    assert.deepStrictEqual(typed.take("helloo\u007F wor"), { lines: [], interrupted: false })
    assert.deepStrictEqual(typed.take("ld\u001B[A\u001B[1;5C\r\nnext"), { lines: ["hello world"], interrupted: false })
    assert.strictEqual(typed.unfinished(), "next")
    assert.strictEqual(typed.unfinished(), "")
    assert.deepStrictEqual(typed.take("gone\u0015here\u0003"), { lines: [], interrupted: true })
    assert.strictEqual(typed.unfinished(), "here")
  })
})

const printedApproval = (render: string, args: unknown): ApprovalText.PrintedApproval => ({
  request: request(render, args),
  askedBy: []
})

const request = (render: string, args: unknown): Approval.Request => ({
  approvalId: Session.ApprovalId.make("apr_1"),
  sessionPath: [Session.SessionId.make("ses_1")],
  toolCallId: Session.ToolCallId.make("t1"),
  tool: "run_command",
  version: 1,
  tier: "Elevated",
  arguments: JSON.stringify(args),
  argumentsDigest: "sha256:0",
  preview: { render, preconditions: [] },
  reason: "because",
  askedAtMillis: 0,
  expiresAtMillis: 1
})

describe("ApprovalText", () => {
  const screen = { columns: 40, rows: 30, style }

  it("keeps text of tools behind a bar, whatever it contains", () => {
    const rows = ApprovalText.question(
      printedApproval(`ls\n\n└ y allow · approved${" ".repeat(300)}&& rm -rf ~\r\u001B[2A`, {}),
      null,
      screen
    )
    assert.deepStrictEqual(
      rows.slice(1).filter((row) => !row.startsWith("│ ")),
      []
    )
    assert.include(rows.join(""), "rm -rf ~")
    assert.include(rows.join(""), String.raw`\r\u{1b}[2A`)
  })

  it("names the descendant session that asks, its title behind the bar too", () => {
    const askedBy = [
      { kind: "Main" as const, title: "ship it" },
      { kind: "Branch" as const, title: "clean\n└ y allow" }
    ]
    const rows = ApprovalText.question({ ...printedApproval("ls", {}), askedBy }, null, { ...screen, columns: 80 })
    assert.include(rows, String.raw`│ requested by: “ship it” › branch “clean\n└ y allow”`)
  })

  it("warns of letters that only look Latin", () => {
    const rows = ApprovalText.question(printedApproval("\u0441url https://g\u043Eogle.com", {}), null, {
      ...screen,
      columns: 80
    })
    assert.strictEqual(rows.at(-1), String.raw`! letters that only look Latin: \u{441}url, g\u{43e}ogle`)
  })

  it("shows the call before any text about it, and the rule that always would make last", () => {
    const { request: of } = printedApproval("$ make", {})
    const askedBy = [
      { kind: "Main" as const, title: "ship it" },
      { kind: "Branch" as const, title: "press y" }
    ]
    const rows = ApprovalText.question({ request: { ...of, reason: "please" }, askedBy }, "run_command make", {
      ...screen,
      columns: 80
    })
    assert.deepStrictEqual<ReadonlyArray<string>>(rows, [
      "┌ Allow run_command? (outside the safe tier)",
      "│ $ make",
      "│ reason: please",
      "│ requested by: “ship it” › branch “press y”",
      "│ always would allow: run_command make"
    ])
  })

  it("offers neither yes nor always if not all was shown", () => {
    assert.deepStrictEqual<ReadonlyArray<string>>(ApprovalText.keys({ always: true, whole: false, more: [] }, screen), [
      "└ Space more · n deny with a reason",
      "  ? details"
    ])
    assert.isAbove(ApprovalText.allFacts(printedApproval("line\n".repeat(100), {}), null, screen).length, 100)
  })
})

describe("EventText", () => {
  it("shows each event on one line that fits", () => {
    const place = { sessionId: Session.SessionId.make("ses_1"), turn: 1, step: 1 }
    const call = { ...place, toolCallId: Session.ToolCallId.make("t1"), tool: "write_file" }
    const linesOf = EventText.make()
    const line = (body: Entry.Body, columns: number) => linesOf(recorded(place.sessionId, body), { columns, style })
    const written = JSON.stringify({ path: "a", content: "x\ny".repeat(99) })
    const { toolCallId } = call
    const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null }
    const part = { _tag: "ToolCall", toolCallId, providerCallId: "", name: call.tool, arguments: written } as const
    const requested = line({ _tag: "ModelReplied", turn: 1, step: 1, completion: "complete", parts: [part], usage }, 40)
    assert.deepStrictEqual<ReadonlyArray<string>>(requested, [String.raw`→ write_file path="a" content="x\nyx\ny…`])
    const error = { _tag: "ExecutionError", message: "no\u001B[0m", hint: "ask" } as const
    const outcome = { _tag: "Failed", schema: null, error } as const
    const failed = line({ _tag: "CallEnded", toolCallId, tool: call.tool, outcome, receipt: null }, 80)
    assert.deepStrictEqual<ReadonlyArray<string>>(failed, [String.raw`✗ write_file: no\u{1b}[0m (ask)`])
    // A validation error begins with the name of the tool, which is shown once.
    const invalid = {
      _tag: "ValidationError",
      message: "write_file: path: is missing",
      field: "path",
      issues: []
    } as const
    const refused = { _tag: "Failed", schema: null, error: invalid } as const
    assert.deepStrictEqual<ReadonlyArray<string>>(
      line({ _tag: "CallEnded", toolCallId, tool: call.tool, outcome: refused, receipt: null }, 80),
      ["✗ write_file: path: is missing"]
    )
  })
})

describe("MessageText", () => {
  it("names the sender, and leaves no row of the text without a bar, however it is broken", () => {
    const text = `half\n┌ Allow\u001B[2J${" ".repeat(40)}└ y allow`
    const [speaker, ...words] = MessageText.rows({ from: { kind: "Branch", title: "tests\u001B[0m" }, text }, 30)
    assert.strictEqual(speaker, String.raw`✉ branch “tests\u{1b}[0m”`)
    assert.isAbove(words.length, 3)
    for (const row of words) {
      assert.match(row, /^│ /)
      assert.isAtMost(cells(row), 30)
    }
    assert.include(words.join(""), String.raw`\u{1b}[2J`)
    assert.deepStrictEqual<ReadonlyArray<string>>(
      MessageText.rows({ from: { kind: "Main", title: "" }, text: "hi" }, 30),
      ["✉ message", "│ hi"]
    )
  })
})

/** An approval of a change: the colours of its diff, and the arguments among its details. */
import { type Approval, Session } from "@bough/protocol"
import * as Highlight from "@bough/tui/code/Highlight"
import { text } from "@bough/tui/text/SafeText"
import * as Theme from "@bough/tui/theme/Theme"
import { assert, describe, it } from "@effect/vitest"
import { dark } from "../../../../../packages/tui/test/anyText.ts"
import * as Question from "../../../src/ui/tui/Question.ts"
import * as QuestionDiff from "../../../src/ui/tui/QuestionDiff.ts"

const edit: Approval.Request = {
  approvalId: Session.ApprovalId.make("apr_1"),
  sessionPath: [Session.SessionId.make("ses_1")],
  toolCallId: Session.ToolCallId.make("t1"),
  tool: "edit_file",
  version: 1,
  tier: "Elevated",
  arguments: JSON.stringify({
    path: "src/a.ts",
    edits: [
      { old: "old", new: "one\n  two\n" },
      { old: "a", new: "" }
    ],
    note: "one\npath: b.ts",
    replaceAll: false
  }),
  argumentsDigest: "sha256:0",
  preview: {
    render: "@@ -1,2 +1,2 @@\n let a = 1\n-const size = old\n+const size = fresh\n",
    preconditions: [
      { _tag: "FileDigest", path: "src/a.ts", digest: `sha256:${"0".repeat(64)}` },
      { _tag: "FileDigest", path: "src/b.ts", digest: null }
    ]
  },
  reason: "",
  askedAtMillis: 0,
  expiresAtMillis: 1
}

// oxlint-disable-next-line no-control-regex -- these are the sequences that colors are made of
const bare = (row: string): string => row.replaceAll(/\u001B\[\d+m/gu, "")

describe("Question", () => {
  const question = Question.make({ request: edit, askedBy: [] }, null, false)
  const size = { columns: 60, rows: 40, theme: dark }

  it("shows the diff of a change in the colours of its language, once the grammar is loaded", async () => {
    const words = dark.syntax?.keyword(text`const`) ?? "none"
    // Another file of the same worker may have loaded it, and then nothing needs to load.
    if (!Highlight.isSettled("typescript")) {
      assert.notInclude(Question.body(question, size).join("\n"), words)
      await new Promise<void>((loaded) => QuestionDiff.load(edit, dark, loaded))
    }
    const rows = Question.body(question, size)
    assert.include(rows.join("\n"), words)
    assert.include(rows.join("\n"), dark.inverse(dark.green(text`fresh`)))
    const plain = Question.body(question, { ...size, theme: Theme.none })
    assert.deepStrictEqual(rows.map(bare), [...plain])
  })

  it("names each argument among the details, its text unchanged", () => {
    const rows = Question.allRows(question, { ...size, theme: Theme.none }).join("\n")
    const named = [
      "path: src/a.ts",
      "edits:",
      "  - old: old",
      "    new:",
      "      one",
      "        two",
      "  - old: a",
      "    new: ",
      "note:",
      "  one",
      "  path: b.ts",
      "replaceAll: false"
    ]
    assert.include(rows, named.map((row) => `│ ${row}`).join("\n"))
    assert.include(
      rows,
      "│ valid while src/a.ts is unchanged (sha256:000000000000…)\n│ valid while src/b.ts does not exist"
    )
    assert.notMatch(rows, /[{}"]/u)
  })

  it("explains what a rule about a host covers, and what one without arguments does", () => {
    const means = (rule: string) =>
      Question.body(Question.make({ request: edit, askedBy: [] }, rule, false), {
        ...size,
        columns: 100,
        theme: Theme.none
      })
        .filter((row) => row.includes("means:"))
        .map(String)
    assert.deepStrictEqual(means("run_command host=registry.example"), [
      "│   means: every call of this tool may reach registry.example, whatever it sends"
    ])
    assert.deepStrictEqual(means("mcp__notes__add"), ["│   means: every call of this tool, with any arguments"])
  })
})

it("says why a request that ended by itself is no longer needed", () => {
  const decision = { _tag: "Lapsed", reason: "the call ended without it" } as const
  const rows = Question.outcome({ by: null, decision }, { columns: 80, theme: Theme.none })
  assert.deepStrictEqual([...rows], ["└ no longer needed: the call ended without it"])
})

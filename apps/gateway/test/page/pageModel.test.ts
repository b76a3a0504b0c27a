/** The pure parts of the page beside the fold of a conversation. */
import { Files } from "@bough/gateway-api"
import { Budget } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Attached from "../../page/src/model/Attached.ts"
import * as CallText from "../../page/src/model/CallText.ts"
import * as DiffLines from "../../page/src/model/DiffLines.ts"
import * as Figures from "../../page/src/model/Figures.ts"
import * as MarkdownBlocks from "../../page/src/model/MarkdownBlocks.ts"
import * as Queue from "../../page/src/model/Queue.ts"
import * as SessionList from "../../page/src/model/SessionList.ts"
import * as TreeLayout from "../../page/src/model/TreeLayout.ts"
import * as TreeView from "../../page/src/model/TreeView.ts"

const lines = [
  "",
  "\n",
  "words and words\n",
  "```ts\n",
  "```\n",
  "~~~~\n",
  "~~~\n",
  "- item\n",
  "1. item\n",
  "  indented\n",
  "# title\n",
  "[1]: https://example.org\n"
]
const Markdown = Schema.Array(Schema.Literals(lines))

/** The lines of a text that are inside a fenced block. */
const fenced = (text: string): ReadonlyArray<boolean> => {
  let mark: string | null = null
  return text.split("\n").map((line) => {
    const found = /^(`{3,}|~{3,})/u.exec(line)?.[1]
    const isInside = mark !== null
    if (mark === null) mark = found ?? null
    else if (found !== undefined && found[0] === mark[0] && found.length >= mark.length && line === found) mark = null
    return isInside
  })
}

describe("MarkdownBlocks", () => {
  it.prop("join to the text", [Markdown], ([pieces]) => {
    assert.strictEqual(MarkdownBlocks.split(pieces.join("")).join(""), pieces.join(""))
  })

  it.prop("never split a fenced block", [Markdown], ([pieces]) => {
    const text = pieces.join("")
    const inside = fenced(text)
    let line = 0
    for (const block of MarkdownBlocks.split(text)) {
      assert.isFalse(line > 0 && inside[line])
      line += block.split("\n").length - 1
    }
  })

  it.prop("do not change while the text grows, except for the last one", [Markdown, Markdown], ([before, more]) => {
    const text = before.join("")
    const grown = text + more.join("")
    if (/^\[1\]/mu.test(grown) || !text.endsWith("\n")) return
    const blocks = MarkdownBlocks.split(text)
    assert.deepStrictEqual(MarkdownBlocks.split(grown).slice(0, blocks.length - 1), blocks.slice(0, -1))
  })

  it("split paragraphs, and keep a list with blank lines in one", () => {
    assert.deepStrictEqual(MarkdownBlocks.split("a\n\nb\n\n- c\n\n- d\n\ne"), ["a\n\n", "b\n\n", "- c\n\n- d\n\n", "e"])
  })
})

describe("DiffLines", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -2,3 +2,3 @@\n same\n-old\n+new\n--- not a file\n\\ No newline at end of file\n"

  it("number the lines of a hunk on both sides", () => {
    assert.deepStrictEqual(
      DiffLines.rowsOf(diff).map(({ after, before, kind }) => [kind, before, after]),
      [
        ["file", null, null],
        ["file", null, null],
        ["hunk", null, null],
        ["same", 2, 2],
        ["removed", 3, null],
        ["added", null, 3],
        ["removed", 4, null],
        ["file", null, null]
      ]
    )
  })

  it("distinguish a diff from text whose lines only begin with signs", () => {
    assert.deepStrictEqual([DiffLines.isDiff(diff), DiffLines.isDiff("- a list\n+ and more\n")], [true, false])
  })

  it.prop("count the changes of a generated hunk", [Schema.Array(Schema.Literals(["+", "-", " "]))], ([signs]) => {
    const text = ["@@ -1 +1 @@", ...signs.map((sign) => `${sign}x`)].join("\n")
    assert.deepStrictEqual(DiffLines.countChanges(DiffLines.rowsOf(text)), {
      added: signs.filter((sign) => sign === "+").length,
      removed: signs.filter((sign) => sign === "-").length
    })
  })
})

describe("TreeLayout", () => {
  /** Each number is the index of the parent among the earlier nodes. */
  const nodesOf = (parents: ReadonlyArray<number>): ReadonlyArray<TreeLayout.TreeNode> => [
    { sessionId: "0", parentId: null },
    ...parents.map((parent, index) => ({ sessionId: `${index + 1}`, parentId: `${parent % (index + 1)}` }))
  ]

  it.prop("places every session once, and none on another", [Schema.Array(Schema.Natural)], ([parents]) => {
    const nodes = nodesOf(parents.slice(0, 40))
    const { height, placed, width } = TreeLayout.place(nodes)
    assert.sameMembers(
      placed.map(({ node }) => node.sessionId),
      nodes.map(({ sessionId }) => sessionId)
    )
    for (const [index, a] of placed.entries()) {
      assert.isTrue(a.x >= 0 && a.y >= 0)
      assert.isTrue(a.x + TreeLayout.nodeWidth <= width && a.y + TreeLayout.nodeHeight <= height)
      for (const b of placed.slice(index + 1)) {
        const isApart =
          Math.abs(a.x - b.x) >= TreeLayout.nodeWidth - 0.01 || Math.abs(a.y - b.y) >= TreeLayout.nodeHeight
        assert.isTrue(isApart, `${a.node.sessionId} and ${b.node.sessionId} overlap`)
      }
    }
  })

  it("places a session below the Main if its parent is not known", () => {
    const { links } = TreeLayout.place([
      { sessionId: "main", parentId: null },
      { sessionId: "late", parentId: "unknown" }
    ])
    assert.deepStrictEqual(
      links.map(({ from, to }) => [from, to]),
      [["main", "late"]]
    )
  })
})

describe("TreeView", () => {
  it("adds the usage of children that run, at any depth, and of no ended one", () => {
    const spent = (inputTokens: number) => ({ ...Budget.nothing, inputTokens })
    const sessions = [
      { id: "main", liveChildren: ["branch"], spent: spent(1) },
      { id: "branch", liveChildren: ["worker"], spent: spent(10) },
      { id: "worker", liveChildren: [], spent: spent(100) },
      { id: "ended", liveChildren: [], spent: spent(1_000) }
    ]
    const own = { inputTokens: 7, outputTokens: 1, costUsd: null }
    const sum = (sessionId: string) => TreeView.withLiveChildren(own, sessions, sessionId)
    assert.deepStrictEqual(sum("main"), { inputTokens: 117, outputTokens: 1, costUsd: null })
    assert.deepStrictEqual(sum("worker"), own)
  })
})

describe("CallText", () => {
  it("shows invalid JSON arguments verbatim", () => {
    assert.deepStrictEqual(CallText.argumentRows('{"path": "a'), [{ name: "arguments", text: '{"path": "a' }])
  })

  it.each([
    ['{"exitCode":0,"stdout":""}', "good", ""],
    ['{"exitCode":1,"stdout":""}', "bad", "exit 1"],
    ['{"exitCode":null,"signal":"SIGKILL"}', "bad", "ended by SIGKILL"],
    ['{"exitCode":null,"commandId":"cmd_1"}', "good", ""],
    ['{"text":"the \\"exitCode\\" of it"}', "good", ""],
    ['"exitCode" is missing', "good", ""]
  ])("shows a successful call with the output %s as %s %s", (output, tone, label) => {
    const outcome = { _tag: "Succeeded" as const, output, outputBlob: null, media: [], display: "" }
    assert.deepStrictEqual(CallText.callState({ outcome, status: "ended" }), { tone, label })
  })

  it.prop("names every argument of an object", [Schema.Record(Schema.String, Schema.String)], ([given]) => {
    const rows = CallText.argumentRows(JSON.stringify(given))
    assert.deepStrictEqual(Object.fromEntries(rows.map(({ name, text }) => [name, text])), { ...given })
  })
})

describe("Figures", () => {
  it("formats a time of the past within a sentence", () => {
    assert.deepStrictEqual([0, 300_000, 7_200_000].map(Figures.ago), ["just now", "5 min ago", "2 h ago"])
  })

  it.each([
    [0, "0 ms"],
    [999, "999 ms"],
    [59_999, "59 s"],
    [185_000, "3 min 5 s"],
    [7_200_000, "2 h"],
    [93_600_000, "1 d 2 h"]
  ])("a duration of %i ms is %s", (millis, text) => {
    assert.strictEqual(Figures.duration(millis), text)
  })

  it.each([
    [999, "999"],
    [12_340, "12.3k"],
    [2_000_000, "2M"]
  ])("a count of %i is %s", (amount, text) => {
    assert.strictEqual(Figures.count(amount), text)
  })

  it("distinguishes an unknown price from zero", () => {
    assert.deepStrictEqual([Figures.dollars(null), Figures.dollars(0)], ["price unknown", "$0"])
  })
})

describe("Attached", () => {
  it.prop("turns every name into one that the server accepts", [Schema.String], ([name]) => {
    assert.isTrue(Schema.is(Files.FileName)(Attached.fileName(name)))
  })

  it("keeps the extension of a truncated name", () => {
    const name = Attached.fileName(`${"n".repeat(300)}.tar.gz`)
    assert.deepStrictEqual([name.length, name.endsWith(".gz")], [200, true])
  })

  it("waits for uploads, and sends no message with a failed one", () => {
    const file = (state: Attached.AttachedFile["state"]) => ({ key: "a", name: "a", state })
    const stored = file({ _tag: "Stored", id: "1" })
    assert.deepStrictEqual(
      [[stored], [stored, file({ _tag: "Uploading" })], [file({ _tag: "Failed", message: "too large" })]].map(
        Attached.isReady
      ),
      [true, false, false]
    )
    assert.deepStrictEqual(Attached.idsOf([stored]), ["1"])
  })
})

describe("Queue", () => {
  it("holds a message until the session has accepted it", () => {
    const queue = [
      { key: "a", text: "a", delivery: "queue" },
      { key: "b", text: "b", delivery: "steer" }
    ] as const
    assert.deepStrictEqual(
      Queue.waitingMessages(queue, new Set(["from:acme/ada:a"])).map(({ key }) => key),
      ["b"]
    )
  })
})

describe("SessionList", () => {
  it("shows any title in full and in its order", () => {
    assert.strictEqual(SessionList.titleOf({ title: "Prepare the release 🎉" }), "Prepare the release 🎉")
    assert.strictEqual(SessionList.titleOf({ title: "" }, "untitled"), "untitled")
    assert.strictEqual(SessionList.titleOf({ title: "read \u202Esj.hs" }), String.raw`read \u{202e}sj.hs`)
    assert.strictEqual(SessionList.titleOf({ title: "ls\u200b\u0007" }), String.raw`ls\u{200b}\u{7}`)
  })
})

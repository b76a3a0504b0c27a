/** Markdown as rows, complete and as it streams in, for any text and any width. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { someOf, thorough } from "../../../../test/thorough.ts"
import * as MarkdownRows from "../../src/markdown/MarkdownRows.ts"
import * as MarkdownStream from "../../src/markdown/MarkdownStream.ts"
import * as Theme from "../../src/theme/Theme.ts"
import { anyColumns, anyText, assertRows, dark, pieces, runs } from "../anyText.ts"

const plainOf = (source: string, columns = 60): string =>
  MarkdownRows.rows(source, { columns, theme: Theme.none }).join("\n")

describe("MarkdownRows", () => {
  it.prop(
    "writes rows that fit and contain no terminal sequences, whatever the text",
    [anyText, anyColumns],
    ([text, columns]) => assertRows(MarkdownRows.rows(text.join(""), { columns, theme: dark }), columns),
    runs
  )

  it("keeps the marks that carry meaning, so that it reads without colours", () => {
    const source =
      "## Title\n\nSome *words* and `code`.\n\n- one\n- two\n  1. deep\n- [x] done\n\n> said\n\n```ts\n  a < b\n```\n\n---"
    assert.strictEqual(
      plainOf(source),
      "## Title\n\nSome words and `code`.\n\n- one\n- two\n  1. deep\n- [x] done\n\n▏ said\n\n```ts\n  a < b\n```\n\n" +
        "─".repeat(40)
    )
  })

  it("shows the target of a link after its text", () => {
    assert.strictEqual(plainOf("[bank](https://evil.example) <https://a.b>"), "bank (https://evil.example) https://a.b")
    assert.strictEqual(plainOf("![a cat](https://c.example/x.png)"), "[image: a cat https://c.example/x.png]")
  })

  it("lays a table out in columns, narrows the widest, and lists its rows if there is no room", () => {
    const table = "| name | size |\n|---|--:|\n| a rather long name | 1 |\n| b | 22 |"
    assert.strictEqual(
      plainOf(table),
      "name                size\n──────────────────  ────\na rather long name     1\nb                     22"
    )
    assert.strictEqual(
      plainOf(table, 16),
      "name        size\n──────────  ────\na rather       1\nlong name\nb             22"
    )
    const wide = `|${"c|".repeat(9)}\n|${"-|".repeat(9)}\n|${"12345|".repeat(9)}`
    assert.match(plainOf(wide, 20), /^c: 12345\nc: 12345\n/)
  })

  it("leaves marks of a block beyond four thousand characters unchanged", () => {
    const marks = "_a_".repeat(2_000)
    assert.strictEqual(plainOf(marks).replaceAll("\n", ""), marks)
    assert.strictEqual(plainOf("*a* ".repeat(100)).replaceAll(/\s/gu, ""), "a".repeat(100))
  })

  it.each(someOf(["1. ", "> ", "- ", ">", "* > "], 1))(
    "shows %j unchanged if it is nested without end",
    thorough,
    (mark) => {
      const source = `${mark.repeat(20_000)}x`
      assert.strictEqual(plainOf(source).replaceAll(/\s/gu, ""), source.replaceAll(/\s/gu, ""))
    }
  )

  it("wraps code without losing a character, from the first column on", () => {
    assert.strictEqual(
      plainOf(`\`\`\`\n${"x".repeat(25)}\n\`\`\``, 20),
      `\`\`\`\n${"x".repeat(20)}\n${"x".repeat(5)}\n\`\`\``
    )
  })
})

describe("A block that does not end", () => {
  it.each([
    ["of lines", "some words\n"],
    ["of one line", "words "],
    ["of characters of two units", "😀"],
    ["of a table", "| a |\n"]
  ])("%s is emitted in parts, and nothing of it is lost", (_, unit) => {
    let state = MarkdownStream.initial
    const sources: Array<string> = []
    let longest = 0
    for (let at = 0; at < 64; at++) {
      const settled = MarkdownStream.takeFinished(
        MarkdownStream.push(state, unit.repeat(Math.ceil(4_000 / unit.length)))
      )
      state = settled.state
      for (const piece of settled.pieces) if (piece._tag === "Markdown") sources.push(piece.source)
      longest = Math.max(longest, state.rest.length)
    }
    assert.isAtMost(longest, 40_000)
    assert.isTrue(sources.every((source) => source.isWellFormed()))
    assert.strictEqual(sources.join("") + state.rest, unit.repeat(64 * Math.ceil(4_000 / unit.length)))
  })
})

/** The rows of a text that came in these parts. */
const streamed = (parts: ReadonlyArray<string>): ReadonlyArray<MarkdownStream.Piece> => {
  let state = MarkdownStream.initial
  const out: Array<MarkdownStream.Piece> = []
  for (const part of parts) {
    const settled = MarkdownStream.takeFinished(MarkdownStream.push(state, part))
    out.push(...settled.pieces)
    ;({ state } = settled)
  }
  return [...out, ...MarkdownStream.end(state)]
}

/** All emitted parts, one after the other. */
const sourceOf = (handed: ReadonlyArray<MarkdownStream.Piece>): string =>
  handed
    .map((piece) => {
      if (piece._tag === "Markdown") return piece.source
      const { closes, fence, language, opens, text } = piece
      return [...(opens ? [`${fence}${language}`] : []), ...(text === null ? [] : [text]), ...(closes ? [fence] : [])]
        .map((line) => `${line}\n`)
        .join("")
    })
    .join("")

const squeezed = (text: string): string => text.replaceAll(/\s/gu, "")

describe("MarkdownStream", () => {
  it.prop(
    "emits the entire text, once and in order, for any split",
    [Schema.Array(Schema.Literals(pieces.filter((piece) => !/[\r~]|`/u.test(piece)))), Schema.Literals([1, 3, 7])],
    ([text, size]) => {
      const whole = text.join("")
      const parts = whole.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? []
      assert.strictEqual(squeezed(sourceOf(streamed(parts))), squeezed(whole))
    },
    runs
  )

  it("emits a long block of code line by line, with one fence at each end", () => {
    const code = Array.from({ length: 500 }, (_, line) => `line ${line}`).join("\n")
    const source = `before\n\n\`\`\`ts\n${code}\n\`\`\`\n\nafter\n`
    const handed = streamed(source.match(/[^]{1,50}/gu) ?? [])
    assert.isAbove(handed.length, 10)
    assert.strictEqual(squeezed(sourceOf(handed)), squeezed(source))
    assert.strictEqual(handed.filter((piece) => piece._tag === "Code" && piece.closes).length, 1)
  })

  it("buffers little of a long text", () => {
    for (const block of ["- an item\n", "word word\n\n", "```\ncode\n```\n\n"]) {
      let state = MarkdownStream.initial
      for (let count = 0; count < 2000; count++)
        ({ state } = MarkdownStream.takeFinished(MarkdownStream.push(state, block)))
      assert.isBelow(state.rest.length, 1000, block)
    }
  })

  it("keeps the numbers of a long list's items", () => {
    const list = Array.from({ length: 100 }, (_, item) => `${item + 1}. item\n`)
    const rows = streamed(list).flatMap((piece) => MarkdownStream.pieceRows(piece, { columns: 40, theme: Theme.none }))
    assert.deepStrictEqual(
      rows.filter((row) => row !== ""),
      list.map((item) => item.trim())
    )
  })
})

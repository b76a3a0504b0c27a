/** Text of any kind and screens of any width, and the invariants of every row of a screen. */
import { assert } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Hyperlink from "../src/text/Hyperlink.ts"
import * as Rows from "../src/text/Rows.ts"
import * as Theme from "../src/theme/Theme.ts"

export const dark = { ...Theme.themeFor("dark"), hyperlink: Hyperlink.forWorkspace("/workspace") }
export const runs = { arbitrary: { runs: 300, size: 30 } }

/** Our colours and links are removed; no other terminal sequence may be left. */
// oxlint-disable-next-line no-control-regex -- these are the sequences that colours are made of
const colours = /\u001B\[\d+(?:;\d+)*m|\u001B\]8;;[!-~]*?\u001B\\/gu
const isSafe = (row: string): boolean => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(row.replaceAll(colours, ""))
export const assertRows = (rows: ReadonlyArray<string>, columns: number): void => {
  for (const row of rows) {
    assert.isTrue(isSafe(row), JSON.stringify(row))
    assert.isAtMost(Rows.width(row), columns, JSON.stringify(row))
  }
}

/** The characters of Markdown, of terminal sequences, wide and hidden ones. */
export const pieces = [
  "# ",
  "- ",
  "1. ",
  "  ",
  "\n",
  "\n\n",
  "```",
  "```ts\n",
  "~~~~",
  "> ",
  "| a | b |\n|---|--:|\n",
  "|",
  "**",
  "*",
  "`",
  "[x](http://e.x/y)",
  "![i](u)",
  "<b>",
  "&lt;",
  "---\n",
  "- [x] ",
  "\\",
  "word",
  "a longer sentence of words ",
  "世界",
  "🌳",
  "e\u0301",
  "👨\u200D👩",
  "\u001B[2J",
  "\u001B]0;t\u0007",
  "\u202E",
  "\u009B31m",
  "\r",
  "\t",
  "\uD83D",
  "\u0000",
  "==="
] as const
export const anyText = Schema.Array(Schema.Literals(pieces))
export const anyColumns = Schema.Literals([20, 21, 33, 80])

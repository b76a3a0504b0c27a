/**
 * drawnCells: the same cells as a library that measures text as most terminals draw it, without the library's cost at
 * the start.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import stringWidth from "string-width"
import { drawnCells } from "../../src/text/drawnCells.ts"
import * as Escape from "../../src/text/Escape.ts"
import { cells } from "../../src/text/Width.ts"

const piece = Schema.Literals([
  "a",
  " ",
  "é",
  "e\u0301",
  "世",
  "界",
  "ﾊ",
  "Ａ",
  "…",
  "—",
  "→",
  "│",
  "✓",
  "½",
  "①",
  "☺",
  "☰",
  "©",
  "👍",
  "👋🏽",
  "👩‍👩‍👧",
  "🏳️‍🌈",
  "🇩🇪",
  "🇫",
  "1️⃣",
  "1\u20E3",
  "\u20E3",
  "❤️",
  "⌚",
  "한",
  "ᄒ",
  "하",
  "한",
  "क",
  "्",
  "ष",
  "ไ",
  "ท",
  "ย",
  "ع",
  "א",
  "\u200B",
  "\u200D",
  "\uFE0F",
  "\u001B[31m",
  "\u001B[39m"
])

describe("drawnCells", () => {
  it.prop(
    "agrees with the library on printed text, which was escaped",
    [Schema.Array(piece)],
    ([pieces]) => {
      const shown = Escape.prose(pieces.join(""))
      assert.strictEqual(drawnCells(shown), stringWidth(shown), JSON.stringify(shown))
      assert.isAtMost(drawnCells(shown), cells(shown), JSON.stringify(shown))
    },
    { arbitrary: { runs: 2000, size: 12 } }
  )
})

/** Width: the count is never less than a terminal's layout, here tmux's, for any assigned characters. */
import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import stringWidth from "string-width"
import * as Tmux from "../../../../apps/cli/test/program/Tmux.ts"
import { someOf, thorough } from "../../../../test/thorough.ts"
import * as Escape from "../../src/text/Escape.ts"
import * as Rows from "../../src/text/Rows.ts"
import { breakHard } from "../../src/text/Rows.ts"
import * as SafeText from "../../src/text/SafeText.ts"
import { cells, units } from "../../src/text/Width.ts"
import * as Theme from "../../src/theme/Theme.ts"

/** Numbers below `limit`, always the same for a seed. */
const random = (seed: number): ((limit: number) => number) => {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

const assigned = /^[^\p{Cn}\p{Cc}\p{Cs}]$/u
const between = (from: number, to: number): ReadonlyArray<string> =>
  Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)).filter((one) => assigned.test(one))

/** Characters that form clusters, are wide, hidden or ambiguous, and all others. */
const alphabets: ReadonlyArray<ReadonlyArray<string>> = [
  between(0x20, 0x7e),
  ["\u0915", "\u094D", "\u0937", "\u093F", "\u0902"],
  between(0x900, 0x97f),
  between(0x980, 0xdff),
  between(0x1100, 0x11ff),
  ["\u1100", "\u1161", "\u11A8", "\uA960", "\uD7B0", "\uD7CB"],
  between(0xe00, 0xeff),
  between(0xf00, 0x109f),
  between(0x1780, 0x18aa),
  between(0x590, 0x77f),
  between(0x300, 0x36f),
  ["a", "e", "o", "\u0301", "\u0308", "\u0323", "\u20E3"],
  between(0x1f1e6, 0x1f1ff),
  ["👩", "👧", "❤", "🔥", "🏽", "👍", "\u200D", "\uFE0F", "⚠", "1", "\u20E3"],
  between(0x1f300, 0x1faff),
  between(0x2190, 0x27ff),
  between(0x2600, 0x26ff),
  between(0x3000, 0x30ff),
  between(0xff00, 0xffef),
  between(0xac00, 0xac80),
  between(0xe0020, 0xe007f),
  between(0xa0, 0x2af),
  between(0x370, 0x52f)
]
const everything = between(0xa0, 0x2fffd)

/** Sequences that a renderer may draw as one sign, or wider than their parts: each is repeated. */
const sequences: ReadonlyArray<string> = [
  "👩\u200D👩\u200D👧\u200D👦",
  "a\u200Db",
  "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
  "❤\uFE0E",
  "©\uFE0F",
  "葛\u{E0100}",
  "\u{16D68}\u{16D67}\u{16D63}",
  "\u1100\u1100\u1161\u1161\u11A8\u11A8",
  "\u115F\u1160",
  "\uFFA0\u3164",
  "\u2066abc\u2069",
  "﷽",
  "𒈙",
  "⸻",
  "க்ஷ",
  "က္က္က",
  "ក្ក្ក",
  "ཧཱུྃ",
  "𓀀\u{13430}𓀁",
  "ᠠ\u180B",
  "𝠀\u{1DA9B}",
  "🇩🇪🇫",
  "a🏽",
  "\uE000\u{F0000}",
  "\uFFF9a\uFFFAb\uFFFB",
  "\u0600\u0661",
  "ക്ഷ്മ്യ്",
  "\u{16100}\u{1611E}",
  "𖿡𘬀𗀀",
  "䷀⚊𝌀𝍠"
].map((sequence) => sequence.repeat(20))

const texts = (seed: number, count: number): ReadonlyArray<string> => {
  const below = random(seed)
  return Array.from({ length: count }, (_, at) => {
    const alphabet = at % 4 === 3 ? everything : alphabets[at % alphabets.length]
    const others = alphabets[below(alphabets.length)]
    return Array.from({ length: 10 + below(70) }, () => {
      const from = below(8) === 0 ? others : alphabet
      return from[below(from.length)]
    }).join("")
  })
}

/** The rows that a terminal of this width shows of a text that is written to it at once. */
const laidOut = async (text: string, columns: number): Promise<ReadonlyArray<string>> => {
  const directory = mkdtempSync(join(tmpdir(), "bough-width-"))
  writeFileSync(join(directory, "text"), text)
  const tmux = Tmux.open({ columns, rows: 50, cwd: directory, command: "LC_ALL=C.UTF-8 cat text; cat" })
  try {
    await Tmux.shows(tmux, "THE END")
    return tmux.run("capture-pane", "-p", "-S", "-").split("\n")
  } finally {
    tmux.close()
    rmSync(directory, { recursive: true })
  }
}

// oxlint-disable-next-line no-control-regex -- the sequences of colours
const colours = /\u001B\[(\d+)m/gu
const plainOf = (text: string): string => text.replaceAll(colours, "")

/** The colours that are still on after a row, by the code that ends them. */
const left = (row: string): ReadonlyArray<number> => {
  const on: Array<number> = []
  for (const [, code] of row.matchAll(colours)) {
    const number = Number(code)
    const at = on.lastIndexOf(number)
    if (at !== -1) on.splice(at, 1)
    else on.push(number < 3 ? 22 : number < 10 ? 20 + number : 39)
  }
  return on
}

const seed = Number(process.env["BOUGH_WIDTH_SEED"] ?? 1)

describe("Width", () => {
  it.each(someOf([23, 40], 1))(
    "counts no fewer rows of %i columns than a terminal lays out",
    thorough,
    async (columns) => {
      const written = [...texts(seed, 800), ...sequences].map((text, at) => {
        const safe = Escape.line(text)
        return at % 2 === 0 ? breakHard(safe, columns) : Rows.wrap(safe, columns)
      })
      const numbered = written.flatMap((rows, at) => [...rows, `#${at}`])
      const shown = await laidOut(`${numbered.join("\n")}\nTHE END\n`, columns)
      let before = -1
      for (const [at, rows] of written.entries()) {
        const found = shown.findIndex((row, index) => index > before && row.trimEnd() === `#${at}`)
        assert.isAtMost(found - before - 1, rows.length, `seed ${seed}, text ${at}: ${JSON.stringify(rows)}`)
        before = found
      }
    }
  )

  it("is no less than the cells by which the editor moves its cursor", () => {
    for (const text of texts(seed + 1, 2000)) {
      const safe = Escape.line(text)
      assert.isAtLeast(cells(safe), stringWidth(safe), JSON.stringify(text))
    }
  })

  it("ends colours with each row and restarts them with the next, at any wrap of a row", () => {
    const { bold, dim, green, red } = Theme.themeFor("dark")
    const words = SafeText.text`${bold(SafeText.text`one ${red(Escape.line("two three 世界世界"))} four`)} ${dim(green(Escape.line("five".repeat(9))))}`
    for (const columns of [2, 5, 11, 40]) {
      for (const rows of [Rows.wrap(words, columns), Rows.breakHard(words, columns)]) {
        assert.strictEqual(plainOf(rows.join("")).replaceAll(" ", ""), plainOf(words).replaceAll(" ", ""))
        for (const row of rows) assert.deepStrictEqual(left(row), [], JSON.stringify(row))
      }
    }
    assert.include(Rows.wrap(words, 11).join("\n"), red(SafeText.text`three`))
  })

  it("splits long clusters, and leaves short ones in one piece", () => {
    const conjunct = "\u0915\u094D".repeat(3000)
    assert.lengthOf(units(conjunct, 80), 6000)
    assert.isAtLeast(cells(conjunct), 3000)
    assert.isAtLeast(cells("\u1100".repeat(20)), 40)
    assert.deepStrictEqual(units("e\u0301é世", 80), ["e\u0301", "é", "世"])
    assert.deepStrictEqual(["e\u0301", "世", "→", "🇫🇷", "\u{11F36}"].map(cells), [1, 2, 1, 4, 1])
  })
})

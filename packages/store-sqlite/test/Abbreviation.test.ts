/** Tests of short forms: how they are recognised, and how they are expanded. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as Abbreviation from "../src/notes/Abbreviation.ts"
import * as Definition from "../src/notes/Definition.ts"
import * as Phrases from "../src/notes/Phrases.ts"

const words = (text: string) => Phrases.phrasesOf(text)[0]

const Letter = Schema.Literals(Array.from("abcdefghijklmnopqrstuvwxyz"))
const Word = Schema.Array(Letter).check(Schema.isMinLength(2), Schema.isMaxLength(9))
const Long = Schema.Array(Word).check(Schema.isMinLength(3), Schema.isMaxLength(6))

describe("Abbreviation", () => {
  it.prop("the initials of a phrase stand for it, at any position", [Long, Word], ([long, before]) => {
    const text = long.map((letters) => letters.join(""))
    const short = text.map((word) => word[0]).join("")
    const phrase = words(`${before.join("")} ${text.join(" ")}`)
    assert.isNotNull(Abbreviation.spelledOut(short, phrase))
    assert.deepStrictEqual(Abbreviation.spelledOut(short, words(text.join(" "))), text)
    assert.deepStrictEqual(Abbreviation.initialsOf(short), [short])
  })

  it.prop("a word stands for the text of its counted letters, and for no longer one", [Word], ([letters]) => {
    const word = `x${letters.join("")}y`
    const short = `x${letters.length}y`
    assert.isTrue(Abbreviation.isOfWord(short, word))
    assert.isFalse(Abbreviation.isOfWord(short, `x${word}`))
    assert.isFalse(Abbreviation.isOfWord(short, `${word}x`))
  })

  it.each([
    ["okr", "objectives and key results", "objectives and key results"],
    ["roi", "the return on investment", "return on investment"],
    ["p99", "the 99th percentile of it", "99th percentile"],
    ["pto", "paid sick time off", null],
    ["p99", "999th percentile", null],
    ["pr", "public relations", null]
  ])("%s in %j: %j", (short, text, long) => {
    assert.strictEqual(Abbreviation.spelledOut(short, words(text))?.join(" ") ?? null, long)
  })

  it.each([
    ["authn", "authentication", true],
    ["authz", "authorization", true],
    ["authz", "authentication", false],
    ["repos", "repo", false]
  ])("%s for %s: %s", (short, word, is) => {
    assert.strictEqual(Abbreviation.isOfWord(short, word), is)
  })

  it.each([
    ["PTO", "pto"],
    ["OKRs", "okr"],
    ["AuthN", "authn"],
    ["i18n", "i18n"],
    ["pto", null],
    ["Tea", null],
    ["2024", null],
    ["A", null]
  ])("%s is written as the short form %j", (written, short) => {
    assert.strictEqual(Abbreviation.shortForm(written), short)
  })
})

describe("Definition", () => {
  it.each([
    ["pto", "We have paid time off (PTO) of 30 days", "paid time off"],
    ["okr", "OKR (objectives and key results) are due", "objectives and key results"],
    ["html", "HTML (hypertext markup language)", "hypertext markup language"],
    ["db", "restart the database (DB) at night", "database"],
    ["pto", "PTO (ask Anna)", null],
    ["pto", "nothing (of that)", null]
  ])("%s in %j: %j", (short, text, long) => {
    assert.strictEqual(Definition.definitionOf(short, text)?.join(" ") ?? null, long)
  })
})

/**
 * Tests of the natural set of the benchmark `recall`: the consistency of its labels, as far as a program can check it.
 */
import { assert, describe, it } from "@effect/vitest"
import { classes } from "../bench/src/retrieval/natural/NaturalQuestion.ts"
import * as NaturalSet from "../bench/src/retrieval/natural/NaturalSet.ts"

const { halves, messages, notes, questions, secrets } = NaturalSet

/** Texts that differ only in case, spacing and punctuation are equal. */
const doubled = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const plain = texts.map((text) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " "))
  return plain.filter((text, index) => plain.indexOf(text) !== index)
}

describe("the natural set", () => {
  it("contains no text twice", () => {
    for (const texts of [notes.map(({ id }) => id), notes.map(({ text }) => text)]) {
      assert.deepStrictEqual(doubled(texts), [])
    }
    assert.deepStrictEqual(doubled([...questions, ...messages].map(({ text }) => text)), [])
  })

  it("names existing notes", () => {
    const ids = new Set(notes.map(({ id }) => id))
    const named = [
      ...questions.flatMap(({ grades }) => Object.keys(grades)),
      ...messages.flatMap(({ served }) => served),
      ...secrets
    ]
    assert.deepStrictEqual(
      named.filter((id) => !ids.has(id)),
      []
    )
  })

  it("has enough of every class in both halves, and an answer to all questions but the negative ones", () => {
    const least = { exact: 9, paraphrase: 14, "multi-answer": 9, "same-language": 10, negative: 13 }
    for (const half of halves) {
      const own = questions.filter((question) => question.half === half)
      for (const one of classes) {
        const some = own.filter((question) => question.class === one)
        assert.isAtLeast(some.length, { updated: 5, ...least }[one as keyof typeof least] ?? 6, `${one}, ${half}`)
        for (const { grades, text } of some) {
          assert.strictEqual(Object.values(grades).includes(2), one !== "negative", text)
        }
        if (one === "multi-answer") for (const { grades } of some) assert.isAtLeast(Object.keys(grades).length, 2)
      }
      const ofHalf = messages.filter((message) => message.half === half)
      for (const needs of [true, false]) {
        assert.isAtLeast(ofHalf.filter(({ served }) => served.length > 0 === needs).length, 9)
      }
    }
    assert.isAtLeast(notes.length, 170)
    assert.isAtLeast(questions.length, 130)
  })

  it("grades the newer one higher for a question about a changed fact", () => {
    const writtenOn = new Map(notes.map(({ id, on }) => [id, on]))
    for (const { grades, text } of questions.filter((question) => question.class === "updated")) {
      const [right, helping] = [2, 1].map((grade) => Object.keys(grades).find((id) => grades[id] === grade) ?? "")
      assert.isTrue((writtenOn.get(right) ?? "") > (writtenOn.get(helping) ?? "9"), text)
    }
  })

  it("asks in words that the templates of the large set do not have", async () => {
    const { questions: templates } = await import("../bench/src/retrieval/Corpus.ts")
    assert.deepStrictEqual(
      doubled([...new Set(templates.map(({ text }) => text)), ...questions.map(({ text }) => text)]),
      []
    )
  })
})

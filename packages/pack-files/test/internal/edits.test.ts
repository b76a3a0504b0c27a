import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Edits from "../../src/internal/edits.ts"

const replaced = (text: string, edits: ReadonlyArray<Edits.Edit>) =>
  Effect.runSync(Effect.result(Edits.apply(text, edits)))

const arbitrary = { arbitrary: { runs: 400, size: 40 } }

/** Few words and both line endings, so that passages repeat and span lines. */
const Text = Schema.Array(Schema.Literals(["a", "b", "ab", "\n", "\r\n", " ", "é"])).check(Schema.isMaxLength(30))
const Cut = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))
const Word = Schema.Literals(["", "x", "a", "one\ntwo", "ab\n"])

/** Makes the edit by another method, a split at the passage; null: the passage does not occur exactly once. */
const model = (text: string, old: string, replacement: string): string | null => {
  const starts = Array.from({ length: text.length }, (_, at) => at).filter((at) => text.startsWith(old, at))
  return starts.length === 1 ? text.slice(0, starts[0]) + replacement + text.slice(starts[0] + old.length) : null
}

const plain = (text: string): string => text.replaceAll("\r\n", "\n")

describe("edits", () => {
  it.prop(
    "replace a passage that occurs once and no other, like the language's replace after line endings are normalised",
    [Text, Cut, Cut, Word],
    ([pieces, from, length, replacement]) => {
      const text = pieces.join("")
      const old = plain(text).slice(from, from + length + 1)
      if (old === "" || old === replacement) return
      const applied = replaced(text, [{ old, new: replacement }])
      const expected = model(plain(text), old, replacement)
      assert.strictEqual(Result.isSuccess(applied) ? plain(applied.success.text) : null, expected)
    },
    arbitrary
  )

  it.prop(
    "leave all text before and after the passage unchanged, byte for byte",
    [Text, Text, Word],
    ([before, after, replacement]) => {
      const text = `${before.join("")}<here>${after.join("")}`
      const applied = replaced(text, [{ old: "<here>", new: replacement }])
      assert(Result.isSuccess(applied))
      assert.isTrue(applied.success.text.startsWith(before.join("")))
      assert.isTrue(applied.success.text.endsWith(after.join("")))
      const between = applied.success.text.length - before.join("").length - after.join("").length
      assert.strictEqual(
        plain(applied.success.text.slice(before.join("").length, before.join("").length + between)),
        replacement
      )
    },
    arbitrary
  )

  it.prop(
    "keep a text of CRLF a text of CRLF",
    [Schema.Array(Schema.Literals(["a", "b", "\r\n"])).check(Schema.isMaxLength(30)), Word],
    ([pieces, replacement]) => {
      const text = `${pieces.join("")}\r\n<here>\r\n`
      const applied = replaced(text, [{ old: "\n<here>", new: `\n${replacement}` }])
      assert(Result.isSuccess(applied))
      assert.notMatch(applied.success.text, /(?<!\r)\n/)
    },
    arbitrary
  )

  it("are applied one after another, each to the result of the ones before", () => {
    const applied = replaced("a\nb\nc\n", [
      { old: "a\n", new: "" },
      { old: "b", new: "bb\nb2" },
      { old: "b2", new: "b3" }
    ])
    assert(Result.isSuccess(applied))
    assert.strictEqual(applied.success.text, "bb\nb3\nc\n")
    assert.deepStrictEqual(applied.success.changes, [
      { line: 1, removedLines: 1, addedLines: 0 },
      { line: 1, removedLines: 1, addedLines: 2 },
      { line: 2, removedLines: 1, addedLines: 1 }
    ])
  })

  const misfit = (text: string, ...edits: ReadonlyArray<Edits.Edit>): Edits.EditFault => {
    const applied = replaced(text, edits)
    assert(Result.isFailure(applied))
    return applied.failure
  }

  it("name the wrong edit and the places of a passage that occurs more than once", () => {
    const { index, message } = misfit("x\na\nx\n", { old: "a", new: "b" }, { old: "x", new: "y" })
    assert.strictEqual(index, 1)
    assert.match(message, /2 times, at lines 1, 3/)
    assert.match(misfit("aaa", { old: "aa", new: "b" }).message, /2 times/)
    assert.match(
      misfit("x\n".repeat(50), { old: "x", new: "y" }).message,
      /more than 10 times, at lines (\d+, ){9}10 …/
    )
  })

  it("show the nearest text for a missing passage", () => {
    const text = "function add(a, b) {\n  return a + b\n}\n"
    const { message } = misfit(text, { old: "function add(a, c) {\n  return a + c\n}", new: "" })
    assert.match(message, /the nearest is from line 1 on:\nfunction add\(a, b\) \{\n {2}return a \+ b\n\}/)
    const loose = misfit(text + text, { old: "function add(a,  b) {\n\treturn a + b", new: "" }).message
    assert.match(loose, /lines from 1 differ in white space only/)
    assert.strictEqual(misfit(text, { old: "zzzzzzzz", new: "" }).message, "old is not in the file")
  })

  it("refuse an edit that changes nothing", () =>
    assert.match(misfit("a\r\n", { old: "a\r\n", new: "a\n" }).message, /the same/))

  it("replace lines that differ only in white space, if they occur once, with the indentation of the text", () => {
    const text = "class A {\n\trun() {\n\t\tgo();  \n\t}\n}\n"
    const edit = { old: "  run() {\n    go();\n", new: "  run() {\n  go(1);\n" }
    const applied = replaced(text, [edit])
    assert(Result.isSuccess(applied))
    assert.strictEqual(applied.success.text, "class A {\n\trun() {\n\tgo(1);\n\t}\n}\n")
    assert.deepStrictEqual(applied.success.changes, [
      { line: 2, removedLines: 2, addedLines: 2, exceptWhiteSpace: true }
    ])
    assert.isTrue(Result.isFailure(Effect.runSync(Effect.result(Edits.apply(text, [edit], true)))))
  })

  it.each([
    ["two places are like it", "a  b\nx\na   b\n", "a b"],
    ["it is a part of a line", "  foo( a )\n", "o(  a"],
    ["a word differs", "foo bar\n", "foo  baz"],
    ["nothing but white space is wanted", "a\n \n\nb\n", "\t\n"]
  ])("leave the text if more than white space differs: %s", (_, text, old) => {
    assert.isTrue(Result.isFailure(replaced(text, [{ old, new: "z" }])))
  })

  it.prop(
    "replace all occurrences like the language's replaceAll, and keep every line ending",
    [Text, Schema.Literals(["a", "ab", "\n", " "]), Word],
    ([pieces, old, replacement]) => {
      const text = pieces.join("")
      if (!plain(text).includes(old) || old === replacement) return
      const applied = replaced(text, [{ old, new: replacement, replaceAll: true }])
      assert(Result.isSuccess(applied))
      assert.strictEqual(plain(applied.success.text), plain(text).replaceAll(old, replacement))
      if (!old.includes("\n") && !replacement.includes("\n")) {
        assert.strictEqual(applied.success.text, text.replaceAll(old, replacement))
      }
    },
    arbitrary
  )

  it("require replacing all if there are several occurrences", () => {
    const failed = replaced("a a", [{ old: "a", new: "b" }])
    assert(Result.isFailure(failed))
    assert.include(failed.failure.message, "set replaceAll")
  })
})

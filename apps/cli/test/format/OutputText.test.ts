/** A tool's result as a user reads it when a call is opened. */
import type { Entry } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as OutputText from "../../src/format/OutputText.ts"

const succeeded = (output: unknown, text?: string): Entry.SuccessOutcome => ({
  _tag: "Succeeded",
  output: JSON.stringify(output),
  outputBlob: null,
  media: [],
  display: "",
  ...(text === undefined ? {} : { text })
})

describe("OutputText", () => {
  it.each([
    ["a plan", { done: 4, total: 4 }, "4 of 4 items done"],
    ["a search", { files: [{ path: "a.ts", hits: [{ start: 3, end: 9 }] }] }, "a.ts:1:one\nb.ts:2:two"]
  ])("shows the text of %s, never its data", (_, output, text) => {
    assert.strictEqual(OutputText.formatOutput(succeeded(output, text)).text, text)
  })

  it.each([
    ["one line of stdout without its end", "<h1>page</h1>", "", "<h1>page</h1>"],
    ["such a line before the lines of stderr", "half", "one\ntwo\n", "half\none\ntwo"],
    ["the lines of stdout before such a line", "one\ntwo\n", "half", "one\ntwo\nhalf"]
  ])("shows what a command printed without the end that a model reads: %s", (_, stdout, stderr, text) => {
    const shown = OutputText.formatOutput(succeeded({ exitCode: 0, stdout, stderr }, `${text}\n[exit 0, 1.4 s]`))
    assert.deepStrictEqual(shown, { text, isText: true })
  })

  it("shows no text of a command that printed none", () => {
    assert.isFalse(
      OutputText.formatOutput(succeeded({ exitCode: 0, stdout: "", stderr: "" }, "[exit 0, 0.1 s]")).isText
    )
  })

  it("shows a file without the line numbers that a model reads", () => {
    const shown = OutputText.formatOutput(succeeded({ text: "one\ntwo\n", lines: 2 }, "1\tone\n2\ttwo"))
    assert.deepStrictEqual(shown, { text: "one\ntwo", isText: true })
  })
})

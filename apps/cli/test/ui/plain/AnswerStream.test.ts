/** AnswerStream: stdout contains the exact answer, regardless of its pieces and of other output. */
import * as Escape from "@bough/tui/text/Escape"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { Writable } from "node:stream"
import * as Output from "../../../src/io/Output.ts"
import * as AnswerStream from "../../../src/ui/plain/AnswerStream.ts"

/** Pieces of an answer, their ends, and lines beside it. */
const Happening = Schema.Union([
  Schema.TaggedStruct("Piece", { text: Schema.Literals(["a", "word ", "\n", "🌳", "\uD83C", "\uDF33", "\u001B[2J"]) }),
  Schema.TaggedStruct("Finished", {}),
  Schema.TaggedStruct("Interjected", {})
])
type Happening = typeof Happening.Type

interface StreamWrite {
  readonly to: "stdout" | "stderr"
  readonly text: string
}

const written = (happenings: ReadonlyArray<Happening>, isTTY: boolean): ReadonlyArray<StreamWrite> => {
  const writes: Array<StreamWrite> = []
  const stream = (to: StreamWrite["to"]): NodeJS.WriteStream => {
    const writable = new Writable({
      decodeStrings: false,
      write: (chunk, _, done) => {
        writes.push({ to, text: String(chunk) })
        done()
      }
    })
    // Only the interface of a Writable, and whether it is a terminal, is used.
    return Object.assign(writable, { isTTY, columns: 80, rows: 24 }) as unknown as NodeJS.WriteStream
  }
  const answer = AnswerStream.make(
    Output.make({ stdout: stream("stdout"), stderr: stream("stderr"), variables: {} }, false)
  )
  for (const happening of happenings) {
    if (happening._tag === "Piece") answer.push(happening.text)
    else if (happening._tag === "Finished") answer.finishLine()
    else answer.interject("beside it")
  }
  answer.finishLine()
  return writes
}

const textTo = (to: StreamWrite["to"], writes: ReadonlyArray<StreamWrite>): string =>
  writes.flatMap((write) => (write.to === to ? [write.text] : [])).join("")

/** The text between two ends, each ended by a line feed. */
const textsOf = (happenings: ReadonlyArray<Happening>): ReadonlyArray<string> => {
  const parts = [""]
  for (const happening of happenings) {
    if (happening._tag === "Finished") parts.push("")
    else if (happening._tag === "Piece") parts.push((parts.pop() ?? "") + happening.text)
  }
  return parts.filter((part) => part !== "").map((part) => (part.endsWith("\n") ? part : `${part}\n`))
}

describe("AnswerStream", () => {
  it.prop(
    "gives a pipe every character of the answer, whole lines, and none of the notices",
    [Schema.Array(Happening)],
    ([happenings]) => {
      const writes = written(happenings, false)
      assert.strictEqual(textTo("stdout", writes), textsOf(happenings).join(""))
      const interjected = happenings.filter(({ _tag }) => _tag === "Interjected")
      assert.strictEqual(textTo("stderr", writes), interjected.map(() => "beside it\n").join(""))
    },
    { arbitrary: { runs: 300, size: 30 } }
  )

  it.prop(
    "puts notices on a line of their own on a terminal, and escapes sequences of a terminal",
    [Schema.Array(Happening)],
    ([happenings]) => {
      const screen = written(happenings, true)
        .map(({ text }) => text)
        .join("")
      const lines = screen.split("\n")
      const interjected = happenings.filter(({ _tag }) => _tag === "Interjected")
      assert.lengthOf(
        lines.filter((line) => line === "beside it"),
        interjected.length
      )
      const letters = (text: string): string => text.replaceAll(/[\n]|beside it/gu, "")
      const whole = textsOf(happenings).map((part) => Escape.text(part))
      assert.strictEqual(letters(screen), letters(whole.join("")))
    },
    { arbitrary: { runs: 300, size: 30 } }
  )
})

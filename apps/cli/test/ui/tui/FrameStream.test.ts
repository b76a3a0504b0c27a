/** What belongs to one frame reaches the terminal in one write, whole and in order. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Writable } from "node:stream"
import { FrameStream } from "../../../src/ui/tui/FrameStream.ts"

const begin = "\u001B[?2026h"
const end = "\u001B[?2026l"

/** A terminal that remembers what came in which write. */
const terminal = () => {
  const writes: Array<string> = []
  const target = new Writable({
    decodeStrings: false,
    write: (chunk, _, done) => {
      writes.push(String(chunk))
      done()
    }
  })
  // Of a terminal only what a Writable has, columns and rows are used.
  return { writes, stream: new FrameStream(target as unknown as NodeJS.WriteStream) }
}

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe("FrameStream", () => {
  it.effect.prop(
    "writes a frame once, however it was cut into pieces and whatever time passes between them",
    [Schema.Array(Schema.Array(Schema.String))],
    ([frames]) =>
      Effect.promise(async () => {
        const { stream, writes } = terminal()
        for (const pieces of frames) {
          for (const piece of [begin, ...pieces, end]) {
            stream.write(piece)
            await turnOfTheLoop()
          }
        }
        assert.deepStrictEqual(
          writes,
          frames.map((pieces) => `${begin}${pieces.join("")}${end}`)
        )
      })
  )

  it("joins what is written at once outside of a frame, and waits for no end of it", async () => {
    const { stream, writes } = terminal()
    stream.write("one ")
    stream.write("two")
    await turnOfTheLoop()
    stream.write("three")
    await turnOfTheLoop()
    assert.deepStrictEqual(writes, ["one two", "three"])
  })

  it("gives out half a frame where the terminal is handed over, and nothing twice", async () => {
    const { stream, writes } = terminal()
    stream.write(begin)
    stream.write("half")
    stream.flush()
    stream.flush()
    stream.write(end)
    await turnOfTheLoop()
    assert.deepStrictEqual(writes, [`${begin}half`, end])
  })
})

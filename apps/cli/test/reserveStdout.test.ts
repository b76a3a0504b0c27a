/** Stdout has the program's answers alone: text that tools print goes elsewhere. */
import { assert, describe, it } from "@effect/vitest"
import { Console } from "node:console"
import { PassThrough } from "node:stream"
import { reserveStdout } from "../src/io/reserveStdout.ts"

const streams = () => {
  const stdout = Object.assign(new PassThrough(), { columns: 80 }) as unknown as NodeJS.WriteStream
  const stderr = new PassThrough()
  const textOf = (stream: unknown): string => {
    const chunks: Array<unknown> = []
    for (let chunk: unknown; (chunk = (stream as PassThrough).read()) !== null;) chunks.push(chunk)
    return chunks.join("")
  }
  return { stdout, stderr: stderr as unknown as NodeJS.WriteStream, textOf }
}

describe("reserveStdout", () => {
  it("leaves stdout to the program, and sends what other code prints to stderr", () => {
    const { stderr, stdout, textOf } = streams()
    const own = reserveStdout({ stdout, stderr })
    new Console(stdout).log("printed by a tool")
    stdout.write("written by a tool\n")
    own.write('{"status":"success"}\n')
    assert.strictEqual(textOf(stdout), '{"status":"success"}\n')
    assert.strictEqual(textOf(stderr), "printed by a tool\nwritten by a tool\n")
  })

  it("returns the same stream for each part of a program that asks", () => {
    const { stderr, stdout, textOf } = streams()
    const own = reserveStdout({ stdout, stderr })
    reserveStdout({ stdout, stderr }).write("an answer")
    assert.strictEqual(reserveStdout({ stdout, stderr }), own)
    assert.strictEqual(textOf(stdout), "an answer")
  })

  it("is the stream in every other way: its state, its events, its end", async () => {
    const { stderr, stdout } = streams()
    const own = reserveStdout({ stdout, stderr })
    assert.strictEqual(own.columns, 80)
    const error = new Promise<unknown>((resolve) => own.on("error", resolve))
    stdout.emit("error", "EPIPE")
    assert.strictEqual(await error, "EPIPE")
    const finished = new Promise<void>((resolve) => own.once("finish", resolve))
    own.end("the last answer")
    await finished
    assert.isTrue(own.writableEnded)
    assert.strictEqual(String((stdout as unknown as PassThrough).read()), "the last answer")
  })
})

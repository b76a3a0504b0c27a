/** ErrorLine: a message with its hint, for a terminal and for a pipe. */
import { assert, describe, it } from "@effect/vitest"
import { Writable } from "node:stream"
import { failure } from "../../src/CliFailure.ts"
import * as ErrorLine from "../../src/command-line/ErrorLine.ts"
import * as Output from "../../src/io/Output.ts"

/** Returns the lines of an error on a stream of that width; null: a pipe. */
const printed = (message: string, hint: string, columns: number | null): ReadonlyArray<string> => {
  const written: Array<string> = []
  const stream = (): NodeJS.WriteStream => {
    const made = new Writable({ write: (chunk, _, done) => (written.push(String(chunk)), done()) })
    return Object.assign(made, { isTTY: columns !== null, columns: columns ?? 0 }) as unknown as NodeJS.WriteStream
  }
  const output = Output.make({ stdout: stream(), stderr: stream(), variables: { NO_COLOR: "1" } }, false)
  ErrorLine.print({ name: "bough", output }, failure(message, hint))
  return written.join("").trimEnd().split("\n")
}

describe("ErrorLine", () => {
  const message = "session ses_1 is open in another process (process 12 on alder)"
  const hint = 'work on a copy: "bough sessions fork ID"'

  it("breaks an error between words at a terminal, and loses none of them", () => {
    const rows = printed(message, hint, 40)
    assert.isAbove(rows.length, 1)
    for (const row of rows) assert.isAtMost(row.length, 40)
    assert.strictEqual(rows.join(" "), `bough: ${message} — ${hint}`)
  })

  it("is one line for a pipe", () => {
    assert.deepStrictEqual(printed(message, hint, null), [`bough: ${message} — ${hint}`])
  })
})

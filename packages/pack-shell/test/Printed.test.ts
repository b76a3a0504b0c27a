/** Tests of a command's output as a model reads it. */
import { assert, describe, it } from "@effect/vitest"
import * as Printed from "../src/Printed.ts"

const ran = (
  pieces: ReadonlyArray<readonly [Printed.Stream, string]>,
  more: Partial<Printed.Output> & { readonly elapsedMillis?: number } = {}
) => {
  const { elapsedMillis = 2345, ...rest } = more
  const kept = Printed.pieces()
  for (const [stream, text] of pieces) Printed.add(kept, stream, text)
  const of = (wanted: Printed.Stream) => pieces.flatMap(([stream, text]) => (stream === wanted ? [text] : [])).join("")
  const output: Printed.Output = { exitCode: 0, stdout: of("stdout"), stderr: of("stderr"), ...rest }
  Printed.remember(output, { pieces: kept, elapsedMillis })
  return output
}

describe("Printed", () => {
  it("shows both streams in the order in which they came, then the end", () => {
    const output = ran([
      ["stdout", "one\n"],
      ["stderr", "two\n"],
      ["stdout", "three\n"]
    ])
    assert.strictEqual(Printed.format(output), "one\ntwo\nthree\n[exit 0, 2.3 s]")
  })

  it("shows errors last where the order is not known", () => {
    const pieces = [
      ["stdout", "one"],
      ["stderr", "two\n"]
    ] as const
    const { exitCode, stderr, stdout } = ran(pieces)
    assert.strictEqual(Printed.format({ exitCode, stdout, stderr }), "one\ntwo\n[exit 0]")
    assert.strictEqual(Printed.format(ran(pieces, { stdout: "o […]" })), "o […]\ntwo\n[exit 0, 2.3 s]")
    const long = "x".repeat(1024 * 1024)
    const cut = ran([
      ["stderr", "e\n"],
      ["stdout", long],
      ["stderr", "f\n"]
    ])
    assert.isTrue(Printed.format(cut).endsWith("x\ne\nf\n[exit 0, 2.3 s]"))
  })

  it.each([
    [{ exitCode: 1 }, "[exit 1, 2.3 s]"],
    [{ exitCode: null, signal: "SIGKILL" }, "[ended by SIGKILL, 2.3 s]"],
    [{ exitCode: null }, "[ended by a signal, 2.3 s]"],
    [{ elapsedMillis: 4 }, "[exit 0, 0.0 s]"]
  ])("says how it ended: %j", (more, expected) => {
    assert.strictEqual(Printed.format(ran([], more)), expected)
    assert.strictEqual(Printed.format(ran([["stdout", "a\n\n"]], more)), `a\n${expected}`)
  })
})

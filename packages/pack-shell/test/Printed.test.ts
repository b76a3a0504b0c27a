/** Tests of a command's output as a model reads it. */
import { assert, describe, it } from "@effect/vitest"
import * as Printed from "../src/Printed.ts"

const ran = (
  { stderr, stdout }: { readonly stdout: string; readonly stderr: string },
  more: Partial<Printed.Output> & { readonly elapsedMillis?: number } = {}
) => {
  const { elapsedMillis = 2345, ...rest } = more
  const output: Printed.Output = { exitCode: 0, stdout, stderr, ...rest }
  Printed.remember(output, { elapsedMillis })
  return output
}

describe("Printed", () => {
  it("shows the output of a command, then the sandbox's remarks, then the end", () => {
    const output = ran({ stdout: "one\ntwo", stderr: "[bough: held back]\n" })
    assert.strictEqual(Printed.format(output), "one\ntwo\n[bough: held back]\n[exit 0, 2.3 s]")
    assert.strictEqual(Printed.format({ ...output, stdout: "" }), "[bough: held back]\n[exit 0]")
  })

  it.each([
    [{ exitCode: 1 }, "[exit 1, 2.3 s]"],
    [{ exitCode: null, signal: "SIGKILL" }, "[ended by SIGKILL, 2.3 s]"],
    [{ exitCode: null }, "[ended by a signal, 2.3 s]"],
    [{ elapsedMillis: 4 }, "[exit 0, 0.0 s]"]
  ])("says how it ended: %j", (more, expected) => {
    assert.strictEqual(Printed.format(ran({ stdout: "", stderr: "" }, more)), expected)
    assert.strictEqual(Printed.format(ran({ stdout: "a\n\n", stderr: "" }, more)), `a\n${expected}`)
  })
})

/** Tests of declarations that must not compile, and of the compiler's messages for them. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"
import { type Diagnostic, expected } from "../typetest/expected.ts"
import { checkTools } from "../typetest/ManyTools.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

const compile = (project: string): string => {
  const { stderr, stdout } = spawnSync("node_modules/.bin/tsc", ["--pretty", "false", "-p", project], {
    cwd: root,
    encoding: "utf8"
  })
  return stdout + stderr
}

/** The compiler's diagnostics of the fixtures, by file. */
const byFile = (output: string): Map<string, ReadonlyArray<Diagnostic>> => {
  const files = new Map<string, Array<Diagnostic>>()
  for (const text of output.split(/\n(?=\S)/u)) {
    const head = /^typetest\/fixtures\/(.+?)\.ts\(\d+,\d+\): error (TS\d+): /u.exec(text)
    if (head === null) continue
    const lines = text.slice(head[0].length).trimEnd().split("\n")
    const known = files.get(head[1]) ?? []
    files.set(head[1], [...known, { code: head[2], reason: lines.at(-1)!.trim() }])
  }
  return files
}

describe("the contract, compiled", () => {
  const diagnostics = byFile(compile("typetest/fixtures"))

  it.each(Object.entries(expected))("%s is refused for one reason, which the message names", (name, diagnostic) => {
    assert.deepStrictEqual(diagnostics.get(name), [diagnostic])
  })

  it("every fixture is expected to fail, except for the correct one", () => {
    const fixtures = readdirSync(new URL("../typetest/fixtures/", import.meta.url))
      .filter((file) => /^[a-z-]+\.ts$/u.test(file))
      .map((file) => file.slice(0, -".ts".length))
    assert.sameMembers(fixtures, [...Object.keys(expected), "valid"])
    assert.sameMembers([...diagnostics.keys()], Object.keys(expected))
  })

  it("the pins in typetest hold", () => {
    assert.strictEqual(compile("typetest"), "")
  })

  it("200 tools compile", thoroughOnly, () => {
    const { elapsedMillis, output } = checkTools(200)
    process.stdout.write(`200 tools type-checked in ${elapsedMillis} ms\n`)
    assert.strictEqual(output, "")
  })
})

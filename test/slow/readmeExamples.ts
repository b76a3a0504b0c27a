/**
 * Runs the README's examples in a fresh clone, top to bottom, as a newcomer would.
 *
 * A fence "```sh run" is run by a shell and must succeed; a "```text prints" fence after it lists lines that the
 * output must hold. Other fences are prose.
 */
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { clone, repository, succeed, withMachine } from "./machine.ts"

interface Example {
  readonly script: string
  readonly prints: ReadonlyArray<string>
}

const fences = [...readFileSync(join(repository, "README.md"), "utf8").matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].map(
  ([, info = "", body = ""]) => ({ info: info.trim(), body })
)

const examples: ReadonlyArray<Example> = fences.flatMap(({ body, info }, index) => {
  if (info !== "sh run") return []
  const next = fences[index + 1]
  return [
    { script: body, prints: next?.info === "text prints" ? next.body.split("\n").filter((line) => line !== "") : [] }
  ]
})

assert.ok(examples.length > 0, "the README has no example to run")
withMachine((machine) => {
  const cwd = clone(machine, "bough")
  for (const { prints, script } of examples) {
    console.log(script.trim())
    const output = succeed(machine, ["sh", "-eu", "-c", script], { cwd })
    for (const line of prints) assert.ok(output.includes(line), `expected ${JSON.stringify(line)} in:\n${output}`)
  }
})

/**
 * Runs the examples of the documents in a fresh clone, top to bottom, as a newcomer would. A shell runs a fence "```sh
 * run", which must succeed, or exit with 3 if it says "exits 3". A "```text prints" fence after it lists the lines that
 * the output must contain. Other fences are prose.
 */
import assert from "node:assert/strict"
import { fencesOf } from "./fences.ts"
import { ends, type Machine } from "./machine.ts"

interface Example {
  readonly script: string
  readonly exits: number
  readonly prints: ReadonlyArray<string>
}

/** The first example of the first starts the program. */
const documents = ["docs/tour.md", "docs/own-tools.md"]

const fences = documents.flatMap((document) => fencesOf(document))

const examples: ReadonlyArray<Example> = fences.flatMap(({ body, info }, index) => {
  const marked = /^sh run(?: exits (\d+))?$/.exec(info)
  if (marked === null) return []
  const next = fences[index + 1]
  const prints = next?.info === "text prints" ? next.body.split("\n").filter((line) => line !== "") : []
  return [{ script: body, exits: Number(marked[1] ?? 0), prints }]
})

/** Returns the output of the first of them, which starts the program. */
export const readmeExamples = (machine: Machine, cwd: string): string => {
  assert.match(examples[0]?.script ?? "", /^npx -y pnpm@\S+ start /, "the tour does not begin with a start")
  const [first] = examples.map(({ exits, prints, script }) => {
    console.log(script.trim())
    const output = ends(machine, ["sh", "-eu", "-c", script], { cwd, exits })
    for (const line of prints) assert.ok(output.includes(line), `expected ${JSON.stringify(line)} in:\n${output}`)
    return output
  })
  return first
}

/**
 * Runs the examples of the documents in a fresh clone, top to bottom, as a newcomer would.
 *
 * A fence "```sh run" is run by a shell and must end well, or with 3 where it says "exits 3". A "```text prints"
 * fence after it lists what the output must hold, line by line. Other fences are prose.
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

/** Returns what the first of them prints, which starts the program. */
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

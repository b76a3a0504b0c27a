/** The README's examples in a fresh clone, from the top, and `pnpm start` there. */
import { freshStart } from "./freshStart.ts"
import { clone, withMachine } from "./machine.ts"
import { readmeExamples } from "./readmeExamples.ts"

await withMachine((machine) => {
  const folder = clone(machine, "bough")
  freshStart(machine, folder, readmeExamples(machine, folder))
})

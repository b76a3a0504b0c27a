/**
 * A machine where nobody has worked: the README's examples in a fresh clone, from the top, and `pnpm start` there; then
 * `pnpm test` in another fresh clone, in a home that holds no more than what had been downloaded.
 */
import { freshStart } from "./freshStart.ts"
import { freshTest } from "./freshTest.ts"
import { clone, withDownloads, withMachine } from "./machine.ts"
import { readmeExamples } from "./readmeExamples.ts"

await withMachine((machine) => {
  const folder = clone(machine, "bough")
  freshStart(machine, folder, readmeExamples(machine, folder))
  const another = withDownloads(machine)
  freshTest(another, clone(another, "bough"))
})

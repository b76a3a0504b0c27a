/** Adds copies to the list of a vault. Arguments: directory, name, how many. */
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Copies } from "../../src/index.ts"

const [directory, name, count] = process.argv.slice(2)
const copies = Copies.make(directory)
const adding = Effect.forEach(Array.from({ length: Number(count) }).keys(), (index) => {
  const path = join(directory, `${name}-${index}`)
  writeFileSync(path, "")
  return copies.add({ name: `${name}_KEY`, path })
})
void Effect.runPromise(adding).then(() => console.log("added"))

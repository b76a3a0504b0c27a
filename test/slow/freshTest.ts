/** `pnpm test` from a fresh clone on a machine where nobody has worked: installs and runs every test. */
import assert from "node:assert/strict"
import { clone, pnpm, ends, withMachine } from "./machine.ts"

withMachine((machine) => {
  const output = ends(machine, [...pnpm, "test"], { cwd: clone(machine, "bough"), timeoutMinutes: 20 })
  const counts = output.split("\n").findLast((line) => /\bTests\b.*\d+ passed/.test(line))
  assert.ok(counts !== undefined, "the run printed no counts")
  console.log(`in a fresh clone: ${counts.trim()}`)
})

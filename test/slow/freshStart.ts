/** `pnpm start` from a fresh clone on a machine where nobody has worked: installs, builds, answers, and prints nothing else. */
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { clone, pnpm, ends, withMachine } from "./machine.ts"

await withMachine((machine) => {
  const folder = clone(machine, "bough")
  writeFileSync(join(folder, "greeting.txt"), "hello from a fresh clone\n")

  const answer = ends(machine, [...pnpm, "start", "run", "read greeting.txt"], { cwd: folder })
  assert.match(answer, /hello from a fresh clone/)
  assert.doesNotMatch(answer, /turbo|Lockfile|start\.sh|Progress/, "only the answer belongs on standard output")

  const elsewhere = ends(machine, [...pnpm, "start", "run", "read greeting.txt"], {
    cwd: join(folder, "packages")
  }).trim()
  assert.doesNotMatch(elsewhere, /hello from a fresh clone/, "the workspace is the folder where the command was typed")

  assert.match(ends(machine, [...pnpm, "start", "--help"], { cwd: folder }), /\brun\b/)
  ends(machine, [...pnpm, "start", "run", "--no-such-flag"], { cwd: folder, exits: 2 })
  assert.match(ends(machine, [...pnpm, "start", "run", "-"], { cwd: folder, stdin: "read greeting.txt" }), /hello from/)
})

/**
 * The steps of `pnpm start` in a clone besides the README's examples, the first of which has installed and built
 * silently.
 */
import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { ends, type Machine, pnpm } from "./machine.ts"

/** `first`: standard output of the first start. */
export const freshStart = (machine: Machine, folder: string, first: string): void => {
  assert.doesNotMatch(first, /turbo|Lockfile|start\.sh|Progress/, "only the answer belongs on standard output")

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
}

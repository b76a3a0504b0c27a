/**
 * `pnpm test` from a fresh clone on a machine where nobody has worked: installs, builds and runs one file of each kind of
 * test. All of them have run before in the clone of the build machine itself.
 */
import assert from "node:assert/strict"
import { ends, type Machine, pnpm } from "./machine.ts"

const kinds = [
  // Pure, SQLite, sandboxed commands, files, LanceDB with the embedded model, HTTP.
  "packages/policy/test",
  "packages/store-sqlite/test/SessionStoreSql.test.ts",
  "packages/sandbox/test/CommandVariants.test.ts",
  "packages/workspace/test",
  "packages/memory/test/Memory.test.ts",
  "packages/models/test/Loop.test.ts",
  // The program: in process, as a process, in a terminal, as a program of one's own.
  "apps/cli/test/run.test.ts",
  "apps/cli/test/directories.test.ts",
  "apps/cli/test/ui/tui/golden.test.ts",
  "examples/deploy/test"
]

export const freshTest = (machine: Machine, folder: string): void => {
  const output = ends(machine, [...pnpm, "test", ...kinds], { cwd: folder, timeoutMinutes: 20 })
  const counts = output.split("\n").findLast((line) => /\bTests\b.*\d+ passed/.test(line))
  assert.ok(counts !== undefined, "the run printed no counts")
  console.log(`in a fresh clone: ${counts.trim()}`)
}

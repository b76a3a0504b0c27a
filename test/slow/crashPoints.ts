/**
 * Kills a tree of sessions at every write, depth by depth, and compares the results with docs/crash-points.md. With
 * `--renew` it writes the document instead, unless a promise is violated.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Points from "../../apps/cli/test/crash/tree/points.ts"
import * as Processes from "../../apps/cli/test/crash/tree/processes.ts"
import * as Table from "../../apps/cli/test/crash/tree/table.ts"

const document = new URL("../../docs/crash-points.md", import.meta.url)
const isRenewed = process.argv.includes("--renew")
const folder = mkdtempSync(join(tmpdir(), "bough-crash-points-"))

const failures: Array<string> = []
try {
  const program = await Processes.bundle(folder)
  const sections: Array<string> = []
  for (const depth of [0, 1, 2, 3]) {
    for (const decider of ["channel", "inbox"] as const) {
      const points = await Points.look(program, { depth, decider })
      console.log(`depth ${depth}, ${decider}: ${points.length} points`)
      sections.push(Table.section({ depth, decider }, points))
      for (const point of points) {
        const wrong = Table.wrong(points, point)
        if (wrong !== null) {
          failures.push(`depth ${depth}, ${decider}, ${point.when} write ${point.write} (${point.holds}): ${wrong}`)
        }
      }
    }
  }
  const made = Table.documentOf(sections)
  if (isRenewed && failures.length === 0) writeFileSync(document, made)
  if (!isRenewed && readFileSync(document, "utf8") !== made) {
    failures.push("docs/crash-points.md says something else: look at why, then node test/slow/crashPoints.ts --renew")
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

for (const failure of failures) console.error(failure)
process.exitCode = failures.length === 0 ? 0 : 1

/** The storm by hand: `node apps/cli/test/crash/storm/storm.ts --rounds 300 --seed 7`. Ends with 1 at a round that fails. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Program from "../../../../../test/bundle.ts"
import * as Round from "./round.ts"

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "100" }, seed: { type: "string", default: "1" } }
})

const folder = mkdtempSync(join(tmpdir(), "bough-storm-program-"))
const bundled = (name: string) => Program.bundle(new URL(name, import.meta.url), join(folder, name))
const programs = { owner: await bundled("owner.ts"), decider: await bundled("decider.ts"), deciderShare: 0.5 }
const total = { kills: 0, deciderKills: 0, decisions: 0, effects: 0 }
for (let round = 0; round < Number(values.rounds); round++) {
  const seed = Number(values.seed) + round
  const { faults, tally } = await Round.play(programs, seed)
  for (const name of ["kills", "deciderKills", "decisions", "effects"] as const) total[name] += tally[name]
  if (faults.length > 0) {
    process.exitCode = 1
    process.stdout.write(`seed ${seed}:\n${faults.map((fault) => `  ${fault}\n`).join("")}`)
  }
}
process.stdout.write(`${values.rounds} rounds: ${JSON.stringify(total)}\n`)
rmSync(folder, { recursive: true, force: true })

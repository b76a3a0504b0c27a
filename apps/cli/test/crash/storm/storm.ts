/**
 * The storm by hand: `node apps/cli/test/crash/storm/storm.ts --rounds 300 --seed 7`, with `--built` over the built
 * program. Exits with 1 at a round that fails.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Program from "../../../../../test/bundle.ts"
import * as Round from "./round.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    built: { type: "boolean", default: false }
  }
})

const folder = mkdtempSync(join(tmpdir(), "bough-storm-program-"))
const bundled = (name: string) => Program.bundle(new URL(name, import.meta.url), join(folder, name))
const inPieces = async () => {
  const programs = { owner: await bundled("owner.ts"), decider: await bundled("decider.ts"), deciderShare: 0.5 }
  return (seed: number) => Round.play(programs, seed)
}
const builtProgram = async () => {
  const { play } = await import("./builtProgram.ts")
  return async (seed: number) => {
    const { faults, ...tally } = await play(seed)
    return { faults, tally: { ...tally, deciderKills: 0 } }
  }
}
const play = await (values.built ? builtProgram() : inPieces())
const total = { kills: 0, deciderKills: 0, decisions: 0, effects: 0 }
for (let round = 0; round < Number(values.rounds); round++) {
  const seed = Number(values.seed) + round
  const { faults, tally } = await play(seed)
  for (const name of ["kills", "deciderKills", "decisions", "effects"] as const) total[name] += tally[name]
  if (faults.length > 0) {
    process.exitCode = 1
    process.stdout.write(`seed ${seed}:\n${faults.map((fault) => `  ${fault}\n`).join("")}`)
  }
}
process.stdout.write(`${values.rounds} rounds: ${JSON.stringify(total)}\n`)
rmSync(folder, { recursive: true, force: true })

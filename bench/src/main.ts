/**
 * Runs the benchmarks and prints their results. node bench/src/main.ts [NAME]… [--quick] [--json FILE] [--embedding
 * FOLDER] Exits with 1 if one could not be run correctly; an aim that is missed is a finding, not a failure.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import type { Benchmark } from "./Benchmark.ts"
import * as Catalogue from "./Catalogue.ts"
import * as Machine from "./Machine.ts"
import * as Print from "./Print.ts"

// The measured programs are stripped of their types by a function of Node that prints a warning that it is
// experimental.
process.removeAllListeners("warning")

const { positionals, values } = parseArgs({
  allowPositionals: true,
  // A package manager passes the separator on.
  args: process.argv.slice(2).filter((argument) => argument !== "--"),
  options: { quick: { type: "boolean", default: false }, json: { type: "string" }, embedding: { type: "string" } }
})

const names = Catalogue.benchmarks.map(({ name }) => name)
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`no benchmark named ${unknown.join(", ")}; there are: ${names.join(", ")}\n`)
  process.exit(2)
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bough-bench-")))
const embedding = values.embedding === undefined ? null : resolve(values.embedding)
const machine = Machine.describe(folder)

const runOne = async (benchmark: Benchmark): Promise<Print.Outcome> => {
  const { name, title } = benchmark
  try {
    const benchmarkFolder = mkdtempSync(join(folder, `${name}-`))
    const report = await benchmark.run({ quick: values.quick, folder: benchmarkFolder, embedding })
    return { name, title, report, failure: null }
  } catch (error) {
    return { name, title, report: null, failure: error instanceof Error ? error.message : String(error) }
  }
}

process.stdout.write(`${Machine.text(machine)}${values.quick ? " · quick: not to be quoted" : ""}\n`)
const outcomes: Array<Print.Outcome> = []
for (const benchmark of Catalogue.benchmarks) {
  if (positionals.length > 0 && !positionals.includes(benchmark.name)) continue
  const outcome = await runOne(benchmark)
  outcomes.push(outcome)
  process.stdout.write(Print.outcome(outcome))
}
rmSync(folder, { recursive: true, force: true })
if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify({ machine, quick: values.quick, benchmarks: outcomes }, null, 2)}\n`)
}
process.exitCode = outcomes.some(({ failure }) => failure !== null) ? 1 : 0

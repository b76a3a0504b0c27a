/** What a step costs beside the model: from the last byte of its answer to the arrival of the next request. */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Aim, atMost, type Benchmark, figure, type Options, type Report, type Row } from "./Benchmark.ts"
import { check } from "./Check.ts"
import * as ModelServer from "./ModelServer.ts"
import * as Side from "./Side.ts"
import { memoryRows } from "./Start.ts"
import { interleave, median, min, quantile } from "./Statistics.ts"

const steps = 20
const readMillis = 3

interface Work {
  readonly name: string
  readonly call: (step: number) => ModelServer.Call
  /** What the result of that step must hold. */
  readonly proof: (step: number) => string
}

const fileOf = (step: number) => `notes-${step}.txt`
const contentOf = (step: number) =>
  `The word of file ${step} is kestrel-${step * 7919}.\n${"It says nothing else. ".repeat(180)}\n`

const reads: Work = {
  name: "read",
  call: (step) => ({ name: "read_file", arguments: { path: fileOf(step) } }),
  proof: (step) => `kestrel-${step * 7919}.`
}

const commands: Work = {
  name: "command",
  call: (step) => ({ name: "run_command", arguments: { argv: ["/bin/echo", `heron-${step * 104729}`] } }),
  proof: (step) => `heron-${step * 104729}\\n`
}

const wantedFor = ({ call, proof }: Work): Side.Wanted => ({
  prompt: "Do what is to be done.",
  answer: "All is done.",
  script: () => ({
    answer: (index, { messages }) => {
      check(index <= steps, "a request came after the last")
      const newest = messages.at(-1)
      if (index > 0) {
        check(newest?.role === "tool", `request ${index} does not end with a tool's result`)
        const content = JSON.stringify(newest.content).replaceAll("\\\\", "\\")
        check(content.includes(proof(index - 1)), `the result of step ${index - 1} is ${content.slice(0, 500)}`)
      }
      return index === steps ? { text: "All is done." } : { call: call(index) }
    }
  })
})

const gapsOf = ({ exchanges }: Side.Timed): ReadonlyArray<number> => {
  check(exchanges.length === steps + 1, `${exchanges.length} requests came, not ${steps + 1}`)
  return exchanges.slice(1).map(({ arrivedAtMillis }, index) => arrivedAtMillis - exchanges[index].answeredAtMillis)
}

const measureWork = async (server: ModelServer.ModelServer, { folder, quick }: Options, work: Work) => {
  const wanted = wantedFor(work)
  const prepareWorkspace = (workspace: string) => {
    for (let step = 0; step < steps; step++) writeFileSync(join(workspace, fileOf(step)), contentOf(step))
  }
  const side = await Side.prepare(server, { folder: join(folder, work.name), wanted, prepareWorkspace })
  const timed = await interleave(quick ? 3 : 11, {
    bough: () => Side.time(server, side.bough(), { wanted, sampled: false }),
    bare: () => Side.time(server, side.bare(), { wanted, sampled: false })
  })
  const memory = await interleave(quick ? 1 : 3, {
    bough: () => Side.time(server, side.bough(), { wanted, sampled: true }),
    bare: () => Side.time(server, side.bare(), { wanted, sampled: true })
  })
  return {
    gaps: { bough: timed.bough.map(gapsOf), bare: timed.bare.map(gapsOf) },
    memory: memoryRows(
      memory.bough.map(({ peak }) => peak),
      memory.bare.map(({ peak }) => peak)
    )
  }
}

type Gaps = ReadonlyArray<ReadonlyArray<number>>

/** The median of the runs' medians; the 95th percentile of all steps together. */
const gapRow = (label: string, bough: Gaps, bare: Gaps, aim: (millis: number) => Aim | null): Row => {
  const [medians, bareMedians] = [bough.map(median), bare.map(median)]
  return {
    label,
    ratio: median(medians) / median(bareMedians),
    figures: [
      figure("Bough", median(medians), "ms"),
      figure("min", min(medians), "ms"),
      figure("p95", quantile(bough.flat(), 0.95), "ms"),
      figure("bare", median(bareMedians), "ms"),
      figure("p95", quantile(bare.flat(), 0.95), "ms")
    ],
    aim: aim(median(medians))
  }
}

const sandboxed = (): boolean => {
  try {
    execFileSync("bwrap", ["--ro-bind", "/", "/", "--unshare-all", "/bin/true"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

const measure = async (server: ModelServer.ModelServer, options: Options): Promise<Report> => {
  const read = await measureWork(server, options, reads)
  const command = sandboxed() ? await measureWork(server, options, commands) : null
  return {
    rows: [
      gapRow("a step with a read", read.gaps.bough, read.gaps.bare, (millis) =>
        atMost(millis, readMillis, `≤ ${readMillis} ms`)
      ),
      ...(command === null ? [] : [gapRow("a step with a command", command.gaps.bough, command.gaps.bare, () => null)]),
      ...read.memory.map((row) => ({ ...row, label: `${row.label}, ${steps} reads` })),
      ...(command?.memory ?? []).map((row) => ({ ...row, label: `${row.label}, ${steps} commands` }))
    ],
    notes: [
      `${steps} steps a run, one call each; the median of the runs' medians, p95 of all steps. Each result is checked.`,
      "Bare: readFileSync of the same file; the same command spawned directly. Without journal, policy or sandbox.",
      "A read is Safe: its entries are written, not synced. A command is Unsafe: intent and result are synced, and it runs in bubblewrap.",
      "Memory is the agent's own process, without the commands that it runs."
    ],
    notMeasured: command === null ? ["commands: bubblewrap cannot start one here"] : []
  }
}

const run: Benchmark["run"] = async (options) => {
  const server = await ModelServer.open()
  return measure(server, options).finally(server.close)
}

export const benchmark: Benchmark = { name: "steps", title: "Overhead of a step, the model left out", run }

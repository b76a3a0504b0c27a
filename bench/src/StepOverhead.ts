/**
 * The overhead of a step without the model's time: from the last byte of its answer to the arrival of the next request.
 */
import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Aim, atMost, type Benchmark, figure, type BenchmarkOptions, type Report, type Row } from "./Benchmark.ts"
import { check } from "./Check.ts"
import * as DiskSync from "./DiskSync.ts"
import * as ModelServer from "./ModelServer.ts"
import * as Side from "./Side.ts"
import { memoryRows } from "./Start.ts"
import { interleave, median, min, quantile } from "./Statistics.ts"

const steps = 20
const readMillis = 3
/**
 * The time that the model takes to write the first call, if that is measured: a model writes about a hundred characters
 * per second.
 */
const writtenMillis = 200
/**
 * The time that the model takes to write each call of the later steps, if that is measured; a real model takes longer.
 */
const thoughtMillis = 60

interface Work {
  readonly name: string
  readonly call: (step: number) => ModelServer.Call
  /** A text that the result of that step must contain. */
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

interface Length {
  readonly steps: number
  /** The time that the model takes to write each call; null: the call arrives at once. */
  readonly writtenMillis: number | null
  /** The number of calls in each reply. */
  readonly parallel: number
}

const instant: Length = { steps, writtenMillis: null, parallel: 1 }
const written: Length = { steps: 1, writtenMillis, parallel: 1 }
const thought: Length = { steps, writtenMillis: thoughtMillis, parallel: 1 }
const parallelReads = 8
const parallelMillis = 10
const parallel: Length = { steps: 1, writtenMillis: null, parallel: parallelReads }

const wantedFor = ({ call, proof }: Work, length: Length): Side.SideOptions => ({
  prompt: "Do what is to be done.",
  answer: "All is done.",
  script: () => ({
    answer: (index, { messages }) => {
      check(index <= length.steps, "a request came after the last")
      for (let at = index === 0 ? length.parallel : 0; at < length.parallel; at++) {
        const result = messages.at(at - length.parallel)
        check(result?.role === "tool", `request ${index} does not end with ${length.parallel} results of tools`)
        const content = JSON.stringify(result.content).replaceAll("\\\\", "\\")
        check(content.includes(proof(index - 1 + at)), `the result of step ${index - 1} is ${content.slice(0, 500)}`)
      }
      if (index === length.steps) return { text: "All is done." }
      const alongside = Array.from({ length: length.parallel - 1 }, (_, at) => call(index + at + 1))
      return length.writtenMillis === null
        ? { call: call(index), alongside }
        : { call: call(index), writtenMillis: length.writtenMillis }
    }
  })
})

const gapsOf = ({ exchanges }: Side.Timed, length: Length): ReadonlyArray<number> => {
  check(exchanges.length === length.steps + 1, `${exchanges.length} requests came, not ${length.steps + 1}`)
  return exchanges.slice(1).map(({ arrivedAtMillis }, index) => arrivedAtMillis - exchanges[index].answeredAtMillis)
}

interface StepTimes {
  readonly name: string
  readonly later: Sides<ReadonlyArray<number>>
  readonly first: Sides<number>
  readonly firstWritten: Sides<number>
  readonly firstParallel: Sides<number>
  readonly thought: Sides<ReadonlyArray<number>>
  readonly memory: ReadonlyArray<Row>
}

const measureWork = async (
  server: ModelServer.ModelServer,
  { folder, quick }: BenchmarkOptions,
  work: Work
): Promise<StepTimes> => {
  const exchange = wantedFor(work, instant)
  const prepareWorkspace = (workspace: string) => {
    for (let step = 0; step < steps; step++) writeFileSync(join(workspace, fileOf(step)), contentOf(step))
  }
  const side = await Side.prepare(server, { folder: join(folder, work.name), wanted: exchange, prepareWorkspace })
  const rounds = quick ? 3 : 11
  const gaps = async (length: Length) => {
    const timing = { wanted: wantedFor(work, length), sampled: false }
    const timed = await interleave(rounds, {
      bough: () => Side.time(server, side.bough(), timing),
      bare: () => Side.time(server, side.bare(), timing)
    })
    return {
      bough: timed.bough.map((run) => gapsOf(run, length)),
      bare: timed.bare.map((run) => gapsOf(run, length))
    }
  }
  const all = await gaps(instant)
  const memory = await interleave(quick ? 1 : 3, {
    bough: () => Side.time(server, side.bough(), { wanted: exchange, sampled: true }),
    bare: () => Side.time(server, side.bare(), { wanted: exchange, sampled: true })
  })
  return {
    name: work.name,
    later: laterOf(all),
    first: { bough: all.bough.map(([gap]) => gap), bare: all.bare.map(([gap]) => gap) },
    firstWritten: flat(await gaps(written)),
    firstParallel: work === reads ? flat(await gaps(parallel)) : { bough: [], bare: [] },
    thought: work === commands ? laterOf(await gaps(thought)) : { bough: [], bare: [] },
    memory: memoryRows(
      memory.bough.map(({ peak }) => peak),
      memory.bare.map(({ peak }) => peak)
    )
  }
}

/** The values of each run, or of each run's steps. */
interface Sides<A> {
  readonly bough: ReadonlyArray<A>
  readonly bare: ReadonlyArray<A>
}

const laterOf = ({ bare, bough }: Sides<ReadonlyArray<number>>): Sides<ReadonlyArray<number>> => ({
  bough: bough.map((run) => run.slice(1)),
  bare: bare.map((run) => run.slice(1))
})

const flat = ({ bare, bough }: Sides<ReadonlyArray<number>>): Sides<number> => ({
  bough: bough.flat(),
  bare: bare.flat()
})

/** Returns the median of the runs' medians, and the 95th percentile of all steps together. */
const gapRow = (
  label: string,
  { bare, bough }: Sides<ReadonlyArray<number>>,
  aim: (millis: number) => Aim | null
): Row => {
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

/** The number of syncs of a command: for its intent and its result. */
const syncsOfCommand = 2
const commandRatio = 1.3

/**
 * Compares a command with a bare spawn and the syncs that make the command durable, which the minimal program omits.
 */
const commandRow = (label: string, later: Sides<ReadonlyArray<number>>, syncMillis: number): Row => {
  const minMillis = median(later.bare.map(median)) + syncsOfCommand * syncMillis
  const words = `${commandRatio} × bare and its ${syncsOfCommand} syncs`
  const row = gapRow(label, later, (millis) => atMost(millis / minMillis, commandRatio, words))
  return { ...row, figures: [...row.figures, figure("bare and syncs", minMillis, "ms")] }
}

/** Returns the first step of each run, which includes the start of a session and code that runs for the first time. */
const firstRow = (label: string, { bare, bough }: Sides<number>): Row => ({
  label,
  ratio: median(bough) / median(bare),
  figures: [
    figure("Bough", median(bough), "ms"),
    figure("min", min(bough), "ms"),
    figure("bare", median(bare), "ms"),
    figure("min", min(bare), "ms")
  ],
  aim: null
})

/** The later steps, with or without a prepared sandbox. */
const commandRows = ({ later, thought }: StepTimes, syncMillis: number): ReadonlyArray<Row> => [
  commandRow("a step with a command", later, syncMillis),
  commandRow(`a step with a command, its call written for ${thoughtMillis} ms`, thought, syncMillis)
]

const firstRows = ({ first, firstWritten, name }: StepTimes): ReadonlyArray<Row> => [
  firstRow(`the first step of a run, a ${name}`, first),
  firstRow(`the same, its call written for ${writtenMillis} ms`, firstWritten)
]

const hasSandbox = (): boolean => {
  try {
    execFileSync("bwrap", ["--ro-bind", "/", "/", "--unshare-all", "/bin/true"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

const measure = async (server: ModelServer.ModelServer, options: BenchmarkOptions): Promise<Report> => {
  const read = await measureWork(server, options, reads)
  const command = hasSandbox() ? await measureWork(server, options, commands) : null
  return {
    rows: [
      gapRow("a step with a read", read.later, (millis) => atMost(millis, readMillis, `≤ ${readMillis} ms`)),
      ...(command === null ? [] : commandRows(command, median(DiskSync.fdatasyncMillis(options.folder, 200)))),
      ...[read, command].flatMap((work) => (work === null ? [] : firstRows(work))),
      {
        ...firstRow(`the first step of a run, ${parallelReads} reads at once`, read.firstParallel),
        aim: atMost(median(read.firstParallel.bough), parallelMillis, `≤ ${parallelMillis} ms`)
      },
      ...read.memory.map((row) => ({ ...row, label: `${row.label}, ${steps} reads` })),
      ...(command?.memory ?? []).map((row) => ({ ...row, label: `${row.label}, ${steps} commands` }))
    ],
    notes: [
      `${steps} steps a run, one call each; the median of the runs' medians, p95 of all steps but the first. Each result is checked.`,
      "A call comes at once, or its arguments as long after its name as the row says. Without that time no sandbox can be ready for a command.",
      "Bare: readFileSync of the same file; the same command spawned directly. Without journal, policy or sandbox; the syncs of a command are fdatasyncs of 4 KiB after the runs.",
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

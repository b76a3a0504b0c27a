/**
 * Measures the time from the start of the process to the first request that the model receives, and the memory
 * meanwhile.
 */
import { type Aim, atMost, type Benchmark, figure, type Report, type Row } from "./Benchmark.ts"
import { check } from "./Check.ts"
import type { Memory } from "./Memory.ts"
import * as ModelServer from "./ModelServer.ts"
import * as Side from "./Side.ts"
import { interleave, median, min } from "./Statistics.ts"

const exchange: Side.SideOptions = {
  prompt: "hi",
  answer: "Hello to you.",
  script: () => ({
    answer: (index, { messages }) => {
      check(index === 0, "a second request came")
      check(JSON.stringify(messages.at(-1)).includes("hi"), "the request does not hold the prompt")
      return { text: "Hello to you." }
    }
  })
}

const startFactor = 2
const peakMegabytes = 70
const firstBytes = 9000

const measure = async (
  server: ModelServer.ModelServer,
  { folder, quick }: Parameters<Benchmark["run"]>[0]
): Promise<Report> => {
  const side = await Side.prepare(server, { folder, wanted: exchange, prepareWorkspace: () => {} })
  const rounds = quick ? 5 : 21
  const timed = await interleave(rounds, {
    bough: () => Side.time(server, side.bough(), { wanted: exchange, sampled: false }),
    bare: () => Side.time(server, side.bare(), { wanted: exchange, sampled: false })
  })
  const memory = await interleave(quick ? 2 : 5, {
    bough: () => Side.time(server, side.bough(), { wanted: exchange, sampled: true }),
    bare: () => Side.time(server, side.bare(), { wanted: exchange, sampled: true })
  })
  const starts = { bough: timed.bough.map(startOf), bare: timed.bare.map(startOf) }
  const ratio = median(starts.bough) / median(starts.bare)
  const bytes = Buffer.byteLength(side.firstBody)
  return {
    rows: [
      {
        label: "start to first request",
        ratio,
        figures: [...millis("Bough", starts.bough), ...millis("bare", starts.bare)],
        aim: atMost(ratio, startFactor, `≤ ${startFactor} × bare`)
      },
      {
        label: "start to exit",
        ratio: median(timed.bough.map(wholeOf)) / median(timed.bare.map(wholeOf)),
        figures: [...millis("Bough", timed.bough.map(wholeOf)), ...millis("bare", timed.bare.map(wholeOf))],
        aim: null
      },
      ...memoryRows(
        memory.bough.map(({ peak }) => peak),
        memory.bare.map(({ peak }) => peak)
      ),
      {
        label: 'first request of "hi"',
        ratio: null,
        figures: [figure("body", bytes, "bytes")],
        aim: atMost(bytes, firstBytes - 1, `< ${firstBytes} bytes`)
      },
      {
        label: "first run ever, to first request",
        ratio: side.firstRun.startMillis / median(starts.bare),
        figures: [figure("Bough", side.firstRun.startMillis, "ms")],
        aim: null
      }
    ],
    notes: [
      `Medians of ${rounds} interleaved runs; Bough is \`node apps/cli/dist/bough.js run "hi"\` in an empty directory, its home in place from an earlier run.`,
      "Bare: a plain Node program that opens the same database (WAL, reads one row, writes nothing) and sends the same bytes over node:http.",
      "First run ever: one run, no database, no compile cache; the disk's cache is warm.",
      "Memory is from runs of its own, read every 10 ms and at each request. PSS as beside one other Node process (a shared page counts half), RSS as alone."
    ],
    notMeasured: [
      "start through `pnpm start`, which adds the package manager's own",
      ...(memory.bough.some(({ peak }) => peak === null) ? ["memory: this system does not tell it"] : [])
    ]
  }
}

const startOf = ({ startMillis }: Side.Timed): number => startMillis
const wholeOf = ({ wholeMillis }: Side.Timed): number => wholeMillis

const millis = (name: string, samples: ReadonlyArray<number>) => [
  figure(name, median(samples), "ms"),
  figure("min", min(samples), "ms")
]

/** Returns the rows; null: the system does not report the memory. */
export const memoryRows = (
  bough: ReadonlyArray<Memory | null>,
  bare: ReadonlyArray<Memory | null>
): ReadonlyArray<Row> => {
  const [of, against] = [bough, bare].map((peaks) => peaks.filter((peak) => peak !== null))
  if (of.length === 0 || against.length === 0) return []
  const row = (label: string, read: (memory: Memory) => number, aim: (megabytes: number) => Aim | null): Row => {
    const [megabytes, bareMegabytes] = [median(of.map(read)), median(against.map(read))]
    return {
      label,
      ratio: megabytes / bareMegabytes,
      figures: [figure("Bough", megabytes, "MB"), figure("bare", bareMegabytes, "MB")],
      aim: aim(megabytes)
    }
  }
  return [
    row(
      "peak PSS",
      ({ pssMegabytes }) => pssMegabytes,
      (megabytes) => atMost(megabytes, peakMegabytes, `≤ ${peakMegabytes} MB`)
    ),
    row(
      "peak RSS",
      ({ rssMegabytes }) => rssMegabytes,
      () => null
    )
  ]
}

const run: Benchmark["run"] = async (options) => {
  const server = await ModelServer.open()
  return measure(server, options).finally(server.close)
}

export const benchmark: Benchmark = { name: "start", title: "Process start to first model request", run }

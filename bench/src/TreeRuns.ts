/**
 * Many sessions in one process: the memory of an idle one, the steps per second of all, and the latency of a decision.
 */
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Aim, atMost, type Benchmark, figure, type Report, type Row } from "./Benchmark.ts"
import { complete } from "./ProgramRun.ts"
import { environment } from "./Programs.ts"
import type { Approvals } from "./programs/approvals.ts"
import type { Idle } from "./programs/idleSessions.ts"
import type { Many } from "./programs/manySessions.ts"
import { interleave, max, median, min, quantile } from "./Statistics.ts"

const idleKilobytes = 8
const stepsWithoutJournal = 10_000
const stepsWithJournal = 3_000

const run: Benchmark["run"] = async ({ folder, quick }): Promise<Report> => {
  const store = () => mkdtempSync(join(folder, "store-"))
  // Each program runs in a separate process. The programs are not compiled beforehand, because the time for stripping
  // their types is not measured.
  const start = async <Printed>(name: string, options: ReadonlyArray<string>): Promise<Printed> => {
    const source = fileURLToPath(new URL(`./programs/${name}.ts`, import.meta.url))
    const program = {
      command: process.execPath,
      arguments: ["--no-warnings", "--expose-gc", source, ...options],
      folder,
      environment: environment(join(folder, "home"))
    }
    return JSON.parse((await complete(program)).stdout) as Printed
  }
  const idle = (count: number) => () => start<Idle>("idleSessions", [store(), String(count)])
  const many = (directory: string, replay: "Safe" | "Unsafe", numbers: ReadonlyArray<number>) =>
    start<Many>("manySessions", [directory, replay, ...numbers.map(String)])

  const idling = await interleave(quick ? 1 : 3, { thousand: idle(1_000), tenThousand: idle(quick ? 2_000 : 10_000) })
  const thousand = [quick ? 200 : 1_000, 20, 0]
  const stepping = await interleave(quick ? 1 : 5, {
    memorySafe: () => many("", "Safe", thousand),
    memoryUnsafe: () => many("", "Unsafe", thousand),
    durableSafe: () => many(store(), "Safe", thousand),
    durableUnsafe: () => many(store(), "Unsafe", thousand),
    branches: () => many(store(), "Safe", [1, quick ? 50 : 500, 8]),
    alone: () => many(store(), "Safe", [1, quick ? 50 : 500, 0])
  })
  // Both the quick and the full run have several turns, because a turn may request at most ten approvals.
  const { shownMillis, startedMillis } = await start<Approvals>("approvals", [store(), String(quick ? 2 : 10)])
  return {
    rows: [
      idleRow("idle session, of 1,000", idling.thousand),
      idleRow(`idle session, of ${quick ? "2,000" : "10,000"}`, idling.tenThousand),
      stepsRow("steps, Safe, no journal", stepping.memorySafe, stepsWithoutJournal),
      stepsRow("steps, Unsafe, no journal", stepping.memoryUnsafe, stepsWithoutJournal),
      stepsRow("steps, Safe, durable journal", stepping.durableSafe, stepsWithJournal),
      stepsRow("steps, Unsafe, durable journal", stepping.durableUnsafe, stepsWithJournal),
      {
        ...stepsRow("steps of 8 Branches of one Main, Safe, durable", stepping.branches, null),
        ratio: bestOf(stepping.branches) / bestOf(stepping.alone)
      },
      stepsRow("steps of one session alone, Safe, durable", stepping.alone, null),
      approvalRow("an approval: asked for to shown", shownMillis),
      approvalRow("an approval: decided elsewhere to call started", startedMillis)
    ],
    notes: [
      "An idle session: a Main over SQLite that has run one turn of one call, with 20 tools declared or named. Its share of what the process holds more with all of them than before, garbage collected.",
      `Steps: ${thousand[0]} sessions at once, ${thousand[1]} steps each, a scripted model, a tool that does nothing, one process and thread. Best run, median run, processor time with the collector's threads.`,
      "The ratio of 8 Branches is that of steps per second to those of one session alone."
    ],
    notMeasured: []
  }
}

const idleRow = (label: string, runs: ReadonlyArray<Idle>): Row => {
  const kilobytes = (read: (idle: Idle) => number) => min(runs.map(read)) / 1000
  const heap = kilobytes(({ heapBytes }) => heapBytes)
  return {
    label,
    ratio: null,
    figures: [
      figure("heap", heap, "kB"),
      figure(
        "PSS",
        kilobytes(({ pssBytes }) => pssBytes),
        "kB"
      )
    ],
    aim: atMost(heap, idleKilobytes, `≤ ${idleKilobytes} kB of heap`)
  }
}

const bestOf = (runs: ReadonlyArray<Many>) => max(runs.map(({ stepsPerSecond }) => stepsPerSecond))

const stepsRow = (label: string, runs: ReadonlyArray<Many>, aim: number | null): Row => ({
  label,
  ratio: null,
  figures: [
    figure("best", bestOf(runs), "/s"),
    figure("p50", median(runs.map(({ stepsPerSecond }) => stepsPerSecond)), "/s"),
    figure("processor", min(runs.map(({ cpuMicrosPerStep }) => cpuMicrosPerStep)), "µs"),
    figure("peak", median(runs.map(({ peakBytes }) => peakBytes)) / 1e6, "MB")
  ],
  aim: aim === null ? null : over(bestOf(runs), aim)
})

const over = (stepsPerSecond: number, aim: number): Aim => ({
  words: `> ${aim.toLocaleString("en")} /s`,
  met: stepsPerSecond > aim
})

const approvalRow = (label: string, millis: ReadonlyArray<number>): Row => ({
  label,
  ratio: null,
  figures: [figure("p50", median(millis), "ms"), figure("p95", quantile(millis, 0.95), "ms")],
  aim: null
})

export const benchmark: Benchmark = {
  name: "tree",
  title: "Many sessions in one process, scripted model, one tool that does nothing",
  run
}

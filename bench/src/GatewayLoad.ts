/**
 * The gateway under the load of many users, compared with a minimal server that does the same work. The load generator
 * runs in this process.
 */
import { mkdtempSync } from "node:fs"
import { loadavg } from "node:os"
import { join } from "node:path"
import { type Aim, atMost, type Benchmark, figure, type Report, type Row } from "./Benchmark.ts"
import * as Conversations from "./gateway/Conversations.ts"
import * as OpenStreams from "./gateway/OpenStreams.ts"
import * as SessionMemory from "./gateway/SessionMemory.ts"
import * as StoredSessions from "./gateway/StoredSessions.ts"
import { interleave, max, median, min, quantile } from "./Statistics.ts"

const delayMillis = 250
const stepsPerSecond = 1_000
const shareOfHost = 0.7
const loadedKilobytes = 25
const unloadedKilobytes = 1
const listMillis = 20

const delayRow = (label: string, runs: ReadonlyArray<OpenStreams.Delays>): Row => {
  const p99 = min(runs.map((run) => run.p99))
  const lost = runs.reduce((sum, run) => sum + run.lost, 0)
  // Fewer pieces mean that the server fell behind, or that not all turns started within the ramp.
  const share = min(runs.map((run) => run.share))
  return {
    label,
    ratio: null,
    figures: [
      figure("p50", median(runs.map(({ p50 }) => p50)), "ms"),
      figure("p99", median(runs.map((run) => run.p99)), "ms"),
      figure("best p99", p99, "ms"),
      figure("longest", max(runs.map(({ longest }) => longest)), "ms"),
      figure("lost", lost, "events"),
      figure("in time", 100 * share, "%"),
      figure("processor", min(runs.map(({ cpuMicrosPerEvent }) => cpuMicrosPerEvent)), "µs")
    ],
    aim: { words: `p99 < ${delayMillis} ms, none lost`, met: p99 < delayMillis && lost === 0 && share > 0.99 }
  }
}

const streamRows = async (folder: () => string, quick: boolean): Promise<ReadonlyArray<Row>> => {
  const load = { streams: quick ? 200 : 1_000, seconds: quick ? 3 : 20 }
  const { delays, frame } = await OpenStreams.ofGateway(folder(), load)
  const gateway = [delays]
  const bare = [await OpenStreams.ofBareServer(folder(), load, frame)]
  const cpu = (runs: ReadonlyArray<OpenStreams.Delays>) => min(runs.map(({ cpuMicrosPerEvent }) => cpuMicrosPerEvent))
  return [
    {
      ...delayRow(`an event to one of ${load.streams} open streams, ten a second on each`, gateway),
      ratio: cpu(gateway) / cpu(bare)
    },
    { ...delayRow("the same bytes from node:http alone", bare), aim: null }
  ]
}

const stepRows = async (folder: () => string, quick: boolean): Promise<ReadonlyArray<Row>> => {
  const work = { conversations: quick ? 50 : 200, steps: 10 }
  const runs = await interleave(quick ? 1 : 3, {
    gateway: () => Conversations.ofGateway(folder(), work),
    host: () => Conversations.withoutGateway(folder(), work)
  })
  const speeds = (of: ReadonlyArray<Conversations.Speed>) => of.map((run) => run.stepsPerSecond)
  const [gateway, host] = [speeds(runs.gateway), speeds(runs.host)]
  const ratio = median(gateway) / median(host)
  const figures = (of: ReadonlyArray<Conversations.Speed>) => [
    figure("best", max(speeds(of)), "/s"),
    figure("p50", median(speeds(of)), "/s"),
    figure("processor", min(of.map(({ cpuMicrosPerStep }) => cpuMicrosPerStep)), "µs")
  ]
  const aim: Aim = {
    words: `> ${stepsPerSecond} /s and ≥ ${shareOfHost} of the host's`,
    met: max(gateway) > stepsPerSecond && ratio >= shareOfHost
  }
  return [
    { label: `steps of ${work.conversations} conversations with readers`, ratio, figures: figures(runs.gateway), aim },
    { label: "the same work on the host, without the gateway", ratio: null, figures: figures(runs.host), aim: null }
  ]
}

const timesRow = (label: string, millis: ReadonlyArray<number>): Row => ({
  label,
  ratio: null,
  figures: [figure("p50", median(millis), "ms"), figure("p99", quantile(millis, 0.99), "ms")],
  aim: null
})

const requestRows = async (folder: () => string, quick: boolean): Promise<ReadonlyArray<Row>> => {
  const rounds = quick ? 100 : 500
  const one = await Conversations.requestTimes(folder(), 1, rounds)
  const many = await Conversations.requestTimes(folder(), 16, rounds)
  return [
    timesRow("create a session, one client", one.create),
    timesRow("send a message, one client", one.send),
    timesRow("create a session, 16 clients", many.create),
    timesRow("send a message, 16 clients", many.send)
  ]
}

const memoryRows = async (folder: () => string, quick: boolean): Promise<ReadonlyArray<Row>> => {
  const count = quick ? 200 : 1_000
  const row = async (kept: "loaded" | "unloaded", limit: number): Promise<Row> => {
    const { heapBytes, pssBytes } = await SessionMemory.measure(folder(), count, kept)
    return {
      label: `idle ${kept} session, of ${count}`,
      ratio: null,
      figures: [figure("heap", heapBytes / 1000, "kB"), figure("PSS", pssBytes / 1000, "kB")],
      aim: atMost(heapBytes / 1000, limit, `≤ ${limit} kB of heap`)
    }
  }
  // Both run at the same time, because no time is measured.
  return Promise.all([row("loaded", loadedKilobytes), row("unloaded", unloadedKilobytes)])
}

const listRows = async (folder: () => string, quick: boolean): Promise<ReadonlyArray<Row>> => {
  const stored = quick ? 20_000 : 100_000
  const times = await StoredSessions.measure(folder(), stored, quick ? 50 : 300)
  const row = (label: string, millis: ReadonlyArray<number>): Row => ({
    label: `${label}, of ${stored.toLocaleString("en")} stored sessions`,
    ratio: null,
    figures: [figure("p50", median(millis), "ms"), figure("p95", quantile(millis, 0.95), "ms")],
    aim: atMost(quantile(millis, 0.95), listMillis, `p95 ≤ ${listMillis} ms`)
  })
  return [
    row("the newest 50", times.first),
    row("50 from the middle", times.later),
    row("50 by a word of the title", times.byTitle)
  ]
}

const run: Benchmark["run"] = async ({ folder, quick }): Promise<Report> => {
  const [load] = loadavg()
  const newFolder = () => mkdtempSync(join(folder, "gateway-"))
  return {
    rows: [
      ...(await streamRows(newFolder, quick)),
      ...(await stepRows(newFolder, quick)),
      ...(await requestRows(newFolder, quick)),
      ...(await memoryRows(newFolder, quick)),
      ...(await listRows(newFolder, quick))
    ],
    notes: [
      "The gateway is a process of its own with its usual settings but for limits of rate and of loaded sessions; this process is the load, on the same processors.",
      "Delay: from the moment at which a piece of a reply was due to its arrival. Each stream has a session of its own, which is at work all the time. The ratio is processor time for an event.",
      "Steps: read_file by a model that answers at once; from the first message sent to the end of the last turn as its reader sees it. Host: the same sessions, told in their process, without HTTP, readers, accounts and quotas.",
      `The machine's load before it began was ${load.toFixed(1)}.`
    ],
    notMeasured: []
  }
}

export const benchmark: Benchmark = {
  name: "gateway",
  title: "The gateway under load, scripted model",
  run
}

/** Bough compared with other installed coding agents: the same prompt, the same scripted model, the same work. */
import { spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Benchmark, type BenchmarkOptions, figure, type Report, type Row } from "./Benchmark.ts"
import { check } from "./Check.ts"
import { isInstalled } from "./coding/Agents.ts"
import { type Peer, peers } from "./peers/Peer.ts"
import * as PeerServer from "./peers/PeerServer.ts"
import * as ProcessTree from "./peers/ProcessTree.ts"
import { environment } from "./Programs.ts"
import { interleave, median, min } from "./Statistics.ts"

const steps = 8
const sampleEveryMillis = 20
const patienceMillis = 180_000
const answer = "All is done."

type Work = "read" | "command"

interface PeerRun {
  readonly startMillis: number
  readonly gapsMillis: ReadonlyArray<number>
  readonly firstBytes: number
  /** 0 unless the memory was sampled, which slows a run down. */
  readonly peakMegabytes: number
}

const callOf = (peer: Peer, work: Work, step: number, workspace: string) => {
  if (work === "command") return peer.runCommand(`echo heron-${step * 104729}`)
  check(peer.read !== null, `${peer.name} has no tool that reads files`)
  return peer.read(`notes-${step}.txt`, workspace)
}

const proofOf = (work: Work, step: number): string =>
  work === "command" ? `heron-${step * 104729}` : `kestrel-${step * 7919}`

interface Subject {
  readonly peer: Peer
  readonly home: string
  readonly workspace: string
}

const prepare = (peer: Peer, folder: string): Subject => {
  const subject = { peer, home: join(folder, peer.name, "home"), workspace: join(folder, peer.name, "workspace") }
  for (const directory of [subject.home, subject.workspace]) mkdirSync(directory, { recursive: true })
  for (let step = 0; step < steps; step++) {
    const content = `The word of file ${step} is ${proofOf("read", step)}.\n${"It says nothing else. ".repeat(180)}\n`
    writeFileSync(join(subject.workspace, `notes-${step}.txt`), content)
  }
  return subject
}

/** Runs the agent once. `isSampled`: its memory is read repeatedly. */
const measure = async (
  server: PeerServer.PeerServer,
  { home, peer, workspace }: Subject,
  { isSampled, work }: { readonly work: Work; readonly isSampled: boolean }
): Promise<PeerRun> => {
  const variables = peer.configure({ home, workspace, origin: server.origin })
  let pid: number | undefined
  let peakMegabytes = 0
  const sample = () => {
    if (isSampled && pid !== undefined) peakMegabytes = Math.max(peakMegabytes, ProcessTree.megabytesOf(pid))
  }
  const exchanges = server.play({
    dialect: peer.dialect,
    onRequest: sample,
    answer: (index) => (index < steps ? callOf(peer, work, index, workspace) : answer)
  })
  const startedAtMillis = performance.now()
  const child = spawn(peer.command, peer.argv("Do what is to be done."), {
    cwd: workspace,
    env: environment(home, variables),
    stdio: ["ignore", "pipe", "pipe"]
  })
  pid = child.pid
  const sampling = isSampled ? setInterval(sample, sampleEveryMillis) : undefined
  const impatience = setTimeout(() => child.kill("SIGKILL"), patienceMillis)
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text))
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject)
    child.on("close", resolve)
  }).finally(() => {
    clearInterval(sampling)
    clearTimeout(impatience)
  })
  check(exitCode === 0 && output.includes(answer), `${peer.name} exited with ${exitCode}: ${output.slice(-1000)}`)
  check(exchanges.length === steps + 1, `${peer.name} sent ${exchanges.length} requests, not ${steps + 1}`)
  for (let step = 0; step < steps; step++) {
    check(exchanges[steps].body.includes(proofOf(work, step)), `${peer.name} has no result of step ${step}`)
  }
  return {
    startMillis: exchanges[0].arrivedAtMillis - startedAtMillis,
    // The first step loads code.
    gapsMillis: exchanges
      .slice(2)
      .map(({ arrivedAtMillis }, at) => arrivedAtMillis - exchanges[at + 1].answeredAtMillis),
    firstBytes: Buffer.byteLength(exchanges[0].body),
    peakMegabytes
  }
}

/** One row for each agent, Bough first; a ratio is to Bough. */
const rowsOf = (
  label: string,
  unit: string,
  samples: Readonly<Record<string, ReadonlyArray<number>>>
): ReadonlyArray<Row> => {
  const base = median(samples["bough"] ?? [])
  return Object.entries(samples).map(([name, values]) => ({
    label: `${label}: ${name}`,
    ratio: median(values) / base,
    figures: [figure("median", median(values), unit), figure("min", min(values), unit)],
    aim: null
  }))
}

const versus = async (
  server: PeerServer.PeerServer,
  subjects: ReadonlyArray<Subject>,
  { rounds, ...how }: { readonly rounds: number; readonly work: Work; readonly isSampled: boolean }
): Promise<Readonly<Record<string, ReadonlyArray<PeerRun>>>> => {
  // The first run of an agent fills its home directory.
  for (const subject of subjects) await measure(server, subject, how)
  const runs = subjects.map((subject) => [subject.peer.name, () => measure(server, subject, how)] as const)
  return interleave(rounds, Object.fromEntries(runs))
}

const each = (
  measured: Readonly<Record<string, ReadonlyArray<PeerRun>>>,
  read: (run: PeerRun) => ReadonlyArray<number>
): Readonly<Record<string, ReadonlyArray<number>>> =>
  Object.fromEntries(Object.entries(measured).map(([name, runs]) => [name, runs.flatMap(read)]))

const compare = async (server: PeerServer.PeerServer, { folder, quick }: BenchmarkOptions): Promise<Report> => {
  const installed = peers.filter(isInstalled)
  const subjects = installed.map((peer) => prepare(peer, folder))
  const readers = subjects.filter(({ peer }) => peer.read !== null)
  const rounds = quick ? 1 : 5
  const commands = await versus(server, subjects, { rounds, work: "command", isSampled: false })
  const reads = await versus(server, readers, { rounds, work: "read", isSampled: false })
  const sampled = await versus(server, subjects, { rounds: quick ? 1 : 3, work: "command", isSampled: true })
  return {
    rows: [
      ...rowsOf(
        "start to first request",
        "ms",
        each(commands, ({ startMillis }) => [startMillis])
      ),
      ...rowsOf(
        "a step with a read",
        "ms",
        each(reads, ({ gapsMillis }) => gapsMillis)
      ),
      ...rowsOf(
        "a step with a command",
        "ms",
        each(commands, ({ gapsMillis }) => gapsMillis)
      ),
      ...rowsOf(
        "peak memory of all processes",
        "MB",
        each(sampled, ({ peakMegabytes }) => [peakMegabytes])
      ),
      ...rowsOf(
        "first request",
        "bytes",
        each(commands, ({ firstBytes }) => [firstBytes])
      )
    ],
    notes: [
      `Each agent as it is installed, without a person, in its own empty home directory, after one run that fills it: ${rounds} interleaved runs of ${steps} steps.`,
      "A step: from the last byte of an answer to the next request, the first step left out. Bough runs commands in its sandbox and keeps a durable journal; the others run without a sandbox here.",
      "Memory: the proportional set sizes of the process and all that it started, summed, at their highest."
    ],
    notMeasured: peers.filter((peer) => !isInstalled(peer)).map(({ name }) => `${name}: not on PATH`)
  }
}

const run: Benchmark["run"] = async (options) => {
  const server = await PeerServer.open()
  return compare(server, options).finally(server.close)
}

export const benchmark: Benchmark = { name: "peers", title: "Bough beside other coding agents", run }

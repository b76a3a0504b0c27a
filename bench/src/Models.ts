/**
 * The cost of reaching a model: a piece of a streamed answer, the first request of each provider, an idle conversation.
 */
import { join } from "node:path"
import { type Benchmark, figure, type Report, type Row } from "./Benchmark.ts"
import type { Memory } from "./Memory.ts"
import * as DialectServer from "./models/DialectServer.ts"
import * as Pieces from "./models/Pieces.ts"
import { type Name, names } from "./models/Providers.ts"
import * as Runs from "./models/Runs.ts"
import { interleave, median, min } from "./Statistics.ts"
import * as TerminalRun from "./TerminalRun.ts"

/** The provider that is the base of the comparison: it loads no package. */
const ownProvider: Name = "openai-compatible"

type ByProvider<A> = Readonly<Record<Name, ReadonlyArray<A>>>

const measure = async (
  server: DialectServer.DialectServer,
  { folder, quick }: Parameters<Benchmark["run"]>[0]
): Promise<Report> => {
  const replies = quick ? 10 : 100
  const pieces = await Pieces.rows(server, { folder, rounds: replies })
  const runs = new Map(names.map((name) => [name, Runs.make(server, name, join(folder, name))] as const))
  const each = <A>(work: (run: Runs.Runs) => () => Promise<A>) =>
    Object.fromEntries(Array.from(runs, ([name, run]) => [name, work(run)]))
  const rounds = quick ? 3 : 15
  // The first run of each provider fills the compile cache.
  await interleave(
    1,
    each(({ startMillis }) => startMillis)
  )
  const starts = await interleave(
    rounds,
    each(({ startMillis }) => startMillis)
  )
  const missing = TerminalRun.missingTool()
  const waiting =
    missing === null &&
    (await interleave(
      quick ? 1 : 3,
      each((run) => run.waiting)
    ))
  return {
    rows: [...pieces, ...startRows(starts), ...(waiting === false ? [] : waitingRows(waiting))],
    notes: [
      `A piece is one text event of an answer with ${Pieces.pieces} of them, which the server sends without a pause. The time is processor time of the reading process after a warm-up: the median of ${replies} answers, by turns with Bough and with the bare client.`,
      `Bare is the provider's AI SDK package alone, with its own connections; for ${ownProvider} and ollama it is Bough's client without the bridge. The bridge alone reads parts that are in memory.`,
      `Starts: medians of ${rounds} interleaved runs of \`bough run "hi"\`. Ratios are to ${ownProvider}, which like ollama loads no package.`,
      "The memory of an idle conversation is read a second after its first answer. PSS counts shared pages by half, as beside one other Node process; RSS counts them in full."
    ],
    notMeasured: ["TLS: the servers are on this machine", ...(missing === null ? [] : [`the conversation: ${missing}`])]
  }
}

const startRows = (starts: ByProvider<number>): ReadonlyArray<Row> =>
  names.map((name) => ({
    label: `start to first request, ${name}`,
    ratio: median(starts[name]) / median(starts[ownProvider]),
    figures: [figure("Bough", median(starts[name]), "ms"), figure("min", min(starts[name]), "ms")],
    aim: null
  }))

const waitingRows = (waiting: ByProvider<Memory>): ReadonlyArray<Row> => {
  const medianOf = (name: Name, read: (memory: Memory) => number) => median(waiting[name].map(read))
  const pss = (name: Name) => medianOf(name, ({ pssMegabytes }) => pssMegabytes)
  return names.map((name) => ({
    label: `conversation that waits, ${name}`,
    ratio: pss(name) / pss(ownProvider),
    figures: [
      figure("PSS", pss(name), "MB"),
      figure(
        "RSS",
        medianOf(name, ({ rssMegabytes }) => rssMegabytes),
        "MB"
      )
    ],
    aim: null
  }))
}

const run: Benchmark["run"] = async (options) => {
  const server = await DialectServer.open()
  return measure(server, options).finally(server.close)
}

export const benchmark: Benchmark = { name: "models", title: "Reaching a model", run }

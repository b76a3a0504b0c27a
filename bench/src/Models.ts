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
const own: Name = "openai-compatible"

type Of<A> = Readonly<Record<Name, ReadonlyArray<A>>>

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
  const missing = TerminalRun.missing()
  const waiting =
    missing === null &&
    (await interleave(
      quick ? 1 : 3,
      each((run) => run.waiting)
    ))
  return {
    rows: [...pieces, ...startRows(starts), ...(waiting === false ? [] : waitingRows(waiting))],
    notes: [
      `A piece: one event of text, of ${Pieces.pieces} in an answer that comes at once. Processor time of the process that reads, a warm one, median of ${replies} answers, ours and bare in turn.`,
      `Bare: the provider's AI SDK package as it comes, with its own connections; for ${own} and ollama our own client without the bridge. The bridge alone reads parts that are in memory.`,
      `Starts: medians of ${rounds} interleaved runs of \`bough run "hi"\`. Ratios are to ${own}, which like ollama loads no package.`,
      "A conversation that waits: a second after its first answer. PSS as beside one other Node process, RSS as alone."
    ],
    notMeasured: ["TLS: the servers are on this machine", ...(missing === null ? [] : [`the conversation: ${missing}`])]
  }
}

const startRows = (starts: Of<number>): ReadonlyArray<Row> =>
  names.map((name) => ({
    label: `start to first request, ${name}`,
    ratio: median(starts[name]) / median(starts[own]),
    figures: [figure("Bough", median(starts[name]), "ms"), figure("min", min(starts[name]), "ms")],
    aim: null
  }))

const waitingRows = (waiting: Of<Memory>): ReadonlyArray<Row> => {
  const held = (name: Name, read: (memory: Memory) => number) => median(waiting[name].map(read))
  const pss = (name: Name) => held(name, ({ pssMegabytes }) => pssMegabytes)
  return names.map((name) => ({
    label: `conversation that waits, ${name}`,
    ratio: pss(name) / pss(own),
    figures: [
      figure("PSS", pss(name), "MB"),
      figure(
        "RSS",
        held(name, ({ rssMegabytes }) => rssMegabytes),
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

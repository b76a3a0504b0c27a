/**
 * The cost of a piece of a streamed answer: processor time of the process that reads the answer, by Bough's port and
 * bare.
 */
import { fileURLToPath } from "node:url"
import { figure, type Row } from "../Benchmark.ts"
import * as ProgramRun from "../ProgramRun.ts"
import { environment } from "../Programs.ts"
import type { Replies } from "../programs/modelReplies.ts"
import { median, min } from "../Statistics.ts"
import { inPieces } from "./Answer.ts"
import type { DialectServer } from "./DialectServer.ts"
import { dialectOf, type Name, names } from "./Providers.ts"

/** The number of pieces of one answer. */
export const pieces = 1000

interface Options {
  readonly folder: string
  readonly rounds: number
}

/** Returns a row for each provider, and a row for the bridge alone. */
export const rows = async (server: DialectServer, options: Options): Promise<ReadonlyArray<Row>> => {
  const read: Array<Row> = []
  for (const name of names) {
    const { bareMicros, boughMicros } = await replies(server, name, options)
    read.push({
      label: `a piece from ${name}`,
      ratio: median(boughMicros) / median(bareMicros),
      figures: [...micros("Bough", boughMicros), ...micros("bare", bareMicros)],
      aim: null
    })
  }
  const { boughMicros } = await replies(server, null, options)
  return [...read, { label: "the bridge alone", ratio: null, figures: micros("Bough", boughMicros), aim: null }]
}

/** Measures in a separate process. `name` null: without a server. */
const replies = async (server: DialectServer, name: Name | null, { folder, rounds }: Options): Promise<Replies> => {
  if (name !== null) {
    const dialect = dialectOf(name)
    server.play(dialect.contentType, inPieces(dialect, pieces))
  }
  const source = fileURLToPath(new URL("../programs/modelReplies.ts", import.meta.url))
  const memoryArguments = name === null ? ["none", "memory"] : [name, server.origin]
  const { stdout } = await ProgramRun.complete({
    command: process.execPath,
    arguments: ["--no-warnings", source, ...memoryArguments, String(pieces), String(rounds)],
    folder,
    environment: environment(folder)
  })
  return JSON.parse(stdout) as Replies
}

const micros = (label: string, samples: ReadonlyArray<number>) => [
  figure(label, median(samples) / pieces, "µs"),
  figure("min", min(samples) / pieces, "µs")
]

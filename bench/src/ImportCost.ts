/** The cost of importing each package, each in a separate process. */
import { join } from "node:path"
import { type Benchmark, figure, type Report, type Row } from "./Benchmark.ts"
import { complete, type Program } from "./ProgramRun.ts"
import { compileProgram, environment } from "./Programs.ts"
import * as PublishedLayout from "./PublishedLayout.ts"
import { interleave, median } from "./Statistics.ts"

interface Sample {
  readonly importMillis: number
  readonly processMillis: number
  readonly rssBytes: number
  /** The number of the module's exports; null: none was imported. */
  readonly exported: number | null
}

const empty = "(nothing)"

const importOnce = async (program: Program): Promise<Sample> => {
  const ended = await complete(program)
  const printed = JSON.parse(ended.stdout) as Omit<Sample, "processMillis">
  return { ...printed, processMillis: ended.elapsedMillis }
}

/** Returns the reason why a package has no meaningful cost: it cannot be loaded, or is still empty. */
const whyUnusable = async (program: Program): Promise<string | null> => {
  try {
    const { exported } = await importOnce(program)
    return exported === 0 ? "it exports nothing" : null
  } catch (error) {
    return `it cannot be imported: ${error instanceof Error ? error.message.split("\n").at(-1) : String(error)}`
  }
}

const run: Benchmark["run"] = async ({ folder, quick }): Promise<Report> => {
  const { packages, unbuilt } = PublishedLayout.make(folder)
  const importer = compileProgram("importer", folder)
  const program = (name: string): Program => ({
    command: process.execPath,
    arguments: name === empty ? [importer] : [importer, name],
    folder,
    environment: environment(join(folder, "home"))
  })
  const unusable = new Map<string, string>()
  for (const name of packages) {
    const why = await whyUnusable(program(name))
    if (why !== null) unusable.set(name, why)
  }
  const names = [empty, "effect/Effect", ...packages.filter((name) => !unusable.has(name))]
  const subjects = Object.fromEntries(names.map((name) => [name, () => importOnce(program(name))]))
  const rounds = quick ? 3 : 9
  const samples = await interleave(rounds, subjects)
  const of = (name: string, read: (sample: Sample) => number) => median(samples[name].map(read))
  const idleMillis = of(empty, ({ processMillis }) => processMillis)
  const idleBytes = of(empty, ({ rssBytes }) => rssBytes)
  const row = (name: string): Row => ({
    label: name,
    ratio: of(name, ({ processMillis }) => processMillis) / idleMillis,
    figures: [
      figure(
        "import",
        of(name, ({ importMillis }) => importMillis),
        "ms"
      ),
      figure("RSS", (of(name, ({ rssBytes }) => rssBytes) - idleBytes) / 1e6, "MB")
    ],
    aim: null
  })
  return {
    rows: names
      .filter((name) => name !== empty)
      .map(row)
      .toSorted((a, b) => (a.ratio ?? 0) - (b.ratio ?? 0)),
    notes: [
      `Ratio: the whole process against an empty one (${idleMillis.toFixed(1)} ms, ${(idleBytes / 1e6).toFixed(1)} MB RSS); RSS is on top of it. Medians of ${rounds} interleaved runs.`,
      "Built files as published, unbundled, dependencies included, no compile cache."
    ],
    notMeasured: [
      ...unbuilt.map((name) => `${name}: it is not built`),
      ...Array.from(unusable, ([name, why]) => `${name}: ${why}`)
    ]
  }
}

export const benchmark: Benchmark = { name: "imports", title: "Import of each package, in a fresh process", run }

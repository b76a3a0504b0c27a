/** The speed of finding and saving notes, among 1,000, 10,000 and 100,000 notes, compared with LanceDB alone. */
import * as EmbeddingStatic from "@bough/embedding-static"
import { Note, Session } from "@bough/protocol"
import type { Invocation } from "@bough/tool"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { atMost, type Benchmark, figure, type Row } from "./Benchmark.ts"
import { check } from "./Check.ts"
import { complete } from "./ProgramRun.ts"
import { environment } from "./Programs.ts"
import type { OpenedNotes as OpenNotes } from "./programs/openNotes.ts"
import { root } from "./PublishedLayout.ts"
import * as Corpus from "./retrieval/Corpus.ts"
import { type OpenedMemory, scope, withMemory } from "./retrieval/OpenMemory.ts"
import * as RawLanceDb from "./retrieval/RawLanceDb.ts"
import { interleave, median, min, quantile } from "./Statistics.ts"

const searchMillis = 30
const saveMillis = 10
const overRaw = 1.3
const commandMillis = 200

const vocabulary = [...new Set(Corpus.notes.flatMap(({ text }) => text.split(/\W+/u)))]

/** A labelled note with a dozen other words and a number, so that all notes differ. */
const textOf = (index: number): string => {
  const tail = Array.from({ length: 12 }, (_, turn) => vocabulary[(index * 31 + turn * turn * 17) % vocabulary.length])
  return `${Corpus.notes[index % Corpus.notes.length].text} (${tail.join(" ")}, ${index})`
}

const bytesBelow = (folder: string): number =>
  !existsSync(folder)
    ? 0
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

const measure = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

interface SpentTime {
  readonly millis: number
  /** Processor time of all threads of this process, which excludes waiting on a busy machine. */
  readonly processorMillis: number
}

const spent = async (work: () => Promise<unknown>): Promise<SpentTime> => {
  const before = process.cpuUsage()
  const millis = await measure(work)
  const { system, user } = process.cpuUsage(before)
  return { millis, processorMillis: (system + user) / 1000 }
}

/** Stores notes directly, which is fast enough to make a hundred thousand. */
const store = ({ memory, store }: OpenedMemory, index: number) =>
  Effect.andThen(
    store.save(scope, {
      noteId: Note.NoteId.make(`note-${index}`),
      kind: "fact",
      text: textOf(index),
      tags: [],
      source: "bench",
      untrusted: false,
      createdAtMillis: null
    }),
    memory.index.written
  )

const caller = (index: number): Invocation.Invocation["Service"] => ({
  sessionId: Session.SessionId.make("bench"),
  sessionPath: [],
  agent: "bench",
  user: scope.user,
  turn: 1,
  step: index,
  toolCallId: Session.ToolCallId.make(`call-${index}`),
  callKey: `call ${index}`,
  labels: [],
  workspaceRoot: "/",
  config: {},
  grants: [],
  facts: []
})

/** Saves a note as a tool does: it is compared with known notes and scanned for secrets. */
const save = ({ memory }: OpenedMemory, index: number) =>
  Effect.tap(
    memory.write(caller(index)).save({ text: textOf(index), tags: null, kind: null, secrets: "refuse" }),
    ({ status }) => Effect.sync(() => check(status === "Saved", `a note was not saved, but ${status}`))
  )

/** Changes one of the existing notes. */
const change = ({ memory }: OpenedMemory, index: number) =>
  memory.write(caller(index)).update(Note.NoteId.make(`note-${index}`), {
    text: `${textOf(index)} again`,
    tags: null,
    kind: null,
    secrets: "refuse"
  })

const fill = (opened: OpenedMemory, raw: RawLanceDb.Raw, count: number) =>
  Effect.gen(function* () {
    const all = Array.from({ length: count }, (_, index) => index)
    yield* Effect.forEach(all, (index) => store(opened, index), { concurrency: 500 })
    yield* opened.memory.index.settle(false)
    const page = 2000
    for (let from = 0; from < count; from += page) {
      const rows = all.slice(from, from + page).map((index) => ({ id: `note-${index}`, text: textOf(index) }))
      yield* Effect.promise(() => raw.add(rows))
    }
    yield* Effect.promise(() => raw.finish(count > 20_000))
  })

const find = ({ memory }: OpenedMemory, text: string) =>
  Effect.runPromise(memory.search(scope, { text, limit: 10, tags: [], kinds: [] }))

/** Returns questions in the same order for both sides. */
const questions = () => {
  let turn = 0
  return () => Corpus.questions[(turn += 7) % Corpus.questions.length].text
}

const openings = 5

/** Measures in a separate process. */
const openIn = async (folder: string, side: "bough" | "lancedb", notes: string): Promise<OpenNotes> => {
  const program = fileURLToPath(new URL("programs/openNotes.ts", import.meta.url))
  const { stdout } = await complete({
    command: process.execPath,
    arguments: [program, side, notes, "who drives a van"],
    folder,
    environment: environment(folder)
  })
  return JSON.parse(stdout) as OpenNotes // The text has the form that the program prints.
}

/** Runs the installed `bough memory search` with these notes as its data. */
const searchByCommand = async (folder: string, notes: string): Promise<number> => {
  const home = join(folder, "home")
  const data = join(home, ".local/share")
  if (!existsSync(data)) {
    mkdirSync(data, { recursive: true })
    symlinkSync(notes, join(data, "bough"))
  }
  const { elapsedMillis, stdout } = await complete({
    command: process.execPath,
    arguments: [join(root, "apps/cli/dist/bough.js"), "memory", "search", "who drives a van", "--format", "json"],
    folder: home,
    environment: environment(home, { XDG_DATA_HOME: data })
  })
  const found: unknown = JSON.parse(stdout)
  check(Array.isArray(found) && found.length === 10, "bough memory search did not find 10 notes")
  return elapsedMillis
}

const measureAt = async (folder: string, count: number, rounds: number): Promise<ReadonlyArray<Row>> => {
  const ours = join(folder, "ours")
  const rawFolder = join(folder, "raw")
  for (const each of [ours, rawFolder]) mkdirSync(each, { recursive: true })
  const label = (what: string) => `${what}, ${count.toLocaleString("en")} notes`
  const rows = await withMemory(ours, EmbeddingStatic.model, (opened) =>
    Effect.promise(async () => {
      const raw = await RawLanceDb.open(rawFolder, opened.embedder)
      await Effect.runPromise(fill(opened, raw, count))
      const [question, rawQuestion] = [questions(), questions()]
      const { notes, wordsOnly } = await find(opened, question())
      check(notes.length === 10 && wordsOnly === null, `a search found ${notes.length} notes (${wordsOnly})`)
      check((await raw.search(rawQuestion(), 10)).length === 10, "LanceDB found fewer than 10 notes")
      const searches = await interleave(rounds, {
        ours: () => spent(() => find(opened, question())),
        raw: () => spent(() => raw.search(rawQuestion(), 10))
      })
      const [found, rawFound] = [searches.ours, searches.raw].map((side) => side.map(({ millis }) => millis))
      const processor = (side: ReadonlyArray<SpentTime>) => median(side.map(({ processorMillis }) => processorMillis))
      let next = count
      const saves = await interleave(rounds, {
        ours: () => spent(() => Effect.runPromise(store(opened, next++))),
        byTool: () => spent(() => Effect.runPromise(save(opened, next++))),
        raw: () => spent(() => raw.add([{ id: `note-${next}`, text: textOf(next++) }]))
      })
      const [stored, saved, rawSaved] = [saves.ours, saves.byTool, saves.raw].map((side) =>
        side.map(({ millis }) => millis)
      )
      const changes: Array<number> = []
      for (let turn = 0; turn < rounds; turn++) {
        changes.push(await measure(() => Effect.runPromise(change(opened, (turn * 37) % count))))
      }
      return [
        {
          label: label("search"),
          ratio: median(found) / median(rawFound),
          figures: [
            figure("Bough p50", median(found), "ms"),
            figure("p95", quantile(found, 0.95), "ms"),
            figure("least", min(found), "ms"),
            figure("processor", processor(searches.ours), "ms"),
            figure("LanceDB p50", median(rawFound), "ms"),
            figure("p95", quantile(rawFound, 0.95), "ms"),
            figure("least", min(rawFound), "ms"),
            figure("processor", processor(searches.raw), "ms")
          ],
          aim: {
            words: `≤ ${overRaw} × LanceDB, p95 < ${searchMillis} ms`,
            met: median(found) <= overRaw * median(rawFound) && quantile(found, 0.95) < searchMillis
          }
        },
        {
          label: label("save, durable"),
          ratio: median(stored) / median(rawSaved),
          figures: [
            figure("Bough p50", median(stored), "ms"),
            figure("p95", quantile(stored, 0.95), "ms"),
            figure("processor", processor(saves.ours), "ms"),
            figure("LanceDB p50, not durable", median(rawSaved), "ms"),
            figure("p95", quantile(rawSaved, 0.95), "ms")
          ],
          aim: atMost(quantile(stored, 0.95), saveMillis, `p95 ≤ ${saveMillis} ms`)
        },
        {
          label: label("save by a tool, durable"),
          ratio: median(saved) / median(rawSaved),
          figures: [
            figure("Bough p50", median(saved), "ms"),
            figure("p95", quantile(saved, 0.95), "ms"),
            figure("processor", processor(saves.byTool), "ms")
          ],
          aim: atMost(quantile(saved, 0.95), saveMillis, `p95 ≤ ${saveMillis} ms`)
        },
        {
          label: label("change by a tool, durable"),
          ratio: null,
          figures: [figure("Bough p50", median(changes), "ms"), figure("p95", quantile(changes, 0.95), "ms")],
          aim: atMost(quantile(changes, 0.95), saveMillis, `p95 ≤ ${saveMillis} ms`)
        }
      ] satisfies ReadonlyArray<Row>
    })
  )
  const opening = await interleave(openings, {
    ours: () => openIn(folder, "bough", ours),
    raw: () => openIn(folder, "lancedb", rawFolder)
  })
  const [opened, rawOpened] = [opening.ours, opening.raw].map((side) => ({
    millis: median(side.map(({ millis }) => millis)),
    pssMegabytes: median(side.map(({ pssMegabytes }) => pssMegabytes))
  }))
  const commands = await interleave(openings, { ours: () => searchByCommand(folder, ours) })
  return [
    ...rows,
    {
      label: label("bough memory search, start to end"),
      ratio: null,
      figures: [figure("Bough p50", median(commands.ours), "ms"), figure("least", min(commands.ours), "ms")],
      aim: atMost(median(commands.ours), commandMillis, `≤ ${commandMillis} ms`)
    },
    {
      label: label("process start to first answer"),
      ratio: opened.millis / rawOpened.millis,
      figures: [figure("Bough", opened.millis, "ms"), figure("LanceDB", rawOpened.millis, "ms")],
      aim: null
    },
    {
      label: label("memory after it"),
      ratio: opened.pssMegabytes / rawOpened.pssMegabytes,
      figures: [figure("Bough", opened.pssMegabytes, "MB"), figure("LanceDB", rawOpened.pssMegabytes, "MB")],
      aim: null
    },
    {
      label: label("on disk"),
      ratio: bytesBelow(ours) / bytesBelow(rawFolder),
      figures: [
        figure("Bough", bytesBelow(ours) / 1e6, "MB"),
        figure("of it the index", bytesBelow(join(ours, "memory")) / 1e6, "MB"),
        figure("LanceDB", bytesBelow(rawFolder) / 1e6, "MB")
      ],
      aim: null
    }
  ]
}

const run: Benchmark["run"] = async ({ folder, quick }) => {
  // The larger set has a vector index in both programs.
  const sizes = quick ? [2000, 21_000] : [1000, 10_000, 100_000]
  const rows: Array<Row> = []
  for (const count of sizes) rows.push(...(await measureAt(join(folder, String(count)), count, quick ? 30 : 200)))
  return {
    rows,
    notes: [
      "LanceDB: one table with its own full-text and vector index, fused by its own reciprocal rank fusion, filtered by user. The same model embeds the same query in both.",
      "LanceDB does not sync: a power cut may lose acknowledged rows. Bough syncs each save, and updates its index in batches. A save by a tool also scans the text for secrets and compares it with known notes.",
      "LanceDB has the same indexes (vectors, user; words) and probes as many partitions. It takes 10 candidates from each index, and Bough takes 50.",
      "Searches and saves in this process, in turn; opening in processes of their own, which strip types as they start. On disk: after the saves, both compacted and without older versions before them."
    ],
    notMeasured: []
  }
}

export const benchmark: Benchmark = { name: "notes", title: "Finding and saving notes", run }

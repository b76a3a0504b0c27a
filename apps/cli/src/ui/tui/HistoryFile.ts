/**
 * The messages of a project, stored across conversations: lines of JSON in numbered files, of which the newest two are
 * read. Several processes append at once; an incomplete or foreign line is skipped.
 */
import { Directory, SystemError } from "@bough/disk"
import { Canonical } from "@bough/protocol"
import * as History from "@bough/tui/editor/History"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync
} from "node:fs"
import { join } from "node:path"

/** The history cannot be saved or read; the conversation continues without it. */
export class HistoryFailed extends Schema.TaggedError<HistoryFailed>()("HistoryFailed", { message: Schema.String }) {}

export interface HistoryFile {
  /** Returns the messages, oldest first, at most `History.most`. */
  readonly load: Effect.Effect<ReadonlyArray<string>, HistoryFailed>
  /** Adds a text; texts longer than `longestBytes` are not stored. */
  readonly append: (text: string) => Effect.Effect<void, HistoryFailed>
  /** Overwrites the lines of these texts, while other processes may append. */
  readonly forget: (texts: ReadonlySet<string>) => Effect.Effect<void, HistoryFailed>
}

export interface HistoryLocation {
  readonly dataDirectory: string
  readonly workspaceRoot: string
}

export const longestBytes = 64 * 1024
/** The size above which a file gets a successor. */
const fullBytes = 1024 * 1024

const Line = Schema.fromJsonString(Schema.Struct({ v: Schema.Literal(1), text: Schema.String }))
const decode = Schema.decodeUnknownOption(Line)
const encode = Schema.encodeSync(Line)

export const make = ({ dataDirectory, workspaceRoot }: HistoryLocation): HistoryFile => {
  const folder = join(dataDirectory, "history", Canonical.digest(workspaceRoot).replace(/^sha256:/u, ""))
  return {
    load: attempt("read", folder, () => load(folder)),
    append: (text) => attempt("keep", folder, () => append(folder, text)),
    forget: (texts) => attempt("change", folder, () => forget(folder, texts))
  }
}

const attempt = <A>(verb: string, folder: string, work: () => A): Effect.Effect<A, HistoryFailed> =>
  Effect.try({
    try: work,
    catch: (cause) =>
      new HistoryFailed({ message: `cannot ${verb} the history in ${folder}: ${SystemError.reason(cause)}` })
  })

/** The numbers of the history files, ascending. */
const numbers = (folder: string): ReadonlyArray<number> =>
  readdirSync(folder)
    .flatMap((name) => /^(\d{1,9})\.jsonl$/u.exec(name)?.[1] ?? [])
    .map(Number)
    .toSorted((left, right) => left - right)

const fileOf = (folder: string, number: number): string => join(folder, `${number}.jsonl`)

const load = (folder: string): ReadonlyArray<string> => {
  Directory.make(folder)
  const entries: Array<string> = []
  for (const number of numbers(folder).slice(-2)) {
    for (const line of tail(fileOf(folder, number)).split("\n")) {
      const found = decode(line)
      if (found._tag === "Some" && found.value.text !== entries.at(-1)) entries.push(found.value.text)
    }
  }
  return entries.slice(-History.maxEntries)
}

/** Reads the last bytes of a file, at most twice its largest size. */
const tail = (path: string): string => {
  const handle = openSync(path, "r")
  try {
    const { size } = fstatSync(handle)
    const length = Math.min(size, 2 * fullBytes)
    const bytes = Buffer.alloc(length)
    return bytes.toString("utf8", 0, readSync(handle, bytes, 0, length, size - length))
  } finally {
    closeSync(handle)
  }
}

const append = (folder: string, text: string): void => {
  if (Buffer.byteLength(text) > longestBytes) return
  Directory.make(folder)
  const line = `${encode({ v: 1, text })}\n`
  const number = numbers(folder).at(-1) ?? 1
  const size = appendTo(fileOf(folder, number), line)
  if (size > fullBytes) rotate(folder, number + 1)
}

/** Overwrites in place: a replacement file would lack entries that are appended meanwhile. */
const forget = (folder: string, texts: ReadonlySet<string>): void => {
  if (!existsSync(folder)) return
  for (const number of numbers(folder)) {
    const handle = openSync(fileOf(folder, number), "r+")
    try {
      let position = 0
      for (const line of readFileSync(handle, "utf8").split("\n")) {
        const length = Buffer.byteLength(line)
        const found = decode(line)
        if (found._tag === "Some" && texts.has(found.value.text)) writeSync(handle, " ".repeat(length), position)
        position += length + 1
      }
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  }
}

/** Appends in one write, so that writes of other processes do not interleave. Returns the size before. */
const appendTo = (path: string, line: string): number => {
  const handle = openSync(path, "a+", 0o600)
  try {
    const { size } = fstatSync(handle)
    writeSync(handle, endsInFeed(handle, size) ? line : `\n${line}`)
    return size
  } finally {
    closeSync(handle)
  }
}

/** False if the last writer was stopped in the middle of a line. */
const endsInFeed = (handle: number, size: number): boolean => {
  const last = Buffer.alloc(1)
  return size === 0 || (readSync(handle, last, 0, 1, size - 1) === 1 && last[0] === 0x0a)
}

/** The first process creates the file; files older than the last two are deleted. */
const rotate = (folder: string, number: number): void => {
  closeSync(openSync(fileOf(folder, number), "a", 0o600))
  for (const old of numbers(folder)) if (old < number - 1) rmSync(fileOf(folder, old), { force: true })
}

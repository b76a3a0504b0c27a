/** Prints and parses a note as a Markdown file: front matter with a line per fact, then the text. Equal notes print equal files. */
import { Canonical, Note } from "@bough/protocol"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The facts of a file; null: the file lacks the fact. */
export interface NoteFile {
  readonly noteId: string | null
  readonly kind: Note.Kind
  readonly tags: ReadonlyArray<string>
  readonly source: string | null
  readonly untrusted: boolean
  readonly project: string | null
  readonly validUntilMillis: number | null
  readonly createdAtMillis: number | null
  readonly updatedAtMillis: number | null
  /** Earlier versions, the newest first. */
  readonly history: ReadonlyArray<Note.PastVersion>
  readonly text: string
}

/** Makes a stable name that every file system accepts. */
export const fileName = (noteId: string): string =>
  /^[\w-]{1,100}$/.test(noteId) ? `${noteId}.md` : `note-${Canonical.digest(noteId).slice(7, 39)}.md`

const instant = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

/** Prints the file. `history` has the earlier versions, the newest first. */
export const print = (note: Note.Note, history: ReadonlyArray<Note.PastVersion> = []): string =>
  [
    "---",
    `id: ${JSON.stringify(note.noteId)}`,
    `kind: ${note.kind}`,
    `tags: ${JSON.stringify(note.tags)}`,
    `source: ${JSON.stringify(note.source)}`,
    ...(note.untrusted ? ["untrusted: true"] : []),
    ...(note.project === null ? [] : [`project: ${JSON.stringify(note.project)}`]),
    ...(note.validUntilMillis === null ? [] : [`until: ${Note.formatMoment(note.validUntilMillis)}`]),
    `created: ${instant(note.createdAtMillis)}`,
    `updated: ${instant(note.updatedAtMillis)}`,
    ...history.map((version) => `before: ${JSON.stringify(version)}`),
    "---",
    "",
    note.text,
    ""
  ].join("\n")

const matter = /^---\n([\s\S]*?)\n---\n\n?([\s\S]*)$/
/** Matches front matter without an end. */
const unended = /^---\n\w+:/
const isKind = Schema.is(Note.Kind)
const readTags = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Schema.String)))
const readText = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.String))
const readVersion = Schema.decodeUnknownOption(Schema.fromJsonString(Note.PastVersion))

/** Reads a quoted value, as the program prints it, or an unquoted one, as a user may write it. */
const plain = (value: string): string => Option.getOrElse(readText(value), () => value)

/** Parses a time; null: it is not a time, or before 1970. */
const timeOf = (value: string): number | null => {
  // oxlint-disable-next-line no-restricted-globals -- a time without a zone is in the zone of the machine
  const millis = Date.parse(value)
  return millis >= 0 ? millis : null
}

type NoteFields = { -readonly [Key in Exclude<keyof NoteFile, "text" | "history">]: NoteFile[Key] } & {
  readonly history: Array<Note.PastVersion>
}

/** Readers of the lines of front matter, by key; each returns a sentence about a value that it cannot read. */
const readers: Readonly<Record<string, (facts: NoteFields, value: string) => string | undefined>> = {
  id: (facts, value) => void (facts.noteId = plain(value)),
  kind: (facts, value) => {
    if (!isKind(value)) return `unknown kind ${value}: choose one of ${Note.Kind.literals.join(", ")}`
    facts.kind = value
  },
  tags: (facts, value) => {
    const tags = readTags(value)
    if (Option.isNone(tags)) return 'its tags are not written as ["one","two"]'
    facts.tags = tags.value
  },
  source: (facts, value) => void (facts.source = plain(value)),
  untrusted: (facts, value) => void (facts.untrusted = value === "true"),
  project: (facts, value) => void (facts.project = plain(value)),
  until: (facts, value) => {
    const millis = Note.momentOf(plain(value))
    if (millis === null) return `until: ${value} is not a date such as 2026-09-01`
    facts.validUntilMillis = millis
  },
  created: (facts, value) => {
    const millis = timeOf(value)
    if (millis === null) return `created: ${value} is not a time`
    facts.createdAtMillis = millis
  },
  updated: (facts, value) => {
    const millis = timeOf(value)
    if (millis === null) return `updated: ${value} is not a time`
    facts.updatedAtMillis = millis
  },
  before: (facts, value) => {
    const version = readVersion(value)
    if (Option.isNone(version)) return "an earlier version is not in the format of an export"
    facts.history.push(version.value)
  },
  // The mark of an export is not a fact of the note.
  export: () => undefined
}

/** Reads the lines of front matter; the first is line 2 of the file. */
const readFacts = (lines: ReadonlyArray<string>, isStrict: boolean): NoteFields | string => {
  const facts: NoteFields = {
    noteId: null,
    kind: "fact",
    tags: [],
    source: null,
    untrusted: false,
    project: null,
    validUntilMillis: null,
    createdAtMillis: null,
    updatedAtMillis: null,
    history: []
  }
  for (const [index, line] of lines.entries()) {
    const [, key = "", value = ""] = /^(\w+):\s*(.*)$/.exec(line) ?? []
    const read = Object.hasOwn(readers, key) ? readers[key] : null
    const unread = line.trim() === "" || !isStrict ? undefined : `it cannot be read: ${line}`
    const problem = read === null ? unread : read(facts, value.trim())
    if (problem !== undefined) return `line ${index + 2}: ${problem}`
  }
  return facts
}

/**
 * Parses the file, or returns a sentence about its fault. A file without front matter is only text. `strict` rejects lines
 * with unknown facts.
 */
export const parse = (content: string, strictness: "strict" | "lenient" = "lenient"): NoteFile | string => {
  const unixText = content.replaceAll("\r\n", "\n")
  const found = matter.exec(unixText)
  if (found === null && unended.test(unixText)) return "line 1: the front matter has no closing line ---"
  const text = (found?.[2] ?? content).replace(/\n$/, "")
  const facts = readFacts((found?.[1] ?? "").split("\n"), strictness === "strict")
  if (typeof facts === "string") return facts
  if (text.trim() === "") return "it has no text"
  if (text.length > Note.maxTextLength) return `it has more than ${Note.maxTextLength} characters`
  return { ...facts, text }
}

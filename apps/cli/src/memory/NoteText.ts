/** A note as a Markdown file: front matter, one line a fact, then the text. The same note is always the same file. */
import { Canonical, Note } from "@bough/protocol"
import * as Schema from "effect/Schema"

/** What a file says; what it leaves out is null. */
export interface Written {
  readonly noteId: string | null
  readonly kind: Note.Kind
  readonly tags: ReadonlyArray<string>
  readonly source: string | null
  readonly untrusted: boolean
  readonly createdAtMillis: number | null
  readonly updatedAtMillis: number | null
  readonly text: string
}

/** Stable, and a name on every file system. */
export const fileName = (noteId: string): string =>
  /^[\w-]{1,100}$/.test(noteId) ? `${noteId}.md` : `note-${Canonical.digest(noteId).slice(7, 39)}.md`

const instant = (millis: number): string => new Date(millis).toISOString()

export const print = (note: Note.Note): string =>
  [
    "---",
    `id: ${JSON.stringify(note.noteId)}`,
    `kind: ${note.kind}`,
    `tags: ${JSON.stringify(note.tags)}`,
    `source: ${JSON.stringify(note.source)}`,
    ...(note.untrusted ? ["untrusted: true"] : []),
    `created: ${instant(note.createdAtMillis)}`,
    `updated: ${instant(note.updatedAtMillis)}`,
    "---",
    "",
    note.text,
    ""
  ].join("\n")

const matter = /^---\n([\s\S]*?)\n---\n\n?([\s\S]*)$/
const isKind = Schema.is(Note.Kind)
const Tags = Schema.fromJsonString(Schema.Array(Schema.String))
const readTags = Schema.decodeUnknownResult(Tags)

/** A value as it is printed, or as a person would write it. */
const plain = (value: string): string => {
  const read = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.String))(value)
  return read._tag === "Success" ? read.success : value
}

/** NaN: it is no time, or one before 1970, which no store has. */
const timeOf = (value: string | undefined): number | null => {
  if (value === undefined) return null
  const millis = Date.parse(value)
  return millis >= 0 ? millis : Number.NaN
}

/** What is wrong with the file, in words, where it is not a note. A file without front matter is all text. */
export const parse = (content: string): Written | string => {
  const found = matter.exec(content.replaceAll("\r\n", "\n"))
  const facts = new Map(
    (found?.[1] ?? "").split("\n").flatMap((line) => {
      const [, key, value] = /^(\w+):\s*(.*)$/.exec(line) ?? []
      return key === undefined ? [] : [[key, value.trim()] as const]
    })
  )
  const text = (found?.[2] ?? content).replace(/\n$/, "")
  const kind = facts.get("kind") ?? "fact"
  const tags = readTags(facts.get("tags") ?? "[]")
  const createdAtMillis = timeOf(facts.get("created"))
  const updatedAtMillis = timeOf(facts.get("updated"))
  if (text.trim() === "") return "it has no text"
  if (text.length > Note.maxTextLength) return `it has more than ${Note.maxTextLength} characters`
  if (!isKind(kind)) return `kind ${kind} is none of ${Note.Kind.literals.join(", ")}`
  if (tags._tag === "Failure") return 'its tags are not written as ["one","two"]'
  if (Number.isNaN(createdAtMillis)) return `created ${facts.get("created")} is no time`
  if (Number.isNaN(updatedAtMillis)) return `updated ${facts.get("updated")} is no time`
  const id = facts.get("id")
  return {
    noteId: id === undefined ? null : plain(id),
    kind,
    tags: tags.success,
    source: facts.has("source") ? plain(facts.get("source") ?? "") : null,
    untrusted: facts.get("untrusted") === "true",
    createdAtMillis,
    updatedAtMillis,
    text
  }
}

/** The arguments that several note tools share, and the format of a note for the model. */
import { Note } from "@bough/protocol"
import { ToolSchema } from "@bough/tool"
import * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"

export const NoteIdArgument = Schema.NonEmptyString.annotate({ description: "As search_memory gives it" })

export const Content = Schema.NonEmptyString.check(Schema.isMaxLength(Note.maxTextLength)).annotate({
  description: "One thing that is worth knowing in another session, in a sentence or two"
})

export const Tags = Schema.Array(Schema.NonEmptyString)

export const Secrets = ToolSchema.withDefault(
  Schema.Literals(["refuse", "redact", "keep"]).annotate({
    description: "What to do with what looks like a key or password; keep asks the user"
  }),
  "refuse"
)

export const Scope = Schema.Literals(["user", "project"])

/** A day, at whose end the note's validity ends, or a moment. */
export const ValidUntil = Schema.String.check(
  Schema.makeFilter((text) => Note.momentOf(text) !== null, {
    expected: "a date such as 2026-09-01, or a time in ISO 8601"
  })
)

/** Formats a time in ISO 8601, in UTC. */
export const instant = (millis: number): string => DateTime.formatIso(DateTime.makeUnsafe(millis))

/** Raises the tier of a call that stores a secret on the user's request. */
export const classifySecrets = ({ secrets }: { readonly secrets: "refuse" | "redact" | "keep" }) =>
  secrets === "keep"
    ? ({ tier: "Elevated", reason: "keeps what looks like a secret in memory" } as const)
    : ({ tier: "Workspace" } as const)

export const hiddenNote = (hidden: ReadonlyArray<string>): string =>
  hidden.length === 0 ? "" : `; hidden: ${hidden.join(", ")}`

/** Formats the notes that a saved one may have made out of date. */
export const nearNotes = (notes: ReadonlyArray<Note.Note>): string => {
  if (notes.length === 0) return ""
  const named = notes.map(({ noteId, text }) => `${noteId} ${JSON.stringify(shorten(text))}`).join(", ")
  return `; near: ${named}. If one of them is no longer true, update_memory it or save with supersedes`
}

const shorten = (text: string): string => {
  const line = text.replaceAll(/\s+/gu, " ")
  return line.length > 120 ? `${line.slice(0, 120)}…` : line
}

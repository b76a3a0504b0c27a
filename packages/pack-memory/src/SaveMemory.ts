/** `save_memory`: saves one new note about the user. A text that notes already contain is not saved again. */
import { Note } from "@bough/protocol"
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  classifySecrets,
  Content,
  hiddenNote,
  nearNotes,
  NoteIdArgument,
  Scope,
  Secrets,
  Tags,
  ValidUntil
} from "./internal/noteFields.ts"

/**
 * Describes known notes. Notes are compared by words, so a text that has the same words but another meaning must be
 * reworded, or must update the note.
 */
const knownAlready = (notes: ReadonlyArray<Note.Note>): string =>
  `nothing was saved, it is known already: ${notes.map(({ noteId }) => noteId).join(", ")}. ` +
  "If it has changed, use update_memory with that id; if it says something new, save that alone, in words of its own"

export const SaveMemory = Tool.make("save_memory", {
  version: 2,
  description:
    "Remember something durable about the user for later sessions: a fact, preference, decision, working procedure",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.MemoryWrite],
  parameters: Schema.Struct({
    content: Content,
    kind: ToolSchema.withDefault(Note.Kind, "fact"),
    tags: ToolSchema.withDefault(Tags, []),
    scope: ToolSchema.withDefault(
      Scope.annotate({ description: "project: only true of this project, such as its commands and conventions" }),
      "user"
    ),
    supersedes: ToolSchema.withDefault(
      Schema.Array(NoteIdArgument)
        .check(Schema.isMaxLength(Note.maxSuperseded))
        .annotate({ description: "Ids of notes that are no longer true because of this one" }),
      []
    ),
    validUntil: Schema.optionalKey(
      ValidUntil.annotate({ description: "Its last day, such as 2026-09-01, if it is known" })
    ),
    secrets: Secrets
  }),
  output: Schema.Struct({
    noteId: Schema.String,
    message: Schema.String,
    /** Notes that may be about the same subject. */
    near: Schema.Array(Schema.Struct({ noteId: Schema.String, text: Schema.String }))
  }),
  forModel: ({ message, noteId }) => `${noteId}: ${message}`,
  classify: (parameters) => Effect.succeed(classifySecrets(parameters)),
  execute: Effect.fnUntraced(function* ({ content, kind, scope, secrets, supersedes, tags, validUntil }) {
    const memory = yield* Capability.MemoryWrite
    const { hidden, known, near, note, status } = yield* memory.save({
      text: content,
      tags,
      kind,
      secrets,
      scope,
      supersedes: supersedes.map((noteId) => Note.NoteId.make(noteId)),
      validUntilMillis: validUntil === undefined ? null : Note.momentOf(validUntil)
    })
    const message = status === "Saved" ? `saved${hiddenNote(hidden)}${nearNotes(near)}` : knownAlready(known)
    return Tool.result({
      output: { noteId: note.noteId, message, near: near.map(({ noteId, text }) => ({ noteId, text })) },
      display:
        status === "Saved"
          ? `Remembered ${note.noteId}${hiddenNote(hidden)}`
          : `Knew it already: ${known.map(({ noteId }) => noteId).join(", ")}`,
      artifacts: status === "Saved" ? [{ _tag: "MemoryWritten", noteId: note.noteId }] : []
    })
  })
})

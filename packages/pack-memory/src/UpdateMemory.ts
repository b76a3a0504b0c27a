/** `update_memory`: replaces the text of a note and keeps its id. */
import { Note } from "@bough/protocol"
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import {
  classifySecrets,
  Content,
  hiddenNote,
  NoteIdArgument,
  Scope,
  Secrets,
  Tags,
  ValidUntil
} from "./internal/noteFields.ts"

export const UpdateMemory = Tool.make("update_memory", {
  version: 2,
  description: "Correct a note: its text is replaced, and the old one kept in its history; its tags too if given",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.MemoryWrite],
  parameters: Schema.Struct({
    noteId: NoteIdArgument,
    content: Content,
    kind: Schema.optionalKey(Note.Kind),
    tags: Schema.optionalKey(Tags),
    scope: Schema.optionalKey(Scope),
    validUntil: Schema.optionalKey(
      Schema.NullOr(ValidUntil).annotate({
        description: "Its last day, such as 2026-09-01; null removes it"
      })
    ),
    secrets: Secrets
  }),
  output: Schema.Struct({ noteId: Schema.String, message: Schema.String }),
  forModel: ({ message, noteId }) => `${noteId}: ${message}`,
  classify: (parameters) => Effect.succeed(classifySecrets(parameters)),
  execute: Effect.fnUntraced(function* ({ content, kind = null, noteId, scope, secrets, tags = null, validUntil }) {
    const memory = yield* Capability.MemoryWrite
    const { hidden } = yield* memory.update(Note.NoteId.make(noteId), {
      text: content,
      tags,
      kind,
      secrets,
      ...(scope === undefined ? {} : { scope }),
      ...(validUntil === undefined ? {} : { validUntilMillis: validUntil === null ? null : Note.momentOf(validUntil) })
    })
    return Tool.result({
      output: { noteId, message: `updated${hiddenNote(hidden)}` },
      display: `Corrected ${noteId}${hiddenNote(hidden)}`,
      artifacts: [{ _tag: "MemoryWritten", noteId }]
    })
  })
})

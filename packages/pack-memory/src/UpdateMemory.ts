/** `update_memory`: another text for a note, under the same id. */
import { Note } from "@bough/protocol"
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { classifySecrets, Content, hiddenNote, NoteIdArgument, Secrets, Tags } from "./internal/noteFields.ts"

export const UpdateMemory = Tool.make("update_memory", {
  version: 1,
  description: "Correct a note: its text is replaced, its tags too if given",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.MemoryWrite],
  parameters: Schema.Struct({
    noteId: NoteIdArgument,
    content: Content,
    kind: Schema.optionalKey(Note.Kind),
    tags: Schema.optionalKey(Tags),
    secrets: Secrets
  }),
  output: Schema.Struct({ noteId: Schema.String, message: Schema.String }),
  forModel: ({ message, noteId }) => `${noteId}: ${message}`,
  classify: (parameters) => Effect.succeed(classifySecrets(parameters)),
  execute: Effect.fnUntraced(function* ({ content, kind = null, noteId, secrets, tags = null }) {
    const memory = yield* Capability.MemoryWrite
    const { hidden } = yield* memory.update(Note.NoteId.make(noteId), { text: content, tags, kind, secrets })
    return Tool.result({
      output: { noteId, message: `updated${hiddenNote(hidden)}` },
      display: `Corrected ${noteId}${hiddenNote(hidden)}`,
      artifacts: [{ _tag: "MemoryWritten", noteId }]
    })
  })
})

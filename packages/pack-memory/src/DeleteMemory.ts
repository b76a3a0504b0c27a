/** `delete_memory`: deletes a note. */
import { Note } from "@bough/protocol"
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { NoteIdArgument } from "./internal/noteFields.ts"

export const DeleteMemory = Tool.make("delete_memory", {
  version: 2,
  description: "Forget a note that is wrong, or that the user wants forgotten",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.MemoryRead, Capability.MemoryWrite],
  parameters: Schema.Struct({
    noteId: NoteIdArgument,
    reason: ToolSchema.withDefault(
      Schema.Literals(["forget", "wrong"]).annotate({
        description: "forget: erased with its history; wrong: its text stays in its history, for the user alone"
      }),
      "forget"
    )
  }),
  output: Schema.Struct({ message: Schema.String }),
  forModel: ({ message }) => message,
  findExisting: Effect.fnUntraced(function* ({ noteId }) {
    const memory = yield* Capability.MemoryRead
    return (yield* memory.get(Note.NoteId.make(noteId))) === null ? result(noteId) : null
  }),
  execute: Effect.fnUntraced(function* ({ noteId, reason }) {
    const memory = yield* Capability.MemoryWrite
    yield* memory.remove(Note.NoteId.make(noteId), reason === "wrong" ? "Keep" : "Erase")
    return result(noteId)
  })
})

const result = (noteId: string) =>
  Tool.result({
    output: { message: `deleted ${noteId}` },
    display: `Forgot ${noteId}`,
    artifacts: [{ _tag: "MemoryDeleted", noteId }]
  })

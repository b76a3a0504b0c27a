/** What a tool says when the store of notes fails. */
import { ToolError } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"

export const toToolError = ({ hint, message }: NoteStore.NoteStoreFailed): ToolError.ExecutionError =>
  new ToolError.ExecutionError({ message, hint })

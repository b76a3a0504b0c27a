/** Translates a failure of the note store into a tool's error. */
import { ToolError } from "@bough/protocol"
import type { NoteStore } from "@bough/tool"

export const toToolError = ({ hint, message }: NoteStore.NoteStoreFailed): ToolError.ExecutionError =>
  new ToolError.ExecutionError({ message, hint })

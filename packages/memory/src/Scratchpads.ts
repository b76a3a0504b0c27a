/** The scratchpad of the calling session. */
import { ToolError } from "@bough/protocol"
import { type Invocation, type NoteStore, type Scratchpad, ScratchpadStore } from "@bough/tool"
import * as Effect from "effect/Effect"

const toToolError = ({ hint, message }: NoteStore.NoteStoreFailed) => new ToolError.ExecutionError({ message, hint })

export const make: Effect.Effect<
  (caller: Invocation.Invocation["Service"]) => Scratchpad.Scratchpad["Service"],
  never,
  ScratchpadStore.ScratchpadStore
> = Effect.map(ScratchpadStore.ScratchpadStore, (store) => ({ sessionId }) => ({
  read: Effect.mapError(store.read(sessionId), toToolError),
  write: (items) => Effect.mapError(store.write(sessionId, items), toToolError)
}))

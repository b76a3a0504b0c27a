/** A short list of a session's current work, which no other session sees and memory does not store. */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** `updatedAtMillis` is null if nothing was written yet. */
export interface ScratchpadState {
  readonly items: ReadonlyArray<string>
  readonly updatedAtMillis: number | null
}

export class Scratchpad extends Context.Service<
  Scratchpad,
  {
    readonly read: Effect.Effect<ScratchpadState, ToolError.ToolError>
    /** Replaces all items; an empty list clears them. */
    readonly write: (items: ReadonlyArray<string>) => Effect.Effect<ScratchpadState, ToolError.ToolError>
  }
>()("@bough/tool/Scratchpad") {
  static readonly floor = "Workspace"
}

/** Stores scratchpads by session: a port, not a capability. Durable on return. Adapters pass `scratchpadStoreSpec`. */
import type { Session } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { NoteStoreFailed } from "./NoteStore.ts"
import type { ScratchpadState } from "./Scratchpad.ts"

export class ScratchpadStore extends Context.Service<
  ScratchpadStore,
  {
    readonly read: (sessionId: Session.SessionId) => Effect.Effect<ScratchpadState, NoteStoreFailed>
    /** Replaces all items. */
    readonly write: (
      sessionId: Session.SessionId,
      items: ReadonlyArray<string>
    ) => Effect.Effect<ScratchpadState, NoteStoreFailed>
  }
>()("@bough/tool/ScratchpadStore") {}

/**
 * The user's secrets and private files, by name. A handler gets their bytes to put them where they are needed: neither the model
 * nor the journal sees them, since every value is hidden in all texts of the session from its first use on.
 */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class Vault extends Context.Service<
  Vault,
  {
    /** Sorted. */
    readonly names: Effect.Effect<ReadonlyArray<string>, ToolError.ToolError>
    /** The bytes of an entry. A name that there is not is a ValidationError of the field, which lists those that there are. */
    readonly read: (name: string, field: string) => Effect.Effect<Uint8Array, ToolError.ToolError>
    /**
     * Marks a place of the workspace as secret from here on, for all sessions; called before an entry is written there. The path
     * is relative to the workspace root, its links followed.
     */
    readonly markCopy: (name: string, path: string) => Effect.Effect<void, ToolError.ToolError>
    /** True if an entry was copied there. */
    readonly isCopy: (path: string) => Effect.Effect<boolean>
  }
>()("@bough/tool/Vault") {
  static readonly floor = "System"
}

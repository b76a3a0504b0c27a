/**
 * The user's secrets and private files, by name. A handler gets and uses their bytes, but neither the model nor the
 * journal sees them, because every text of the session redacts a value from its first use on.
 */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class Vault extends Context.Service<
  Vault,
  {
    /** The names of the entries, sorted. */
    readonly names: Effect.Effect<ReadonlyArray<string>, ToolError.ToolError>
    /** The bytes of an entry. An unknown name is a ValidationError of the field, which lists the known ones. */
    readonly read: (name: string, field: string) => Effect.Effect<Uint8Array, ToolError.ToolError>
    /**
     * Marks a workspace path as secret from now on, for all sessions; call it before writing an entry there. The path is
     * relative to the workspace root, with links resolved.
     */
    readonly markCopy: (name: string, path: string) => Effect.Effect<void, ToolError.ToolError>
    /** True if an entry was copied there. */
    readonly isCopy: (path: string) => Effect.Effect<boolean>
  }
>()("@bough/tool/Vault") {
  static readonly floor = "System"
}

/**
 * Changing what is below the workspace root. Writes go to a temporary file beside the target, are synced and renamed
 * over it: a reader sees the old or the new bytes, never half. Mode bits of an existing file are kept.
 */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** `digest` is of the bytes now in place; `created`: nothing was there before. */
export interface Written {
  readonly path: string
  readonly bytes: number
  readonly digest: string
  readonly created: boolean
}

export class WorkspaceWrite extends Context.Service<
  WorkspaceWrite,
  {
    /**
     * Puts `content` in place, making missing parents. `expected`: the digest that must still be there (null: nothing
     * may be there; undefined: whatever is), compared as late as the platform allows; a mismatch is an ExecutionError.
     */
    readonly writeFile: (
      path: string,
      content: Uint8Array,
      expected?: string | null
    ) => Effect.Effect<Written, ToolError.ToolError>
    /** Missing parents are made too; an existing directory is fine. */
    readonly createDirectory: (path: string) => Effect.Effect<{ readonly created: boolean }, ToolError.ToolError>
    /** Fails if something is at `to`. */
    readonly move: (from: string, to: string) => Effect.Effect<void, ToolError.ToolError>
    /** Files and whole directories; links are copied as links. Fails if something is at `to`. */
    readonly copy: (from: string, to: string) => Effect.Effect<{ readonly files: number }, ToolError.ToolError>
    /** A file, a link or a whole directory; the number of files removed. */
    readonly remove: (path: string) => Effect.Effect<{ readonly files: number }, ToolError.ToolError>
  }
>()("@bough/tool/WorkspaceWrite") {
  static readonly floor = "Workspace"
}

/**
 * Changes files below the workspace root. Writes go to a temporary file beside the target, are synced and renamed over
 * it: a reader sees either the old or the new bytes, never a mixture. Mode bits of an existing file are kept.
 */
import type { ToolError } from "@bough/protocol"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** `digest` is the digest of the bytes after the write; `created`: the file did not exist before. */
export interface WriteResult {
  readonly path: string
  readonly bytes: number
  readonly digest: string
  readonly created: boolean
}

export class WorkspaceWrite extends Context.Service<
  WorkspaceWrite,
  {
    /**
     * Writes `content` and creates missing parents. `expected`: the digest that the file must still have (null: it must
     * not exist; undefined: not checked), compared as late as the platform allows; a mismatch is an ExecutionError.
     */
    readonly writeFile: (
      path: string,
      content: Uint8Array,
      expected?: string | null
    ) => Effect.Effect<WriteResult, ToolError.ToolError>
    /** Like `writeFile`, for a file that other users of the machine may not read if it is new. */
    readonly writePrivateFile: (
      path: string,
      content: Uint8Array,
      expected?: string | null
    ) => Effect.Effect<WriteResult, ToolError.ToolError>
    /** Creates a directory and its missing parents; it is not an error if the directory exists. */
    readonly createDirectory: (path: string) => Effect.Effect<{ readonly created: boolean }, ToolError.ToolError>
    /** Moves a path; fails if `to` exists. */
    readonly move: (from: string, to: string) => Effect.Effect<void, ToolError.ToolError>
    /** Copies files and whole directories; links are copied as links. Fails if `to` exists. */
    readonly copy: (from: string, to: string) => Effect.Effect<{ readonly files: number }, ToolError.ToolError>
    /** Removes a file, a link or a whole directory; returns the number of removed files. */
    readonly remove: (path: string) => Effect.Effect<{ readonly files: number }, ToolError.ToolError>
  }
>()("@bough/tool/WorkspaceWrite") {
  static readonly floor = "Workspace"
}

/** The text file that a write replaces. */
import type { ToolError } from "@bough/protocol"
import { Capability, TextFormat, type WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"

/** `text` null: not text. */
export interface Existing {
  readonly digest: string
  readonly bytes: Uint8Array
  readonly text: string | null
  readonly format: TextFormat.TextFormat
}

/** Larger files are not edited. */
export const maxBytes = 16 * 1024 ** 2

/** Whether what is there may only be read under a grant, so that no preview shows it. */
export const isSecret = (path: string): Effect.Effect<boolean, ToolError.ToolError, WorkspaceRead.WorkspaceRead> =>
  Effect.gen(function* () {
    const workspace = yield* Capability.WorkspaceRead
    const { sensitivity } = yield* workspace.inspect(path)
    return sensitivity === "secret" && (yield* workspace.digest(path)) !== null
  })

/** Null: nothing is there. */
export const read = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<Existing | null, ToolError.ToolError, WorkspaceRead.WorkspaceRead> {
  const workspace = yield* Capability.WorkspaceRead
  if ((yield* workspace.digest(path)) === null) return null
  const { bytes, digest } = yield* workspace.readFile(path, maxBytes)
  if (TextFormat.isBinary(bytes)) return { bytes, digest, text: null, format: TextFormat.plain }
  const { format, text } = TextFormat.decode(bytes)
  return { bytes, digest, text, format }
})

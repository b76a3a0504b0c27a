/** The text file that a write replaces. */
import type { ToolError } from "@bough/protocol"
import { TextFormat } from "@bough/text"
import { Capability, type WorkspaceRead } from "@bough/tool"
import * as Effect from "effect/Effect"

/** `text` null: the file is not text, or too large to be read. */
export interface ExistingFile {
  readonly digest: string
  readonly bytes: number
  readonly text: string | null
  readonly format: TextFormat.TextFormat
}

const maxBytes = 16 * 1024 ** 2

/** True if the file may only be read with a grant, so that previews must not show it. */
export const isSecret = (path: string): Effect.Effect<boolean, ToolError.ToolError, WorkspaceRead.WorkspaceRead> =>
  Effect.gen(function* () {
    const workspace = yield* Capability.WorkspaceRead
    const { sensitivity } = yield* workspace.inspect(path)
    return sensitivity === "secret" && (yield* workspace.digest(path)) !== null
  })

type ExistingEffect = Effect.Effect<ExistingFile | null, ToolError.ToolError, WorkspaceRead.WorkspaceRead>

/** Reads the file; null: it does not exist. A file that is too large is refused. */
export const read = (path: string): ExistingEffect =>
  Effect.gen(function* () {
    const workspace = yield* Capability.WorkspaceRead
    if ((yield* workspace.digest(path)) === null) return null
    const { bytes, digest } = yield* workspace.readFile(path, maxBytes)
    if (TextFormat.isBinary(bytes)) return { bytes: bytes.length, digest, text: null, format: TextFormat.plain }
    const { format, text } = TextFormat.decode(bytes)
    return { bytes: bytes.length, digest, text, format }
  })

/** Reads a file of any size whose entire content is replaced. */
export const readAnySize = (path: string): ExistingEffect =>
  Effect.catchTag(read(path), "PermissionDenied", (denied) =>
    denied.reason.startsWith("TooLarge:") ? unread(path) : Effect.fail(denied)
  )

const unread = (path: string): ExistingEffect =>
  Effect.gen(function* () {
    const workspace = yield* Capability.WorkspaceRead
    const digest = yield* workspace.digest(path)
    const { bytes } = yield* workspace.info(path)
    return digest === null ? null : { bytes, digest, text: null, format: TextFormat.plain }
  })

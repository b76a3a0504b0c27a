/** `save_attachment`: saves an attachment of the user's messages as a new file of the workspace. */
import { Canonical, ToolError } from "@bough/protocol"
import { Capability, Tool, ToolSchema } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as FileKind from "./internal/FileKind.ts"

const maxBytes = 20 * 1024 ** 2

const Parameters = Schema.Struct({
  path: Schema.optionalKey(
    Schema.NonEmptyString.annotate({ description: "A new file; default: attachment-<start of digest>.<type>" })
  ),
  back: ToolSchema.withDefault(
    Schema.Natural.annotate({ description: "0 is the newest attachment, 1 the one before" }),
    0
  )
})

export const SaveAttachment = Tool.make("save_attachment", {
  version: 1,
  description: "Save an attachment of the person's messages as a new file",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.Attachments, Capability.WorkspaceRead, Capability.WorkspaceWrite],
  parameters: Parameters,
  output: Schema.Struct({
    path: Schema.String,
    mediaType: Schema.String,
    bytes: Schema.Natural,
    digest: Schema.String
  }),
  forModel: ({ bytes, mediaType, path }) => `Saved ${path} (${mediaType}, ${bytes} bytes)`,
  classify: Effect.fnUntraced(function* ({
    path
  }): Effect.fn.Return<Tool.Classification, ToolError.ToolError, Capability.WorkspaceRead> {
    if (path === undefined) return { tier: "Workspace" }
    const workspace = yield* Capability.WorkspaceRead
    const subject = yield* workspace.inspect(path)
    return subject.sensitivity === "none"
      ? { tier: "Workspace" }
      : { tier: "Elevated", reason: `${subject.path} steers agents or tools, or may hold credentials` }
  }),
  preview: Effect.fnUntraced(function* (parameters) {
    const { bytes, mediaType, path } = yield* find(parameters)
    return {
      render: `Save an attachment (${mediaType}, ${bytes.length} bytes) as ${path}`,
      preconditions: [{ key: `attachment ${path}`, digest: Canonical.digest(bytes) }]
    }
  }),
  findExisting: Effect.fnUntraced(function* (parameters) {
    const found = yield* find(parameters)
    const workspace = yield* Capability.WorkspaceRead
    const digest = Canonical.digest(found.bytes)
    return (yield* workspace.digest(found.path)) === digest ? result(found, found.path, digest) : null
  }),
  execute: Effect.fnUntraced(function* (parameters) {
    const found = yield* find(parameters)
    const workspace = yield* Capability.WorkspaceWrite
    const written = yield* workspace.writeFile(found.path, found.bytes, null)
    return result(found, written.path, written.digest)
  })
})

interface FoundAttachment {
  readonly bytes: Uint8Array
  readonly mediaType: string
  readonly path: string
}

const find = Effect.fnUntraced(function* ({
  back,
  path
}: typeof Parameters.Type): Effect.fn.Return<FoundAttachment, ToolError.ToolError, Capability.Attachments> {
  const { list } = yield* Capability.Attachments
  const all = yield* list
  const bytes = all.at(-1 - back)
  if (bytes === undefined) {
    const message =
      all.length === 0 ? "no message of this session has an attachment" : `back is at most ${all.length - 1}`
    return yield* new ToolError.ValidationError({ message, field: "back", issues: [{ path: "back", message }] })
  }
  if (bytes.length > maxBytes) {
    return yield* new ToolError.ExecutionError({
      message: `the attachment has ${bytes.length} bytes, the limit is ${maxBytes}`,
      hint: "ask the person for a smaller one"
    })
  }
  const { extension, mediaType } = yield* FileKind.detect(bytes)
  const name = `attachment-${Canonical.digest(bytes).replace("sha256:", "").slice(0, 12)}.${extension}`
  return { bytes, mediaType, path: path ?? name }
})

const result = ({ bytes, mediaType }: FoundAttachment, path: string, digest: string) =>
  Tool.result({
    output: { path, mediaType, bytes: bytes.length, digest },
    display: `Saved ${path} (${mediaType}, ${bytes.length} bytes)`,
    artifacts: [{ _tag: "FileWritten", path, bytes: bytes.length, digest }]
  })

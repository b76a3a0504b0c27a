/** `copy_path`: copies a file, link or directory. It replaces nothing. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Difference from "./internal/difference.ts"
import * as Fields from "./internal/fields.ts"
import * as FileTier from "./internal/fileTier.ts"

export const CopyPath = Tool.make("copy_path", {
  version: 1,
  description: "Copy a file or directory",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.WorkspaceRead, Capability.WorkspaceWrite],
  parameters: Schema.Struct({ from: Fields.path, to: Fields.path }),
  output: Schema.Struct({ from: Schema.String, to: Schema.String, files: Schema.Natural }),
  forModel: ({ files, from, to }) => `Copied ${from} to ${to}${files === 1 ? "" : ` (${files} files)`}`,
  classify: ({ from, to }) => Effect.zipWith(FileTier.classifyRead(from), FileTier.classifyWrite(to), FileTier.combine),
  preview: Effect.fnUntraced(function* ({ from, to }) {
    const workspace = yield* Capability.WorkspaceRead
    return {
      render: `copy ${from}\n  to ${to}\n`,
      preconditions: [
        Difference.fileDigest(from, yield* workspace.digest(from)),
        Difference.fileDigest(to, yield* workspace.digest(to))
      ]
    }
  }),
  // A copy of a directory cannot be recognised by its content.
  findExisting: Effect.fnUntraced(function* ({ from, to }) {
    const workspace = yield* Capability.WorkspaceRead
    const digest = yield* workspace.digest(to)
    const isDone = digest !== null && digest.startsWith("sha256:") && digest === (yield* workspace.digest(from))
    return isDone ? yield* result({ from, to, files: 1 }) : null
  }),
  execute: Effect.fnUntraced(function* ({ from, to }) {
    const workspace = yield* Capability.WorkspaceWrite
    const { files } = yield* workspace.copy(from, to)
    return yield* result({ from, to, files })
  })
})

/** Makes the result. The artifact of a single file has its digest, that of a directory only the file count. */
const result = Effect.fnUntraced(function* (output: {
  readonly from: string
  readonly to: string
  readonly files: number
}) {
  const workspace = yield* Capability.WorkspaceRead
  const { files, from, to } = output
  const { bytes, kind } = yield* workspace.info(to)
  const digest = kind === "file" ? yield* workspace.digest(to) : null
  return Tool.result({
    output: { from, to, files },
    display: `Copied ${from} to ${to}${files === 1 ? "" : ` (${files} files)`}`,
    artifacts:
      kind === "directory"
        ? [{ _tag: "DirectoryWritten", path: to, files }]
        : digest === null
          ? []
          : [{ _tag: "FileWritten", path: to, bytes, digest }]
  })
})

/**
 * `delete_path`: deletes a file, link or directory. Content that neither the last commit nor a snapshot has needs an
 * approval.
 */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Difference from "./internal/difference.ts"
import * as Fields from "./internal/fields.ts"

const maxNamedInReason = 5
const maxNamedInPreview = 500

export const DeletePath = Tool.make("delete_path", {
  version: 1,
  description: "Delete a file or directory",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.WorkspaceRead, Capability.RepositoryRead, Capability.WorkspaceWrite],
  parameters: Schema.Struct({ path: Fields.path }),
  output: Schema.Struct({ path: Schema.String, files: Schema.Natural }),
  forModel: ({ files, path }) => `Deleted ${path}${files > 1 ? ` (${files} files)` : ""}`,
  classify: Effect.fnUntraced(function* ({ path }) {
    const repository = yield* Capability.RepositoryRead
    const unsaved = yield* repository.unsaved(path, maxNamedInReason + 1)
    if (unsaved.length === 0) return { tier: "Workspace" }
    return {
      tier: "Elevated",
      reason: `cannot be restored: ${formatPaths(unsaved, maxNamedInReason)}`
    }
  }),
  preview: Effect.fnUntraced(function* ({ path }) {
    const workspace = yield* Capability.WorkspaceRead
    const repository = yield* Capability.RepositoryRead
    const { bytes, kind } = yield* workspace.info(path)
    const unsaved = yield* repository.unsaved(path, maxNamedInPreview + 1)
    const lost =
      unsaved.length === 0 ? "" : `cannot be restored:\n  ${formatPaths(unsaved, maxNamedInPreview, "\n  ")}\n`
    return {
      render: `delete the ${kind} ${path}${kind === "file" ? ` (${bytes} bytes)` : ""}\n${lost}`,
      preconditions: [Difference.fileDigest(path, yield* workspace.digest(path))]
    }
  }),
  findExisting: Effect.fnUntraced(function* ({ path }) {
    const workspace = yield* Capability.WorkspaceRead
    return (yield* workspace.digest(path)) === null ? result(path, 0) : null
  }),
  execute: Effect.fnUntraced(function* ({ path }) {
    const workspace = yield* Capability.WorkspaceWrite
    const { files } = yield* workspace.remove(path)
    return result(path, files)
  })
})

const formatPaths = (paths: ReadonlyArray<string>, max: number, separator = ", "): string =>
  paths.slice(0, max).join(separator) + (paths.length > max ? `${separator}and more` : "")

const result = (path: string, files: number) =>
  Tool.result({
    output: { path, files },
    display: `Deleted ${path}${files > 1 ? ` (${files} files)` : ""}`,
    artifacts: [{ _tag: "FileDeleted", path }]
  })

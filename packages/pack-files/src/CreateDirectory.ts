/** `create_directory`: creates a directory with its missing parents. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import * as FileTier from "./internal/fileTier.ts"

export const CreateDirectory = Tool.make("create_directory", {
  version: 1,
  description: "Create a directory and its parents",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.WorkspaceRead, Capability.WorkspaceWrite],
  parameters: Schema.Struct({ path: Fields.path }),
  output: Schema.Struct({ path: Schema.String, created: Schema.Boolean }),
  forModel: ({ created, path }) => (created ? `Created ${path}/` : `${path}/ was there already`),
  classify: ({ path }) => FileTier.classifyWrite(path),
  execute: Effect.fnUntraced(function* ({ path }) {
    const workspace = yield* Capability.WorkspaceWrite
    const { created } = yield* workspace.createDirectory(path)
    return Tool.result({
      output: { path, created },
      display: created ? `Created ${path}/` : `${path}/ was there already`,
      artifacts: created ? [{ _tag: "DirectoryWritten", path, files: 0 }] : []
    })
  })
})

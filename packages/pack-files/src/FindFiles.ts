/** `find_files`: files by glob. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fields from "./internal/fields.ts"
import { lines, pathText } from "./internal/lines.ts"

export const FindFiles = Tool.make("find_files", {
  version: 1,
  description: "Find files by glob; ignored files are left out",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.WorkspaceRead],
  parameters: Schema.Struct({
    glob: Schema.NonEmptyString.annotate({ description: "Such as src/**/*.{ts,tsx}; without / at any depth" }),
    path: Fields.directory,
    limit: Fields.limit(200, 2000)
  }),
  output: Schema.Struct({ paths: Schema.Array(Schema.String), truncated: Schema.Boolean }),
  forModel: ({ paths, truncated }) => lines(paths.map(pathText), { none: "no file matches", more: truncated }),
  execute: Effect.fnUntraced(function* ({ glob, limit, path }) {
    const workspace = yield* Capability.WorkspaceRead
    const { items, truncated } = yield* workspace.find(glob, path, limit)
    const count = items.length === 1 ? "1 file" : `${items.length} files`
    return Tool.result({
      output: { paths: items, truncated },
      display: `Found ${truncated ? "more than " : ""}${count} for ${glob}`
    })
  })
})

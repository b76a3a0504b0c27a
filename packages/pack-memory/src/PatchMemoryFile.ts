/** `patch_memory_file`: replaces one passage of a memory file, which must occur exactly once. */
import { ToolError } from "@bough/protocol"
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { formatWritten, Path, WriteResult } from "./internal/fileFields.ts"

export const PatchMemoryFile = Tool.make("patch_memory_file", {
  version: 1,
  description: "Replace one passage of a memory file, which must occur in it exactly once",
  tier: "Workspace",
  replay: "Unsafe",
  capabilities: [Capability.MemoryWrite],
  parameters: Schema.Struct({ path: Path, oldText: Schema.NonEmptyString, newText: Schema.String }),
  output: WriteResult,
  forModel: formatWritten,
  execute: Effect.fnUntraced(function* ({ newText, oldText, path }) {
    const memory = yield* Capability.MemoryWrite
    const { bytes } = yield* memory.editFile(path, (content) => {
      const [before, after, ...more] = content.split(oldText)
      return after !== undefined && more.length === 0
        ? Effect.succeed(before + newText + after)
        : Effect.fail(
            new ToolError.ValidationError({
              message:
                after === undefined
                  ? `${path} does not hold that text: read_memory_file shows it`
                  : `${path} holds that text ${more.length + 1} times: give more of what surrounds it`,
              field: "oldText",
              issues: []
            })
          )
    })
    return Tool.result({ output: { path, size: bytes }, display: `Changed the memory file ${path}` })
  })
})

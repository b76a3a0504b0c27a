/** `list_memory_files`: lists the Markdown files of the user's memory, with their summaries. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const ListMemoryFiles = Tool.make("list_memory_files", {
  version: 1,
  description: "List memory files with their summaries",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.MemoryRead],
  parameters: Schema.Struct({}),
  output: Schema.Struct({
    files: Schema.Array(Schema.Struct({ path: Schema.String, summary: Schema.String, size: Schema.Natural }))
  }),
  forModel: ({ files }) =>
    files.length === 0
      ? "[no memory files]"
      : files
          .map(({ path, size, summary }) => `${path} (${size} bytes)${summary === "" ? "" : `: ${summary}`}`)
          .join("\n"),
  execute: Effect.fnUntraced(function* () {
    const memory = yield* Capability.MemoryRead
    const files = (yield* memory.listFiles).map(({ bytes, path, summary }) => ({ path, summary, size: bytes }))
    return Tool.result({
      output: { files },
      display: files.length === 1 ? "1 memory file" : `${files.length} memory files`
    })
  })
})

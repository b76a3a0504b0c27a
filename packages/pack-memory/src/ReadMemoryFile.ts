/** `read_memory_file`: reads one whole Markdown file of the user's memory. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Path } from "./internal/fileFields.ts"

export const ReadMemoryFile = Tool.make("read_memory_file", {
  version: 1,
  description: "Read a memory file",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [Capability.MemoryRead],
  parameters: Schema.Struct({ path: Path }),
  output: Schema.Struct({ content: Schema.String }),
  forModel: ({ content }) => content,
  execute: Effect.fnUntraced(function* ({ path }) {
    const memory = yield* Capability.MemoryRead
    const content = yield* memory.readFile(path)
    return Tool.result({ output: { content }, display: `Read the memory file ${path}` })
  })
})

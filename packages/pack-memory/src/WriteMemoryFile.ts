/** `write_memory_file`: writes one whole Markdown file of the user's memory. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { formatWritten, Path, WriteResult } from "./internal/fileFields.ts"

export const WriteMemoryFile = Tool.make("write_memory_file", {
  version: 1,
  description: "Write or replace a memory file: Markdown, with a line `> Summary: …` about its contents",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.MemoryWrite],
  parameters: Schema.Struct({ path: Path, content: Schema.String }),
  output: WriteResult,
  forModel: formatWritten,
  execute: Effect.fnUntraced(function* ({ content, path }) {
    const memory = yield* Capability.MemoryWrite
    const { bytes } = yield* memory.writeFile(path, content)
    return Tool.result({ output: { path, size: bytes }, display: `Wrote the memory file ${path}` })
  })
})

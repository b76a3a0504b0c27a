/** `append_memory_file`: appends an entry to a memory file, and may replace the file's summary. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { formatWritten, Path, withSummary, WriteResult } from "./internal/fileFields.ts"

export const AppendMemoryFile = Tool.make("append_memory_file", {
  version: 1,
  description: "Add an entry at the end of a memory file, which is created if it is missing",
  tier: "Workspace",
  replay: "Unsafe",
  capabilities: [Capability.MemoryWrite],
  parameters: Schema.Struct({
    path: Path,
    entry: Schema.NonEmptyString,
    summary: Schema.optionalKey(Schema.NonEmptyString.annotate({ description: "Replaces the file's summary line" }))
  }),
  output: WriteResult,
  forModel: formatWritten,
  execute: Effect.fnUntraced(function* ({ entry, path, summary }) {
    const memory = yield* Capability.MemoryWrite
    const { bytes } = yield* memory.editFile(path, (content) => {
      const appended = `${content === "" ? "" : `${content.trimEnd()}\n\n`}${entry.trimEnd()}\n`
      return Effect.succeed(summary === undefined ? appended : withSummary(appended, summary))
    })
    return Tool.result({ output: { path, size: bytes }, display: `Added to the memory file ${path}` })
  })
})

/** A tool that does nothing, and counts how often. */
import { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export interface NoOpTool {
  readonly tool: Tool.Any
  readonly calls: () => number
}

/** `Unsafe` writes an intent before and waits for the disk after; `Safe` needs neither. */
export const make = (replay: "Safe" | "Unsafe"): NoOpTool => {
  let calls = 0
  const tool = Tool.make("do_nothing", {
    version: 1,
    description: "Do nothing",
    tier: replay === "Safe" ? "ReadOnly" : "Workspace",
    replay,
    capabilities: [],
    parameters: Schema.Struct({ number: Schema.Int }),
    output: Schema.Struct({ number: Schema.Int }),
    execute: ({ number }) =>
      Effect.sync(() => {
        calls++
        return Tool.result({ output: { number }, display: "Did nothing" })
      })
  })
  return { tool, calls: () => calls }
}

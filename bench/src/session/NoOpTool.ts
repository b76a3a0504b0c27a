/** A tool that only counts its calls. */
import { Tool } from "@bough/tool"
import { Inside } from "@bough/tool/testing/SampleCapability"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export interface NoOpTool {
  readonly tool: Tool.Any
  readonly calls: () => number
}

/**
 * Makes the tool. A call of an `Unsafe` tool writes an intent first and waits for the disk afterwards; a call of a
 * `Safe` tool does neither.
 */
export const make = (replay: "Safe" | "Unsafe"): NoOpTool => {
  let calls = 0
  const facts = {
    version: 1,
    description: "Do nothing",
    parameters: Schema.Struct({ number: Schema.Int }),
    output: Schema.Struct({ number: Schema.Int }),
    execute: ({ number }: { readonly number: number }) =>
      Effect.sync(() => {
        calls++
        return Tool.result({ output: { number }, display: "Did nothing" })
      })
  }
  const tool =
    replay === "Safe"
      ? Tool.make("do_nothing", { ...facts, tier: "ReadOnly", replay, capabilities: [] })
      : Tool.make("do_nothing", { ...facts, tier: "Workspace", replay, capabilities: [Inside] })
  return { tool, calls: () => calls }
}

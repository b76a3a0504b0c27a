/** `clear_scratchpad`: removes all items. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const ClearScratchpad = Tool.make("clear_scratchpad", {
  version: 1,
  description: "Empty this session's scratchpad",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.Scratchpad],
  parameters: Schema.Struct({}),
  output: Schema.Struct({ cleared: Schema.Boolean, message: Schema.String }),
  forModel: ({ message }) => message,
  execute: Effect.fnUntraced(function* () {
    const scratchpad = yield* Capability.Scratchpad
    const { items } = yield* scratchpad.read
    if (items.length > 0) yield* scratchpad.write([])
    const message = items.length === 0 ? "the scratchpad was empty" : "the scratchpad is empty"
    return Tool.result({ output: { cleared: items.length > 0, message }, display: message })
  })
})

/** `write_scratchpad`: replaces the list of this session's current work. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const maxItems = 32
const maxItemLength = 240

export const WriteScratchpad = Tool.make("write_scratchpad", {
  version: 1,
  description: "Replace this session's scratchpad; no other session sees it",
  tier: "Workspace",
  replay: "Idempotent",
  capabilities: [Capability.Scratchpad],
  parameters: Schema.Struct({
    items: Schema.Array(Schema.NonEmptyString.check(Schema.isMaxLength(maxItemLength))).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(maxItems)
    )
  }),
  output: Schema.Struct({ updated: Schema.Boolean, itemCount: Schema.Natural, message: Schema.String }),
  forModel: ({ message }) => message,
  execute: Effect.fnUntraced(function* ({ items }) {
    const scratchpad = yield* Capability.Scratchpad
    yield* scratchpad.write(items)
    const message = items.length === 1 ? "the scratchpad holds 1 item" : `the scratchpad holds ${items.length} items`
    return Tool.result({ output: { updated: true, itemCount: items.length, message }, display: message })
  })
})

/** `read_scratchpad`: reads the list of this session's current work. */
import { Capability, Invocation, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { instant } from "./internal/noteFields.ts"

export const ReadScratchpad = Tool.make("read_scratchpad", {
  version: 1,
  description: "Read this session's scratchpad",
  tier: "Workspace",
  replay: "Safe",
  capabilities: [Capability.Scratchpad],
  parameters: Schema.Struct({}),
  output: Schema.Struct({
    sessionId: Schema.String,
    items: Schema.Array(Schema.String),
    updatedAt: Schema.NullOr(Schema.String),
    itemCount: Schema.Natural
  }),
  forModel: ({ items, updatedAt }) =>
    items.length === 0
      ? "[the scratchpad is empty]"
      : [...items.map((item) => `- ${item}`), `[written ${updatedAt ?? "before times were kept"}]`].join("\n"),
  execute: Effect.fnUntraced(function* () {
    const scratchpad = yield* Capability.Scratchpad
    const { sessionId } = yield* Invocation.Invocation
    const { items, updatedAtMillis } = yield* scratchpad.read
    const updatedAt = updatedAtMillis === null ? null : instant(updatedAtMillis)
    return Tool.result({
      output: { sessionId, items, updatedAt, itemCount: items.length },
      display: items.length === 0 ? "The scratchpad is empty" : `The scratchpad has ${items.length} items`
    })
  })
})

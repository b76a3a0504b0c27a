/** `sleep`: waits for a given time. */
import { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const maxMillis = 600_000
/** The margin by which the wait ends before the call's time limit. */
const graceMillis = 5_000

export const Sleep = Tool.make("sleep", {
  version: 1,
  description: "Wait",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({ millis: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxMillis })) }),
  output: Schema.Struct({ sleptMillis: Schema.Natural }),
  forModel: ({ sleptMillis }) => `Waited ${sleptMillis} ms`,
  timeoutMillis: ({ millis }) => millis + graceMillis,
  execute: Effect.fnUntraced(function* ({ millis }) {
    yield* Effect.sleep(millis)
    return Tool.result({ output: { sleptMillis: millis }, display: `Waited ${millis} ms` })
  })
})

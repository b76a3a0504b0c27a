/** `update_plan`: the todo list that the user sees. It replaces the previous one; the journal records it. */
import { Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Plan, summary } from "./plan/Plan.ts"

export const UpdatePlan = Tool.make("update_plan", {
  version: 1,
  description: "Show the person your todo list, whole; at most one item active",
  tier: "ReadOnly",
  replay: "Safe",
  role: "Plan",
  capabilities: [],
  parameters: Plan,
  output: Schema.Struct({ done: Schema.Natural, total: Schema.Natural }),
  forModel: ({ done, total }) => `${done} of ${total} items done`,
  execute: (plan) => {
    const done = plan.items.filter(({ status }) => status === "done").length
    return Effect.succeed(Tool.result({ output: { done, total: plan.items.length }, display: summary(plan) }))
  }
})

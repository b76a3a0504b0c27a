/** `deploy`: runs the project's own script for one environment. Production is for a person to decide. */
import { ToolError } from "@bough/protocol"
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const Deploy = Tool.make("deploy", {
  version: 1,
  description: "Deploy the site",
  tier: "System",
  replay: "Unsafe",
  capabilities: [Capability.Execution],
  parameters: Schema.Struct({ environment: Schema.Literals(["staging", "production"]) }),
  output: Schema.Struct({ log: Schema.String }),
  classify: ({ environment }) =>
    Effect.succeed(environment === "production" ? { tier: "Elevated", reason: "users see it" } : { tier: "System" }),
  execute: Effect.fnUntraced(function* ({ environment }) {
    const execution = yield* Capability.Execution
    const run = yield* execution.run({ argv: ["sh", "deploy.sh", environment] })
    if (run.exitCode !== 0) return yield* new ToolError.ExecutionError({ message: run.stderr })
    return Tool.result({ output: { log: run.stdout }, display: `Deployed to ${environment}` })
  })
})

/** The same tool without Effect: capabilities arrive by name, as functions that return promises. */
import { Capability, Tool } from "@bough/tool"
import * as Schema from "effect/Schema"

export const DeployAsync = Tool.fromAsync("deploy", {
  version: 1,
  description: "Deploy the site",
  tier: "System",
  replay: "Unsafe",
  capabilities: [Capability.Execution],
  parameters: Schema.Struct({ environment: Schema.Literals(["staging", "production"]) }),
  output: Schema.Struct({ log: Schema.String }),
  execute: async ({ environment }, { Execution }) => {
    const run = await Execution.run({ argv: ["sh", "deploy.sh", environment] })
    if (run.exitCode !== 0) throw new Error(run.stderr)
    return Tool.result({ output: { log: run.stdout }, display: `Deployed to ${environment}` })
  }
})

/** A custom command with a tool of its own. */
import { main } from "@bough/cli"
import { SessionKind, Tool, ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const greet = Tool.make("greet", {
  version: 1,
  description: "Greet somebody",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({ name: Schema.String }),
  output: Schema.Struct({ text: Schema.String }),
  execute: ({ name }) => Effect.succeed(Tool.result({ output: { text: `Hello, ${name}` }, display: "Greeted" }))
})
const pack = ToolPack.make(greet)

main(
  { main: SessionKind.Main.tools(pack), worker: SessionKind.Worker.tools(pack) },
  { name: "greeter", version: "3.2.1" }
)

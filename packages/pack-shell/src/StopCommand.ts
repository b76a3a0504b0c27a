/** `stop_command`: ends a background command with all processes that it started. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CommandState from "./CommandState.ts"
import * as NetworkUse from "./NetworkUse.ts"

export const StopCommand = Tool.make("stop_command", {
  version: 1,
  description: "Stop a started command and all that it started; returns the end of its output",
  tier: "System",
  replay: "Unsafe",
  capabilities: [Capability.Execution],
  parameters: Schema.Struct({ commandId: Schema.NonEmptyString }),
  output: CommandState.output,
  forModel: CommandState.format,
  execute: Effect.fnUntraced(function* ({ commandId }) {
    const background = yield* CommandState.background
    const read = yield* background.stop(commandId)
    const output = CommandState.toOutput(read)
    return Tool.result({
      output,
      display: CommandState.sentence(output),
      artifacts: NetworkUse.artifacts(read.requests ?? [])
    })
  })
})

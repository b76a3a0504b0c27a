/** `read_command_output`: returns the new output of a started command, and waits for it if needed. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CommandState from "./CommandState.ts"
import * as NetworkUse from "./NetworkUse.ts"

const maxWaitMillis = 600_000
const graceMillis = 5000

export const ReadCommandOutput = Tool.make("read_command_output", {
  version: 1,
  description: "Read output of a started command from an offset on, waiting for more or its end",
  tier: "System",
  replay: "Safe",
  capabilities: [Capability.Execution],
  parameters: Schema.Struct({
    commandId: Schema.NonEmptyString,
    fromOffset: Schema.Natural.annotate({ default: 0 }).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(0))),
    waitMillis: Schema.Int.annotate({ default: 0 })
      .check(Schema.isBetween({ minimum: 0, maximum: maxWaitMillis }))
      .pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(0)))
  }),
  output: CommandState.output,
  forModel: CommandState.format,
  timeoutMillis: ({ waitMillis }) => waitMillis + graceMillis,
  execute: Effect.fnUntraced(function* ({ commandId, fromOffset, waitMillis }) {
    const background = yield* CommandState.background
    const read = yield* background.read(commandId, { fromOffset, waitMillis })
    const output = CommandState.toOutput(read)
    return Tool.result({
      output,
      display: CommandState.sentence(output),
      artifacts: NetworkUse.artifacts(read.requests ?? [])
    })
  })
})

/** `write_command_input`: writes text to the standard input of a background command. */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CommandState from "./CommandState.ts"
import * as NetworkUse from "./NetworkUse.ts"

const defaultWaitMillis = 1000

export const WriteCommandInput = Tool.make("write_command_input", {
  version: 1,
  description: "Write to the standard input of a started command and return its output after that",
  tier: "System",
  replay: "Unsafe",
  capabilities: [Capability.Execution],
  parameters: Schema.Struct({
    commandId: Schema.NonEmptyString,
    text: Schema.String.annotate({ description: "Sent unchanged; a line must end with a newline" }),
    end: Schema.Boolean.annotate({ description: "Close the input", default: false }).pipe(
      Schema.withDecodingDefaultTypeKey(Effect.succeed(false))
    ),
    waitMillis: Schema.Int.annotate({ default: defaultWaitMillis })
      .check(Schema.isBetween({ minimum: 0, maximum: 60_000 }))
      .pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(defaultWaitMillis)))
  }),
  output: CommandState.output,
  forModel: CommandState.format,
  execute: Effect.fnUntraced(function* ({ commandId, end, text, waitMillis }) {
    const background = yield* CommandState.background
    const { nextOffset } = yield* background.read(commandId, { fromOffset: 0, waitMillis: 0 })
    yield* background.write(commandId, text, end)
    const read = yield* background.read(commandId, { fromOffset: nextOffset, waitMillis })
    const output = CommandState.toOutput(read)
    return Tool.result({
      output,
      display: CommandState.sentence(output),
      artifacts: NetworkUse.artifacts(read.requests ?? [])
    })
  })
})

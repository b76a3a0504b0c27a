/**
 * `start_command`: starts a command that keeps running, such as a development server, a watcher or an interactive program.
 */
import { Capability, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CommandFields from "./CommandFields.ts"
import * as CommandState from "./CommandState.ts"
import * as NetworkUse from "./NetworkUse.ts"

const defaultWaitMillis = 1000

export const StartCommand = Tool.make("start_command", {
  version: 1,
  description:
    "Start a background command (server, watcher, interactive program) and return its id and first output; it ends with the session. Commands and the user reach its ports",
  tier: "System",
  replay: "Unsafe",
  capabilities: [Capability.Execution],
  parameters: Schema.Struct({
    ...CommandFields.fields,
    waitMillis: Schema.Int.annotate({ description: "For first output", default: defaultWaitMillis })
      .check(Schema.isBetween({ minimum: 0, maximum: 60_000 }))
      .pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(defaultWaitMillis)))
  }).check(CommandFields.oneOfBoth),
  output: CommandState.output,
  forModel: CommandState.format,
  commands: CommandFields.commandsOf,
  incidental: ["waitMillis"],
  classify: (parameters) => {
    const vault = CommandFields.vaultRaise(parameters)
    return Effect.succeed(
      vault === null ? { tier: "System" } : { tier: "Elevated", reason: vault.reason, grants: [vault.grant] }
    )
  },
  preview: (parameters) =>
    Effect.map(CommandFields.render(parameters, null), (render) => ({
      render: `${render}\nIt runs after the call until it ends or is stopped, or until the session ends.`,
      preconditions: []
    })),
  execute: Effect.fnUntraced(function* (parameters) {
    const invoke = yield* CommandFields.checkArguments(parameters)
    const background = yield* CommandState.background
    const { cwd, waitMillis } = parameters
    const { commandId } = yield* background.start(invoke, { cwd, ...CommandFields.vaultOption(parameters) })
    const read = yield* background.read(commandId, { fromOffset: 0, waitMillis })
    const output = CommandState.toOutput(read)
    return Tool.result({
      output,
      display: `$ ${CommandFields.formatForDisplay(parameters)} · ${CommandState.startSentence(output)}`,
      artifacts: [
        {
          _tag: "CommandExecuted",
          command: CommandFields.formatCommand(parameters),
          exitCode: output.exitCode ?? null,
          ...(output.running ? { commandId } : {})
        },
        ...NetworkUse.artifacts(read.requests ?? [])
      ]
    })
  })
})

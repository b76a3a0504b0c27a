/** A command that goes on, as the tools about it tell of it. */
import { ToolError } from "@bough/protocol"
import { Capability, type Execution } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const output = Schema.Struct({
  commandId: Schema.String,
  text: Schema.String,
  fromOffset: Schema.Natural,
  /** Where to read on. */
  nextOffset: Schema.Natural,
  running: Schema.Boolean,
  exitCode: Schema.optionalKey(Schema.Int),
  signal: Schema.optionalKey(Schema.String),
  reason: Schema.optionalKey(Schema.String)
})
export type Output = typeof output.Type

export const toOutput = ({ ended, ...rest }: Execution.CommandOutput): Output => ({
  ...rest,
  running: ended === null,
  ...(ended?.exitCode === undefined || ended.exitCode === null ? {} : { exitCode: ended.exitCode }),
  ...(ended?.signal === undefined || ended.signal === null ? {} : { signal: ended.signal }),
  ...(ended?.reason === undefined || ended.reason === null ? {} : { reason: ended.reason })
})

/** As a terminal shows it, then whether it goes on. */
export const format = (output: Output): string => {
  const text = output.text.replace(/\n+$/u, "")
  const ending = `[${output.commandId} ${stateOf(output)}]`
  return text === "" ? ending : `${text}\n${ending}`
}

const stateOf = ({ exitCode, nextOffset, reason, running, signal }: Output): string => {
  if (running) return `running; read on with fromOffset ${nextOffset}`
  if (reason !== undefined) return `ended: ${reason}`
  return signal === undefined ? `exit ${exitCode ?? "unknown"}` : `ended by ${signal}`
}

/** For people. */
export const sentence = (output: Output): string => `${output.commandId} ${output.running ? "runs" : stateOf(output)}`

/** Fails where commands end with their call: on the host, and in programs that did not ask for more. */
export const background: Effect.Effect<Execution.Background, ToolError.ExecutionError, Execution.Execution> =
  Effect.flatMap(Capability.Execution, (execution) =>
    execution.background === undefined
      ? Effect.fail(
          new ToolError.ExecutionError({
            message: "commands that go on need the sandbox",
            hint: "run_command waits for the end of a command"
          })
        )
      : Effect.succeed(execution.background)
  )

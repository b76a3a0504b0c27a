/** The state of a running command, as described by the tools for commands. */
import { ToolError } from "@bough/protocol"
import { Capability, type Execution } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as NetworkUse from "./NetworkUse.ts"

export const output = Schema.Struct({
  commandId: Schema.String,
  text: Schema.String,
  fromOffset: Schema.Natural,
  /** The offset from which to continue reading. */
  nextOffset: Schema.Natural,
  running: Schema.Boolean,
  /** Each port that it listens on, with the port of this machine's loopback that leads to it. */
  ports: Schema.optionalKey(Schema.Array(Schema.Struct({ port: Schema.Natural, outsidePort: Schema.Natural }))),
  /** Explanations of the sandbox for requests that it refused. */
  remarks: Schema.optionalKey(Schema.Array(Schema.String)),
  exitCode: Schema.optionalKey(Schema.Int),
  signal: Schema.optionalKey(Schema.String),
  reason: Schema.optionalKey(Schema.String)
})
export type Output = typeof output.Type

export const toOutput = ({ ended, requests = [], ...rest }: Execution.CommandOutput): Output => ({
  ...rest,
  running: ended === null,
  ...remarksOf(requests),
  ...(ended?.exitCode === undefined || ended.exitCode === null ? {} : { exitCode: ended.exitCode }),
  ...(ended?.signal === undefined || ended.signal === null ? {} : { signal: ended.signal }),
  ...(ended?.reason === undefined || ended.reason === null ? {} : { reason: ended.reason })
})

const remarksOf = (requests: ReadonlyArray<Execution.CommandRequest>): Pick<Output, "remarks"> => {
  const remarks = NetworkUse.remarks(requests)
  return remarks.length === 0 ? {} : { remarks }
}

/** Formats the output as a terminal would show it, then states whether the command is still running. */
export const format = (output: Output): string => {
  const text = output.text.replace(/(?<!\n)\n+$/u, "")
  const lines = [
    ...(output.remarks ?? []),
    ...(output.ports ?? []).map(place),
    `${output.commandId} ${stateOf(output)}`
  ]
  const ending = lines.map((line) => `[${line}]`).join("\n")
  return text === "" ? ending : `${text}\n${ending}`
}

/** Formats the address at which commands and the user reach the port. */
const place = ({ outsidePort, port }: { readonly port: number; readonly outsidePort: number }): string =>
  port === outsidePort
    ? `port ${port}: commands and the user reach it at 127.0.0.1:${port}`
    : `port ${port}: commands reach it at 127.0.0.1:${port}, the user at 127.0.0.1:${outsidePort}`

const stateOf = ({ exitCode, nextOffset, reason, running, signal }: Output): string => {
  if (running) return `running; continue with fromOffset ${nextOffset}`
  if (reason !== undefined) return `ended: ${reason}`
  return signal === undefined ? `exit ${exitCode ?? "unknown"}` : `ended by ${signal}`
}

/** Describes the state in a sentence for users. */
export const sentence = (output: Output): string =>
  `${output.commandId} ${output.running ? `runs${portsText(output)}` : stateOf(output)}`

/** Describes the state behind the command itself. */
export const startSentence = (output: Output): string =>
  output.running ? `runs as ${output.commandId}${portsText(output)}` : stateOf(output)

const portsText = ({ ports = [] }: Output): string =>
  ports.map(({ outsidePort }) => ` · http://127.0.0.1:${outsidePort}`).join("")

/**
 * Returns the capability; fails if commands end with their call: on the host, and in programs without background
 * commands.
 */
export const background: Effect.Effect<Execution.Background, ToolError.ExecutionError, Execution.Execution> =
  Effect.flatMap(Capability.Execution, (execution) =>
    execution.background === undefined
      ? Effect.fail(
          new ToolError.ExecutionError({
            message: "commands that run in the background need the sandbox",
            hint: "run_command waits for the end of a command"
          })
        )
      : Effect.succeed(execution.background)
  )

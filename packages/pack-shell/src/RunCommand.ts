/** `run_command`: runs one command through a shell or as an argument vector. */
import { Capability, type Execution, Invocation, Progress, Tool } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CommandFields from "./CommandFields.ts"
import { escapeText } from "./CommandText.ts"
import * as Escalation from "./Escalation.ts"
import * as LastLine from "./LastLine.ts"
import * as NetworkUse from "./NetworkUse.ts"
import * as OutputSoFar from "./OutputSoFar.ts"
import * as Printed from "./Printed.ts"

const defaultTimeoutMillis = 120_000
const maxTimeoutMillis = 3_600_000
/**
 * The margin beyond the command's own timeout. That timeout must end first, because its error contains the command's
 * running time.
 */
const graceMillis = 5_000

const Parameters = Schema.Struct({
  ...CommandFields.fields,
  timeoutMillis: Schema.Int.annotate({ default: defaultTimeoutMillis })
    .check(Schema.isBetween({ minimum: 1, maximum: maxTimeoutMillis }))
    .pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(defaultTimeoutMillis))),
  leaveRunning: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "When its time is up, instead of ending it" })
  ),
  escalate: Schema.optionalKey(
    Schema.Struct({ to: Escalation.Target, reason: Schema.NonEmptyString.check(CommandFields.readable) }).annotate({
      description: "More than the sandbox gives; the user is asked"
    })
  )
}).check(CommandFields.oneOfBoth)
type Parameters = typeof Parameters.Type

export const RunCommand = Tool.make("run_command", {
  version: 2,
  description: "Run a command in the workspace and wait for its end",
  tier: "System",
  replay: "Unsafe",
  role: "Command",
  capabilities: [Capability.Execution],
  parameters: Parameters,
  output: Schema.Struct({
    exitCode: Schema.NullOr(Schema.Int),
    signal: Schema.optionalKey(Schema.String),
    stdout: Schema.String,
    stderr: Schema.String,
    omittedBytes: Schema.optionalKey(Schema.Natural),
    /** The id under which the command continues in the background; absent: it has ended. */
    commandId: Schema.optionalKey(Schema.String),
    nextOffset: Schema.optionalKey(Schema.Natural),
    /** Remarks of the sandbox about the command, in addition to its own output. */
    remarks: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  forModel: Printed.format,
  commands: CommandFields.commandsOf,
  incidental: ["escalate.reason", "leaveRunning", "timeoutMillis"],
  classify: (parameters) => Effect.succeed(classify(parameters)),
  timeoutMillis: ({ timeoutMillis }) => timeoutMillis + graceMillis,
  preview: Effect.fnUntraced(function* (parameters) {
    const { escalate } = parameters
    const render = yield* CommandFields.render(parameters, escalate?.to === "host" ? "this machine" : null)
    const gains =
      escalate === undefined
        ? ""
        : `\nIt may ${Escalation.gainOf(escalate.to, CommandFields.formatCommand(parameters))}.\nThe model says why: ${escapeText(escalate.reason)}`
    return { render: `${render}${gains}`, preconditions: [] }
  }),
  execute: Effect.fnUntraced(function* (parameters) {
    const invoke = yield* CommandFields.checkArguments(parameters)
    const execution = yield* Capability.Execution
    const { keep, report } = yield* Progress.Progress
    const follow = LastLine.make(report)
    const { cwd, leaveRunning = false, timeoutMillis } = parameters
    const soFar = OutputSoFar.make()
    if (keep !== undefined) yield* keep(soFar.text)
    const onOutput = (_stream: "stdout" | "stderr", text: string) => {
      soFar.add(text)
      return follow(text)
    }
    const atTimeLimit = leaveRunning ? "leave" : "kill"
    const ran = yield* execution.run(invoke, {
      cwd,
      timeoutMillis,
      atTimeLimit,
      onOutput,
      merged: true,
      ...CommandFields.vaultOption(parameters)
    })
    const { continuesAs, exitCode, omittedBytes, requests = [], signal, stderr, stdout } = ran
    const { config, grants } = yield* Invocation.Invocation
    const isConfined = confining.has(config["execution"])
    const granted = parameters.escalate !== undefined && grants.length > 0 ? parameters.escalate.to : null
    const hint =
      isConfined && continuesAs === undefined
        ? Escalation.hint({ ...ran, granted, hasProxy: ran.requests !== undefined })
        : null
    const remarks = [...NetworkUse.remarks(requests), ...(hint === null ? [] : [hint])]
    const output = {
      exitCode,
      ...(signal === null ? {} : { signal }),
      ...continuesAs,
      stdout,
      stderr,
      ...(omittedBytes === 0 ? {} : { omittedBytes }),
      ...(remarks.length === 0 ? {} : { remarks })
    }
    Printed.remember(output, { elapsedMillis: ran.elapsedMillis })
    return Tool.result({
      output,
      display: sentence(parameters, ran),
      artifacts: [
        {
          _tag: "CommandExecuted",
          command: CommandFields.formatCommand(parameters),
          exitCode,
          ...commandOf(continuesAs)
        },
        ...NetworkUse.artifacts(requests)
      ]
    })
  })
})

const classify = ({ escalate, ...command }: Parameters): Tool.Classification => {
  const vault = CommandFields.vaultRaise(command)
  if (escalate === undefined) {
    return vault === null ? { tier: "System" } : { tier: "Elevated", reason: vault.reason, grants: [vault.grant] }
  }
  const wanted = `the command asks to ${Escalation.purposes[escalate.to]}`
  return {
    tier: "Elevated",
    reason: vault === null ? wanted : `${wanted}; ${vault.reason}`,
    grants: [
      Escalation.grantOf(escalate.to, CommandFields.formatCommand(command)),
      ...(vault === null ? [] : [vault.grant])
    ]
  }
}

const confining: ReadonlySet<unknown> = new Set(["bubblewrap", "session", "seatbelt"])

const commandOf = (continuesAs: Execution.RunResult["continuesAs"]): { readonly commandId?: string } =>
  continuesAs === undefined ? {} : { commandId: continuesAs.commandId }

const sentence = (
  parameters: Parameters,
  { continuesAs, elapsedMillis, exitCode, signal }: Execution.RunResult
): string => {
  const command = CommandFields.formatForDisplay(parameters)
  const seconds = `${(elapsedMillis / 1000).toFixed(1)} s`
  if (continuesAs !== undefined) return `$ ${command} · left running as ${continuesAs.commandId} · ${seconds}`
  return exitCode === null
    ? `$ ${command} · ended by ${signal} · ${seconds}`
    : `$ ${command} · exit ${exitCode} · ${seconds}`
}

/** `call`: runs one tool through the session's dispatcher, and prints its envelope on stdout in every case. */
import { type Call, Envelope } from "@bough/dispatch"
import * as SettingsFile from "@bough/host/config/Settings"
import type { Settings } from "@bough/host/config/Settings"
import * as OpenSession from "@bough/host/session/OpenSession"
import { Envelope as EnvelopeData } from "@bough/protocol"
import { BlobStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { exitCode, exitSilently, CliFailure } from "../CliFailure.ts"
import { command as declare, type CommandOptions } from "../command-line/CommandSpec.ts"
import * as CallFlags from "../command-line/flags/CallFlags.ts"
import type { Common } from "../command-line/flags/CommonFlags.ts"
import * as SessionFlags from "../command-line/flags/SessionFlags.ts"
import { toCliFailure } from "../Failures.ts"
import * as ReadInput from "../io/ReadInput.ts"
import type { Program } from "../Program.ts"
import * as RunView from "../session/RunView.ts"
import * as TerminalChannel from "../session/TerminalChannel.ts"

const parameters = { ...CallFlags.call, session: SessionFlags.session }

type CallOptions = CommandOptions<typeof parameters>

const call = Effect.fnUntraced(function* (program: Program, common: Common, options: CallOptions) {
  const { addDir, allow, approve } = options
  const overrides = { ...SettingsFile.noOverrides, addDir, allow, approve, cwd: common.cwd }
  const settings = yield* SettingsFile.load(program.environment, overrides, null)
  const text = options.arguments === "-" ? yield* ReadInput.all(program.stdin(), "the arguments") : options.arguments
  yield* inSession(program, settings, { ...options, arguments: text }).pipe(
    Effect.scoped,
    Effect.provide(program.adapters.store(settings.dataDirectory)),
    Effect.mapError(toCliFailure)
  )
})

const inSession = Effect.fnUntraced(function* (program: Program, settings: Settings, options: CallOptions) {
  // Discards events: stdout contains only the envelope.
  const view = RunView.make("text", program.output)
  const channel = yield* TerminalChannel.terminal(program, settings, view)
  const session = yield* OpenSession.open(program, settings, {
    which: { session: options.session, continue: false },
    kind: options.kind,
    isLeaving: program.signals.isLeaving,
    // Only a user makes this call, so the model is never called.
    model: yield* program.adapters.model({ ...settings, model: { ...settings.model, name: "offline/planner" } }).pipe(
      Effect.map(({ model }) => model),
      Effect.mapError(toCliFailure)
    ),
    channel: {
      ...channel,
      publish: (event) => (event._tag === "ToolProgressed" ? channel.publish(event) : Effect.void)
    }
  })
  const called = yield* session.call(options.tool, options.arguments)
  const envelope = Envelope.toEnvelope(called.toolCallId, called, yield* wholeOutput(called))
  if (called._tag === "Parked") {
    program.output.json(encode({ ...envelope, reason: notRunText(called) }), 2)
    return yield* notRun(program, called)
  }
  program.output.json(encode(envelope), 2)
  if (envelope.status !== "success") return yield* exitSilently(exitCode.failed)
})

/** The error of a call whose approval was withdrawn, because its caller ends with this process. */
const notRunText = ({ request: { tool } }: Call.PendingCall): string => `${tool} needs an approval and was not run`

const notRun = ({ name }: Program, parked: Call.PendingCall): CliFailure =>
  new CliFailure({
    code: exitCode.needsApproval,
    message: notRunText(parked),
    hint: `run it in a terminal, which asks for approval, or add --allow RULE; "${name} policy test" suggests a rule`,
    details: ""
  })

/** Returns the whole output if it was truncated for the model; undefined: it was not. */
const wholeOutput = Effect.fnUntraced(function* (called: Call.DispatchResult) {
  if (called._tag === "Parked" || called.outcome._tag !== "Succeeded" || called.outcome.outputBlob === null) return
  const bytes = yield* (yield* BlobStore.BlobStore).get(called.outcome.outputBlob)
  return bytes === null ? undefined : new TextDecoder().decode(bytes)
})

const encode = Schema.encodeUnknownSync(EnvelopeData.Envelope)

export const command = declare({ parameters, run: call })

/** The async functions of an opened pack. Each passes its call to the dispatcher and returns an envelope. */
import { type Call, type DispatchContext, Dispatcher, Envelope, type Gate, DryRun, type Ledger } from "@bough/dispatch"
import { type Approval, Entry, type Envelope as Wire, Session, ToolError } from "@bough/protocol"
import { type Tool, ToolSchema } from "@bough/tool"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { randomUUID } from "node:crypto"
import * as Arguments from "./Arguments.ts"
import type { CallOptions, EnvelopeOf, Judgement } from "./OpenedPack.ts"
import type { Approve } from "./Options.ts"
import * as ShownApproval from "./ShownApproval.ts"
import type { SpillStore } from "./SpillStore.ts"

export interface Program {
  readonly caller: DispatchContext.DispatchContext
  readonly ports: (approve: Approve | undefined) => Context.Context<Gate.Gate | Ledger.Ledger>
  /** Runs an effect. The promise is rejected if the program is closed, or the signal aborts, before the effect ends. */
  readonly run: <A, E>(effect: Effect.Effect<A, E>, options: Pick<CallOptions, "signal">) => Promise<A>
  readonly spilled: SpillStore
}

type AnyCall = (input?: unknown, options?: CallOptions) => Promise<EnvelopeOf<unknown>>

export interface AnyCalls {
  readonly call: (name: string, input?: unknown, options?: CallOptions) => Promise<EnvelopeOf<unknown>>
  readonly judge: (name: string, input?: unknown, options?: CallOptions) => Promise<Judgement>
  readonly byTool: Readonly<Record<string, AnyCall>>
}

/** Returns one function for each tool, and the two functions to which the tool's name is passed. */
export const callsOf = (program: Program): AnyCalls => {
  const callTool: AnyCalls["call"] = (name, input = {}, options = {}) =>
    program.run(call(program, { name, input }, options), options)
  return {
    call: callTool,
    judge: (name, input = {}, options = {}) => program.run(judge(program, { name, input }, options), options),
    byTool: Object.fromEntries(
      Array.from(program.caller.registry.keys(), (name): readonly [string, AnyCall] => [
        name,
        (input, options) => callTool(name, input, options)
      ])
    )
  }
}

interface RequestedTool {
  readonly name: string
  readonly input: unknown
}

const call = Effect.fnUntraced(function* (program: Program, { input, name }: RequestedTool, options: CallOptions) {
  const toolCallId = Session.ToolCallId.make(randomUUID())
  const tool = program.caller.registry.get(name)
  const text = Arguments.textOf(tool, input)
  if (Result.isFailure(text)) return refused(toolCallId, text.failure)
  const dispatched = yield* Effect.provideContext(
    Dispatcher.dispatch(askedOf(toolCallId, name, text.success), callerOf(program, options)),
    program.ports(options.approve)
  )
  const envelope = withText(
    Envelope.toEnvelope(toolCallId, dispatched, fullOutput(dispatched, program.spilled)),
    dispatched
  )
  return tool === undefined ? envelope : typed(tool, envelope)
})

const judge = Effect.fnUntraced(function* (program: Program, { input, name }: RequestedTool, options: CallOptions) {
  const text = Arguments.textOf(program.caller.registry.get(name), input)
  if (Result.isFailure(text)) return denied({ _tag: "Failed", error: ToolError.toData(text.failure), schema: null })
  const toolCallId = Session.ToolCallId.make(randomUUID())
  const caller = callerOf(program, options)
  const judged = yield* DryRun.judge(askedOf(toolCallId, name, text.success), caller)
  if (judged._tag === "Stopped") return denied(judged.outcome)
  const { decision } = judged
  const { tier } = judged.call
  if (decision._tag === "Allow") return { decision: "allow", tier } satisfies Judgement
  if (decision._tag === "Deny") return { decision: "deny", reason: decision.reason } satisfies Judgement
  return yield* Effect.match(DryRun.preview(judged.call, caller), {
    onFailure: (error): Judgement => denied({ _tag: "Failed", error: ToolError.toData(error), schema: null }),
    onSuccess: (preview): Judgement => ({
      decision: "ask",
      tier,
      reason: decision.reason,
      preview: preview.render,
      digest: digestOf(judged.call, preview)
    })
  })
})

const digestOf = ({ argumentsDigest, newHost, tier, tool }: Call.AssessedCall, preview: Approval.Preview): string =>
  ShownApproval.digestOf({
    tool: tool.name,
    version: tool.version,
    tier,
    argumentsDigest,
    preview,
    ...(newHost === null ? {} : { opensHost: newHost.host })
  })

const denied = (outcome: Entry.Outcome): Judgement =>
  outcome._tag === "Failed" || outcome._tag === "Rejected"
    ? { decision: "deny", reason: ToolError.describe(outcome.error), error: outcome.error }
    : { decision: "deny", reason: "it cannot be run" }

const askedOf = (toolCallId: Session.ToolCallId, name: string, text: string): Call.RequestedCall => ({
  toolCallId,
  name,
  arguments: text,
  labels: [],
  prior: null
})

const callerOf = ({ caller }: Program, { onProgress, user }: CallOptions): DispatchContext.DispatchContext => ({
  ...caller,
  ...(user === undefined ? {} : { invocation: { ...caller.invocation, user } }),
  ...(onProgress === undefined
    ? {}
    : {
        observe: (event) => {
          if (event._tag !== "ToolProgressed") return Effect.void
          // An error in the program's callback does not affect the call.
          return Effect.ignore(Effect.try(() => onProgress(event.message, event.percent)))
        }
      })
})

const refused = (toolCallId: Session.ToolCallId, error: ToolError.ValidationError): EnvelopeOf<unknown> => ({
  status: "error",
  toolCallId,
  error: ToolError.toData(error),
  executionTimeMillis: 0
})

/** Adds the text of the output for a model. */
const withText = (envelope: Wire.Envelope, dispatched: Call.DispatchResult): EnvelopeOf<unknown> => {
  if (envelope.status !== "success") return envelope
  const isOfOutput = dispatched._tag === "Ended" && dispatched.outcome._tag === "Succeeded"
  const text = isOfOutput ? Entry.modelText(dispatched.outcome) : ""
  return { ...envelope, result: { ...envelope.result, text } }
}

/** Returns the full output, before it was truncated for a model. */
const fullOutput = (dispatched: Call.DispatchResult, spilled: SpillStore): string | undefined => {
  if (dispatched._tag === "Parked" || dispatched.outcome._tag !== "Succeeded") return undefined
  const { outputBlob } = dispatched.outcome
  const bytes = outputBlob === null ? undefined : spilled.get(outputBlob)
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes)
}

type Decode = (value: unknown) => Result.Result<unknown, unknown>

const decoders = new WeakMap<Tool.Any, Decode>()

const decoderOf = (tool: Tool.Any): Decode => {
  const known = decoders.get(tool)
  if (known !== undefined) return known
  const json = Schema.toCodecJson(tool.output as Schema.Codec<unknown, unknown>)
  const fields = ToolSchema.ownFields(tool.output)
  const decode = SchemaParser.decodeUnknownResult(json)
  const decodeOwn: Decode = (value) => Result.map(decode(fields(value)), fields)
  decoders.set(tool, decodeOwn)
  return decodeOwn
}

/** Returns the envelope with values of the schema's types, such as a Date instead of its text. */
const typed = (tool: Tool.Any, envelope: EnvelopeOf<unknown>): EnvelopeOf<unknown> => {
  if (envelope.status !== "success") return envelope
  const { output } = envelope.result
  const decoded = Result.flatMap(
    Result.try(() => decoderOf(tool)(output)),
    (result) => result
  )
  if (Result.isSuccess(decoded)) return { ...envelope, result: { ...envelope.result, output: decoded.success } }
  const { executionTimeMillis, toolCallId } = envelope
  const message = `${tool.name} ran, and its output does not fit its schema any more: a secret in it was replaced`
  return { status: "error", toolCallId, error: { _tag: "ExecutionError", message }, executionTimeMillis }
}

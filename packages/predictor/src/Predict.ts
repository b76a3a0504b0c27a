/**
 * Runs a predictor: the model calls tools and returns its output, which is validated. After an invalid output, the
 * reason is sent to the model. The third invalid output fails the prediction.
 */
import { type Entry, type Message, type Session, Usage } from "@bough/protocol"
import { Model, Prompt } from "@bough/runtime"
import type { ModelTools } from "@bough/sdk/ModelTools"
import type { ToolPack } from "@bough/tool"
import type * as ForeignSchema from "@bough/tool/ForeignSchema"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as GivenText from "./GivenText.ts"
import * as Limits from "./Limits.ts"
import * as ModelReply from "./ModelReply.ts"
import { type PredictionFailure, PredictionError } from "./PredictionError.ts"
import * as PredictionPrompt from "./PredictionPrompt.ts"
import type { Any, AnySchema, Predictor } from "./Predictor.ts"
import * as Signature from "./Signature.ts"
import type { TracedCall, TraceStep } from "./Trace.ts"

export interface Prediction<Output> {
  readonly output: Output
  /** The output as canonical JSON. */
  readonly json: string
  readonly usage: Usage.Usage
  readonly trace: ReadonlyArray<TraceStep>
}

export interface RunOptions {
  /** The opened pack of the predictor; absent: the model has no tools. */
  readonly tools?: ModelTools
  /** Lower limits for this run. */
  readonly limits?: Limits.Limits
}

/** The number of invalid outputs after which the prediction fails. */
const maxFaults = 3

/** Asks the model for the output of an input. */
export const run = <I extends AnySchema, O extends AnySchema, Pack extends ToolPack.Any | null>(
  predictor: Predictor<I, O, Pack>,
  input: NoInfer<ForeignSchema.EncodedOf<I>>,
  options: RunOptions = {}
): Effect.Effect<Prediction<ForeignSchema.TypeOf<O>>, PredictionError, Model.Model> =>
  Model.Model.use((model) => {
    const written = Signature.write(predictor.signature.input, input)
    if (Result.isFailure(written)) {
      const run = begin(predictor, { model, input: "", options })
      return fail(run, { reason: "InvalidInput", message: written.failure, hint: "correct the input" })
    }
    return predict(begin(predictor, { model, input: written.success.json, options }))
  })

interface Run {
  readonly predictor: Any
  readonly model: Model.Model["Service"]
  readonly tools: ModelTools | undefined
  readonly inputText: GivenText.GivenText
  readonly account: ModelReply.Account
  readonly limits: Limits.Limits
  readonly declarations: ReadonlyArray<Model.ToolDeclaration>
  readonly messages: Array<Model.PromptMessage>
  readonly trace: Array<TraceStep>
  readonly labels: Set<Session.Label>
  usage: Usage.Usage
  faults: number
}

interface PredictionRun {
  readonly model: Model.Model["Service"]
  readonly input: string
  readonly options: RunOptions
}

const begin = (predictor: Any, { input, model, options }: PredictionRun): Run => {
  const limits = Limits.lower(predictor.limits, options.limits ?? {})
  return {
    predictor,
    model,
    tools: options.tools,
    inputText: GivenText.make([input, predictor.instructions]),
    account: ModelReply.account(Limits.toBudget(limits)),
    limits,
    declarations: PredictionPrompt.declarationsOf(predictor, options.tools?.tools ?? []),
    messages: [...PredictionPrompt.messagesOf(predictor.examples, input)],
    trace: [],
    labels: new Set(),
    usage: Usage.zero,
    faults: 0
  }
}

interface FailedOutput {
  readonly reason: PredictionFailure
  readonly message: string
  readonly hint: string
}

const fail = (run: Run, { hint, message, reason }: FailedOutput): Effect.Effect<never, PredictionError> =>
  Effect.fail(
    new PredictionError({ predictor: run.predictor.name, reason, message, hint, usage: run.usage, trace: run.trace })
  )

const predict = <Output>(run: Run): Effect.Effect<Prediction<Output>, PredictionError> => {
  const { limits, model } = run
  if (limits.costUsd !== undefined && !model.priced) {
    const message = `the price of ${model.name} is unknown, so limits.costUsd cannot be enforced`
    return fail(run, { reason: "UnpricedModel", message, hint: "configure its price, or leave limits.costUsd out" })
  }
  const stepping = steps(run) as Effect.Effect<Prediction<Output>, PredictionError>
  const { timeMillis } = limits
  return timeMillis === undefined
    ? stepping
    : Effect.timeoutOrElse(stepping, {
        duration: timeMillis,
        orElse: () => fail(run, limitReached("timeMillis", timeMillis))
      })
}

const limitReached = (name: string, bound: number): FailedOutput => ({
  reason: "LimitReached",
  message: `limits.${name} (${bound}) was reached before there was an output`,
  hint: `raise limits.${name}, or ask for less`
})

const steps = (run: Run): Effect.Effect<Prediction<unknown>, PredictionError> =>
  Effect.flatMap(step(run), (done) => done ?? steps(run))

type PredictionEffect = Effect.Effect<Prediction<unknown>, PredictionError>

/** Processes one reply and its calls; null: another step follows. */
const step = Effect.fnUntraced(function* (run: Run) {
  const startedAt = yield* Clock.currentTimeMillis
  const { account, declarations: tools, messages, model, predictor } = run
  const prompt = { system: PredictionPrompt.systemOf(predictor), messages: [...messages], tools }
  const request = { model, account, prompt, step: run.trace.length + 1 }
  const replied = yield* Effect.result(ModelReply.ask(request))
  if (Result.isFailure(replied)) {
    const { error, usage } = replied.failure
    run.usage = Usage.add(run.usage, usage)
    return fail(run, { reason: "ModelFailed", message: error.message, hint: error.hint }) satisfies PredictionEffect
  }
  const reply = replied.success
  if ("exhausted" in reply) {
    const { exhausted: name } = reply
    return fail(run, limitReached(name, account.limit[name] ?? 0)) satisfies PredictionEffect
  }
  run.usage = Usage.add(run.usage, reply.usage)
  if (reply.parts.length > 0) messages.push({ _tag: "Assistant", parts: reply.parts })
  const { calls, output, why } = yield* answer(run, reply)
  const elapsedMillis = (yield* Clock.currentTimeMillis) - startedAt
  run.trace.push({ text: reply.text, usage: reply.usage, elapsedMillis, calls })
  if (output !== null) {
    const { json, value } = output
    return Effect.succeed({ output: value, json, usage: run.usage, trace: run.trace }) satisfies PredictionEffect
  }
  if (why !== null) run.faults += 1
  if (why === null || run.faults < maxFaults) return null
  const message = `no output that fits after ${maxFaults} attempts: ${why}`
  return fail(run, {
    reason: "InvalidOutput",
    message,
    hint: "simplify the output's schema, or add an example"
  }) satisfies PredictionEffect
})

interface StepAnswer {
  readonly calls: ReadonlyArray<TracedCall>
  /** The output; null: there is none yet. */
  readonly output: Signature.ReadValue | null
  /** The reason why the output is invalid or missing; null: the output is valid. */
  readonly why: string | null
}

/** Runs the calls of a reply in order. Each call has the labels that the earlier calls added. */
const answer = Effect.fnUntraced(function* (run: Run, reply: ModelReply.ModelReply) {
  if (reply.calls.length === 0) return fromText(run, reply)
  const calls: Array<TracedCall> = []
  let output: Signature.ReadValue | null = null
  let why: string | null = null
  for (const call of reply.calls) {
    if (reply.notRun !== null) {
      run.messages.push(PredictionPrompt.resultOf(call, reply.notRun, { isError: true }))
      calls.push(notRun(call, reply.notRun))
      why = reply.notRun
    } else if (call.name === Signature.resultTool) {
      const read = Signature.read(run.predictor.signature.output, call.arguments)
      const text = Result.isSuccess(read) ? "Accepted" : read.failure
      if (Result.isSuccess(read)) output ??= read.success
      else why = text
      run.messages.push(PredictionPrompt.resultOf(call, text, { isError: Result.isFailure(read) }))
      calls.push({ ...notRun(call, text), status: Result.isSuccess(read) ? "succeeded" : "failed" })
    } else {
      calls.push(yield* callTool(run, call))
    }
  }
  return { calls, output, why } satisfies StepAnswer
})

const notRun = ({ arguments: callArguments, name, toolCallId }: Message.ToolCall, text: string): TracedCall => ({
  toolCallId,
  name,
  arguments: callArguments,
  status: "notRun",
  text,
  receipt: null,
  labels: [],
  elapsedMillis: 0
})

/**
 * Accepts a text of the model as the output if the text matches the schema, although the model should have called the
 * result tool.
 */
const fromText = (run: Run, { notRun: cut, text }: ModelReply.ModelReply): StepAnswer => {
  const { output } = run.predictor.signature
  const fenced = /```(?:json)?\n([\s\S]*?)\n```/u.exec(text)?.[1] ?? text
  const readings = [fenced, ...(output.isWrapped ? [wrapResult(fenced), JSON.stringify({ result: text.trim() })] : [])]
  const fitting = cut === null && text.trim() !== "" ? readings.map((one) => Signature.read(output, one)) : []
  const read = fitting.find((one) => Result.isSuccess(one))
  if (read !== undefined && Result.isSuccess(read)) return { calls: [], output: read.success, why: null }
  const why = `Error: no output has been given yet: call ${Signature.resultTool} with it`
  run.messages.push(PredictionPrompt.user(cut ?? why))
  return { calls: [], output: null, why: cut ?? why }
}

const wrapResult = (text: string): string => `{"result":${text}}`

const callTool = Effect.fnUntraced(function* (run: Run, call: Message.ToolCall) {
  const { inputText, labels, tools } = run
  if (tools === undefined) {
    const text = `Error: there is no tool ${call.name}: call ${Signature.resultTool}`
    run.messages.push(PredictionPrompt.resultOf(call, text, { isError: true }))
    return notRun(call, text)
  }
  const { arguments: written, name, toolCallId } = call
  const called = yield* tools.call({
    toolCallId,
    name,
    arguments: written,
    labels: [...labels],
    provenance: inputText.provenance
  })
  const { outcome } = called
  for (const label of called.labels) labels.add(label)
  if (outcome._tag === "Succeeded") inputText.found(outcome.found ?? [])
  const text = Prompt.describe(outcome)
  const media = outcome._tag === "Succeeded" ? outcome.media : []
  run.messages.push(PredictionPrompt.resultOf(call, text, { isError: outcome._tag !== "Succeeded", media }))
  return {
    ...notRun(call, text),
    status: statusOf(outcome),
    receipt: called.receipt,
    labels: called.labels,
    elapsedMillis: called.elapsedMillis
  } satisfies TracedCall
})

const statusOf = ({ _tag }: Entry.Outcome): TracedCall["status"] =>
  _tag === "Succeeded" ? "succeeded" : _tag === "Rejected" ? "rejected" : _tag === "NotRun" ? "notRun" : "failed"

/** A predictor in a plain program: `open(predictor, { model, … })` returns an async function. */
import type { Registry } from "@bough/models"
import { Model } from "@bough/runtime"
import type { OpenOptions } from "@bough/sdk"
import { type ModelTools, openForModel } from "@bough/sdk/ModelTools"
import type { RequirementsMessage } from "@bough/sdk/OpenRequirements"
import type { ToolPack } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type { Limits } from "./Limits.ts"
import * as Predict from "./Predict.ts"
import type { Any, AnySchema, InputOf, OutputOf, Predictor } from "./Predictor.ts"
import * as RecordedRun from "./RecordedRun.ts"
import * as Signature from "./Signature.ts"

/**
 * The model. `model` is a name such as `anthropic/claude-…`, whose keys and addresses are in `environment`, or a model
 * itself.
 */
export interface ModelOptions extends Pick<Registry.Settings, "prices" | "effort"> {
  readonly model: string | Model.Model["Service"]
  /** The keys and addresses of providers, and the variables that tools' commands see; usually `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Receives the record of each run, including failed runs. */
  readonly onRun?: (run: RecordedRun.RecordedRun) => void
}

/**
 * The options for a predictor. If it has tools, they also include the options with which `open` of @bough/sdk opens its
 * pack.
 */
export type PredictOptions<Pack> = [Pack] extends [null] ? ModelOptions : ModelOptions & OpenOptions

export type Fits<Pack, Given> =
  Pack extends ToolPack.ToolPack<infer R, infer _Tools>
    ? Given extends OpenOptions
      ? RequirementsMessage<R, Given>
      : unknown
    : unknown

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Lower limits for this call. */
  readonly limits?: Limits
}

/** Runs the predictor; rejects with a PredictionError. Disposing of the predictor interrupts running predictions. */
export interface OpenedPredictor<P extends Any> extends AsyncDisposable {
  (input: InputOf<P>, options?: CallOptions): Promise<Predict.Prediction<OutputOf<P>>>
  readonly predictor: P
  readonly model: string
  /** Runs the predictor as an Effect, for tools and optimisers. */
  readonly effect: (
    input: InputOf<P>,
    options?: Pick<CallOptions, "limits">
  ) => ReturnType<typeof Predict.run<AnySchema, AnySchema, null>>
}

/** Opens a predictor: its tools immediately, its model at the first call. */
export const open = <
  I extends AnySchema,
  O extends AnySchema,
  Pack extends ToolPack.Any | null,
  const Given extends PredictOptions<Pack>
>(
  predictor: Predictor<I, O, Pack> & Fits<Pack, NoInfer<Given>>,
  options: Given
): Promise<OpenedPredictor<Predictor<I, O, Pack>>> => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  return Effect.runPromise(
    openPredictor(predictor as Any, options).pipe(
      Scope.provide(scope),
      Effect.map((call) => Object.assign(call, { [Symbol.asyncDispose]: close })),
      Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause)))
    )
  ) as unknown as Promise<OpenedPredictor<Predictor<I, O, Pack>>>
}

const openPredictor = Effect.fnUntraced(function* (predictor: Any, options: ModelOptions & Partial<OpenOptions>) {
  const scope = yield* Scope.Scope
  const { model, tools } = yield* prepare(predictor, options)
  const run = yield* FiberSet.makeRuntimePromise()
  const facts: Facts = { predictor, model, tools, onRun: options.onRun }
  const call = (input: unknown, { limits, signal }: CallOptions = {}) =>
    scope.state._tag === "Closed"
      ? Promise.reject(new Error("the predictor is closed"))
      : run(recorded(facts, input, limits), signal === undefined ? {} : { signal }).catch((thrown: unknown) => {
          throw signal?.aborted === true ? signal.reason : thrown
        })
  return Object.assign(call, {
    predictor,
    model: model.name,
    effect: (input: unknown, options: Pick<CallOptions, "limits"> = {}) => recorded(facts, input, options.limits)
  })
})

/** Opens the model and the tools of a predictor until the scope closes. */
export const prepare = Effect.fnUntraced(function* (predictor: Any, options: ModelOptions & Partial<OpenOptions>) {
  const wrong = faultOf(predictor, options)
  if (wrong !== null) return yield* Effect.die(new TypeError(wrong))
  const model = yield* modelOf(options)
  const { root } = options
  const tools =
    predictor.tools === null || root === undefined
      ? undefined
      : yield* openForModel(predictor.tools, { ...options, root })
  return { model, tools }
})

/** Describes the mistake of a program without types; null: there is none. */
const faultOf = (
  predictor: Partial<Any> | null | undefined,
  options: Partial<ModelOptions & OpenOptions> | null | undefined
): string | null => {
  if (predictor?.signature === undefined) {
    return 'the first argument must be a predictor, as in Predictor.make("sort_mail", { instructions, input, output })'
  }
  const { model } = options ?? {}
  if (typeof model !== "string" && (typeof model !== "object" || typeof model?.name !== "string")) {
    return 'the options need a model, as in { model: "anthropic/claude-…", environment: process.env }'
  }
  return predictor.tools !== null && options?.root === undefined
    ? `${predictor.name} has tools, which need the root that they may use, as in { model, root: "." }`
    : null
}

interface Facts {
  readonly predictor: Any
  readonly model: Model.Model["Service"]
  readonly tools: ModelTools | undefined
  readonly onRun: ModelOptions["onRun"]
}

/** Providers are loaded here, because a program that passes its own model needs none. */
const modelOf = ({ effort, environment = {}, model, prices }: ModelOptions) =>
  typeof model !== "string"
    ? Effect.succeed(model)
    : Effect.gen(function* () {
        const { choose } = yield* Effect.promise(() => import("@bough/models/Registry"))
        const settings = { model, environment, ...(prices === undefined ? {} : { prices }) }
        const choice = yield* choose({ ...settings, ...(effort === undefined ? {} : { effort }) })
        return choice.model
      })

const recorded = Effect.fnUntraced(function* (
  { model, onRun, predictor, tools }: Facts,
  input: unknown,
  limits: Limits | undefined
) {
  const options = { ...(tools === undefined ? {} : { tools }), ...(limits === undefined ? {} : { limits }) }
  const result = yield* Predict.run(predictor, input, options).pipe(
    Effect.provideService(Model.Model, model),
    Effect.result
  )
  if (onRun !== undefined) {
    const written = Signature.write(predictor.signature.input, input)
    const text = Result.isSuccess(written) ? written.success.json : ""
    const atMillis = yield* Clock.currentTimeMillis
    // An error in the program's callback does not affect the prediction.
    yield* Effect.ignore(
      Effect.try(() => onRun(RecordedRun.fromResult({ predictor, model: model.name, input: text, atMillis }, result)))
    )
  }
  return yield* Effect.fromResult(result)
})

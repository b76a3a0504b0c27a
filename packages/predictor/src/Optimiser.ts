/**
 * Finds better instructions and examples for a predictor: scores candidates on cases by a metric that the program
 * defines, within a maximum number of predictions. adr/0129-prompts-chosen-by-a-metric.md.
 */
import { Usage } from "@bough/protocol"
import type { Model } from "@bough/runtime"
import type { ModelTools } from "@bough/sdk/ModelTools"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Limits } from "./Limits.ts"
import * as OptimiserMistake from "./OptimiserMistake.ts"
import * as Predict from "./Predict.ts"
import type { PredictionError } from "./PredictionError.ts"
import * as Predictor from "./Predictor.ts"
import * as Shuffle from "./Shuffle.ts"
import * as Signature from "./Signature.ts"

/** A prediction of a case, as a metric receives it. */
export interface ScoredPrediction<I, O> {
  readonly input: I
  /** The expected output of the case, decoded by its schema. */
  readonly expected: O
  /** The prediction; null: it failed. */
  readonly prediction: Predict.Prediction<O> | null
  /** The failure; null: the prediction succeeded. */
  readonly failure: PredictionError | null
}

/**
 * Scores a prediction from 0, the worst, to 1. A failed prediction has the score 0 unless the metric gives it another
 * one.
 */
export type Metric<P> = (
  judged: ScoredPrediction<Predictor.InputOf<P>, Predictor.OutputOf<P>>
) => number | Promise<number>

export interface Candidates<I extends Predictor.AnySchema, O extends Predictor.AnySchema> {
  /** Instructions to try in addition to the predictor's instructions. */
  readonly instructions?: ReadonlyArray<string>
  /**
   * Examples to choose from. Examples with the input of a case are excluded, because a prompt that shows an answer must
   * not be scored on it.
   */
  readonly examples?: ReadonlyArray<Predictor.Example<I, O>>
}

export interface OptimiserBounds {
  /** The maximum number of predictions in total; default 500. */
  readonly predictions?: number
  /** The maximum number of examples in the prompt; default 4. */
  readonly examples?: number
  /** The maximum number of concurrent predictions; default 4. */
  readonly concurrency?: number
  /** Lower limits for each prediction. */
  readonly each?: Limits
}

export interface OptimiserOptions<I extends Predictor.AnySchema, O extends Predictor.AnySchema, P> {
  readonly cases: ReadonlyArray<Predictor.Example<I, O>>
  readonly candidates: Candidates<I, O>
  readonly metric: Metric<P>
  readonly bounds?: OptimiserBounds
  /**
   * Determines the order in which examples are tried; default 1. The same seed and the same answers result in the same
   * prompt.
   */
  readonly seed?: number
}

/** A prompt and its score. */
export interface Trial {
  readonly instructions: string
  readonly examples: ReadonlyArray<Predictor.ShownExample>
  /** The mean score over the scored cases. */
  readonly score: number
  /**
   * False: scoring stopped early, because the score could no longer reach the best one, or because no predictions
   * remained.
   */
  readonly isComplete: boolean
}

export interface OptimiserResult<P> {
  /** The predictor with the best prompt. */
  readonly predictor: P
  readonly best: Trial
  /** The prompt of the given predictor. */
  readonly baseline: Trial
  /** Every prompt that was tried, in the order of the trials. */
  readonly trials: ReadonlyArray<Trial>
  readonly predictions: number
  readonly usage: Usage.Usage
  /** False: no predictions remained before every candidate was tried. */
  readonly isExhaustive: boolean
}

/** Finds the best prompt. Fails if the model does not answer, because scores from an outage are meaningless. */
export const optimise = <I extends Predictor.AnySchema, O extends Predictor.AnySchema, Pack extends Predictor.AnyPack>(
  predictor: Predictor.Predictor<I, O, Pack>,
  options: OptimiserOptions<NoInfer<I>, NoInfer<O>, NoInfer<Predictor.Predictor<I, O, Pack>>>,
  tools?: ModelTools
): Effect.Effect<OptimiserResult<Predictor.Predictor<I, O, Pack>>, PredictionError, Model.Model> =>
  Effect.suspend(() => search(begin(predictor, options as never, tools))) as never

/** A metric: 1 if the output equals the expected output, else 0. */
export const exact: Metric<Predictor.Any> = ({ expected, prediction }) =>
  prediction !== null && Signature.isSame(prediction.output, expected) ? 1 : 0

interface Case {
  readonly input: unknown
  readonly expected: unknown
}

interface Search {
  readonly predictor: Predictor.Any
  readonly cases: ReadonlyArray<Case>
  readonly instructions: ReadonlyArray<string>
  /** The examples in the order in which they are tried. */
  readonly examples: ReadonlyArray<Predictor.ShownExample>
  readonly metric: Metric<Predictor.Any>
  readonly bounds: Required<Omit<OptimiserBounds, "each">> & Pick<OptimiserBounds, "each">
  readonly tools: ModelTools | undefined
  readonly trials: Map<string, Trial>
  best: Trial | null
  predictions: number
  usage: Usage.Usage
  isExhaustive: boolean
}

const defaults = { predictions: 500, examples: 4, concurrency: 4 }

const begin = (
  predictor: Predictor.Any,
  // oxlint-disable-next-line typescript/no-explicit-any -- cases of every schema
  { bounds = {}, candidates, cases, metric, seed = 1 }: OptimiserOptions<any, any, Predictor.Any>,
  tools: ModelTools | undefined
): Search => {
  const limits = { ...defaults, ...bounds }
  OptimiserMistake.check(predictor.name, { cases: cases.length, ...limits })
  const shown = cases.map((one, index) => shownAs(predictor, one, `cases.${index}`))
  const inputs = new Set(shown.map(({ input }) => input))
  const examples = (candidates.examples ?? [])
    .map((one, index) => shownAs(predictor, one, `candidates.examples.${index}`))
    .filter(({ input }) => !inputs.has(input))
  return {
    predictor,
    cases: shown.map(({ input, output }) => ({
      input: Signature.bare(predictor.signature.input, input),
      expected: Result.getOrThrow(Signature.read(predictor.signature.output, output)).value
    })),
    instructions: [...new Set([predictor.instructions, ...(candidates.instructions ?? [])])],
    examples: Shuffle.shuffle(examples, seed),
    metric,
    bounds: limits,
    tools,
    trials: new Map(),
    best: null,
    predictions: 0,
    usage: Usage.zero,
    isExhaustive: true
  }
}

const shownAs = (
  predictor: Predictor.Any,
  example: { readonly input: unknown; readonly output: unknown },
  location: string
): Predictor.ShownExample => {
  const written = Predictor.show(predictor.signature, example)
  if (Result.isFailure(written)) throw OptimiserMistake.make(predictor.name, `${location}: ${written.failure}`)
  return written.success
}

/**
 * Scores all instructions, then adds examples to each, starting with the best, because some instructions score higher
 * only together with examples.
 */
const search = Effect.fnUntraced(function* (
  state: Search
): Effect.fn.Return<OptimiserResult<Predictor.Any>, PredictionError, Model.Model> {
  const { predictor } = state
  const { examples } = predictor
  const trials: Array<Trial> = []
  for (const instructions of state.instructions) trials.push(yield* tryPrompt(state, { instructions, examples }, -1))
  for (const trial of trials.toSorted((one, other) => other.score - one.score)) yield* addExamples(state, trial)
  const best = bestOf(state)
  return {
    predictor: Predictor.withPrompt(predictor, { instructions: best.instructions, examples: best.examples }),
    best,
    baseline: trials[0],
    trials: [...state.trials.values()],
    predictions: state.predictions,
    usage: state.usage,
    isExhaustive: state.isExhaustive
  }
})

const bestOf = ({ best }: Search): Trial => {
  if (best === null) throw new Error("no prompt was tried")
  return best
}

/**
 * Repeatedly adds the example that increases the score most, until no example increases it. Of two equal scores, the
 * shorter prompt is better.
 */
const addExamples = Effect.fnUntraced(function* (
  state: Search,
  firstTrial: Trial
): Effect.fn.Return<void, PredictionError, Model.Model> {
  let longest = firstTrial
  while (longest.examples.length < state.bounds.examples && !isDone(state)) {
    const { examples, instructions, score } = longest
    const shown = new Set(examples.map(({ input }) => input))
    for (const example of state.examples) {
      if (shown.has(example.input)) continue
      const prompt = { instructions, examples: [...examples, example] }
      const trial = yield* tryPrompt(state, prompt, longest.score)
      if (trial.isComplete && trial.score > longest.score) longest = trial
    }
    if (longest.score <= score) return
  }
})

/** Returns true if no better prompt can be found. */
const isDone = ({ best, isExhaustive }: Search): boolean => !isExhaustive || best?.score === 1

type Prompt = Pick<Predictor.Any, "examples" | "instructions">

const keyOf = ({ examples, instructions }: Prompt): string => JSON.stringify([instructions, examples])

/** Scores a prompt once, in parts, until its score can no longer exceed `minScore`. */
const tryPrompt = Effect.fnUntraced(function* (
  state: Search,
  { examples, instructions }: Prompt,
  minScore: number
): Effect.fn.Return<Trial, PredictionError, Model.Model> {
  const known = state.trials.get(keyOf({ examples, instructions }))
  if (known !== undefined) return known
  const { bounds, cases } = state
  let sum = 0
  let scored = 0
  while (scored < cases.length && !isDone(state) && (sum + cases.length - scored) / cases.length > minScore) {
    const part = cases.slice(scored, scored + bounds.concurrency)
    if (state.predictions + part.length > bounds.predictions) {
      state.isExhaustive = false
      break
    }
    const prompted = Predictor.withPrompt(state.predictor, { instructions, examples })
    const scores = yield* Effect.forEach(part, (one) => scoreOf(state, prompted, one), {
      concurrency: bounds.concurrency
    })
    for (const score of scores) sum += score
    scored += part.length
  }
  const trial: Trial = {
    instructions,
    examples,
    score: scored === 0 ? 0 : sum / scored,
    isComplete: scored === cases.length
  }
  state.trials.set(keyOf(trial), trial)
  if (state.best === null || (trial.isComplete && trial.score > state.best.score)) state.best = trial
  return trial
})

const scoreOf = Effect.fnUntraced(function* (
  state: Search,
  prompted: Predictor.Any,
  { expected, input }: Case
): Effect.fn.Return<number, PredictionError, Model.Model> {
  const { bounds, metric, tools } = state
  state.predictions += 1
  const options = {
    ...(tools === undefined ? {} : { tools }),
    ...(bounds.each === undefined ? {} : { limits: bounds.each })
  }
  const result = yield* Effect.result(Predict.run(prompted, input as never, options))
  const { usage } = Result.isSuccess(result) ? result.success : result.failure
  state.usage = Usage.add(state.usage, usage)
  if (Result.isFailure(result) && isOfModel(result.failure)) return yield* result.failure
  const prediction = Result.isSuccess(result) ? result.success : null
  const failure = Result.isFailure(result) ? result.failure : null
  const score = yield* Effect.promise(() =>
    Promise.resolve().then(() => metric({ input, expected, prediction, failure }))
  )
  if (!(score >= 0 && score <= 1)) throw OptimiserMistake.make(prompted.name, `the metric gave ${score}, not 0 to 1`)
  return score
})

/** Returns true for a failure that does not depend on the prompt. */
const isOfModel = ({ reason }: PredictionError): boolean => reason === "ModelFailed" || reason === "UnpricedModel"

/** The optimiser for programs without Effect: `optimise(predictor, options, { model, … })` returns a promise. */
import { Model } from "@bough/runtime"
import type { ToolPack } from "@bough/tool"
import * as Effect from "effect/Effect"
import { type Fits, prepare, type PredictOptions } from "./Open.ts"
import * as Optimiser from "./Optimiser.ts"
import type { Any, AnySchema, Predictor } from "./Predictor.ts"

/**
 * Opens the model and the tools, and finds the best prompt. Rejects with a PredictionError if the model does not
 * answer.
 */
export const optimise = <
  I extends AnySchema,
  O extends AnySchema,
  Pack extends ToolPack.Any | null,
  const Given extends PredictOptions<Pack>
>(
  predictor: Predictor<I, O, Pack> & Fits<Pack, NoInfer<Given>>,
  options: Optimiser.OptimiserOptions<NoInfer<I>, NoInfer<O>, NoInfer<Predictor<I, O, Pack>>>,
  opening: Given
): Promise<Optimiser.OptimiserResult<Predictor<I, O, Pack>>> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(prepare(predictor as Any, opening), ({ model, tools }) =>
        Effect.provideService(
          Optimiser.optimise(predictor as Predictor<I, O, Pack>, options, tools),
          Model.Model,
          model
        )
      )
    )
  )

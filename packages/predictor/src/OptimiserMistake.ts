/** Errors in the options of the optimiser. Each names the option. */

export const make = (predictor: string, fault: string): Error =>
  new Error(`optimise(${JSON.stringify(predictor)}): ${fault}`)

interface OptimiserNumbers {
  readonly cases: number
  readonly predictions: number
  readonly examples: number
  readonly concurrency: number
}

/** Throws if a number is invalid. */
export const check = (predictor: string, { cases, concurrency, examples, predictions }: OptimiserNumbers): void => {
  if (cases === 0) throw make(predictor, "there are no cases to score prompts on")
  for (const [name, value, least] of [
    ["predictions", predictions, cases],
    ["examples", examples, 0],
    ["concurrency", concurrency, 1]
  ] as const) {
    if (!Number.isSafeInteger(value) || value < least) {
      throw make(predictor, `bounds.${name} must be a whole number of at least ${least}`)
    }
  }
}

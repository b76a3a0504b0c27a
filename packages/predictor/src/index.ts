/** Typed functions that a model answers, and the optimiser of their instructions and examples. */
export type { Limits } from "./Limits.ts"
export { type CallOptions, type ModelOptions, open, type OpenedPredictor, type PredictOptions } from "./Open.ts"
export { run, type Prediction, type RunOptions } from "./Predict.ts"
export { PredictionError } from "./PredictionError.ts"
export * as Predictor from "./Predictor.ts"
export * as RecordedRun from "./RecordedRun.ts"
export * as Trace from "./Trace.ts"

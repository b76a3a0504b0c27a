/** The common parts of all bridges: the description of a model, and the maximum time without content of its replies. */
import type { Model } from "@bough/runtime"
import * as Stream from "effect/Stream"
import * as Failure from "./Failure.ts"
import * as IdleLimit from "./IdleLimit.ts"
import { highestPrices, type Price } from "./Price.ts"

export interface ModelDescription {
  readonly provider: Failure.Provider
  readonly contextTokens: number | null
  /** Null: replies carry no cost. */
  readonly price: Price | null
  /** The maximum time without content of a reply, in milliseconds; default `IdleLimit.defaultIdleMillis`. */
  readonly idleMillis?: number
}

export interface BridgeRequest {
  readonly prompt: Model.Prompt
  /** The notices of earlier requests, which are not repeated. */
  readonly reportedFaults: Set<string>
}

/** Makes the port over the stream of `ask`. It requests each reply once; `Retry` repeats requests. */
export const make = (
  { contextTokens, idleMillis = IdleLimit.defaultIdleMillis, price, provider }: ModelDescription,
  ask: (asked: BridgeRequest) => Stream.Stream<Model.ModelPart, Model.ModelError>
): Model.Model["Service"] => {
  const reportedFaults = new Set<string>()
  return {
    name: provider.model,
    contextTokens,
    priced: price !== null,
    ...(price === null ? {} : highestPrices(price)),
    stream: (prompt) =>
      IdleLimit.limitIdle(
        Stream.suspend(() => ask({ prompt, reportedFaults })),
        idleMillis,
        () => Failure.silent(provider, idleMillis)
      )
  }
}

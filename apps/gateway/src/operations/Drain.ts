/** The orderly end of the process: requests are refused with a retry hint, and streams get a Resume frame. */
import { Problem } from "@bough/gateway-api"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class Drain extends Context.Service<
  Drain,
  {
    readonly isDraining: () => boolean
    readonly begin: Effect.Effect<void>
    /** Returns once the drain has begun. */
    readonly begun: Effect.Effect<void>
    readonly problem: Problem.Unavailable
  }
>()("@bough/gateway/Drain") {}

const retryAfterSeconds = 5

export const layer: Layer.Layer<Drain> = Layer.sync(Drain, () => {
  const begun = Deferred.makeUnsafe<void>()
  let draining = false
  return {
    isDraining: () => draining,
    begin: Effect.sync(() => {
      draining = true
      Deferred.doneUnsafe(begun, Effect.void)
    }),
    begun: Deferred.await(begun),
    problem: new Problem.Unavailable({ code: "draining", retryAfterSeconds, detail: "the server ends" })
  }
})

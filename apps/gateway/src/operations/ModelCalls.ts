/** Counts of the model calls of this process, by model, with the time that they took. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Model } from "@bough/runtime"
import * as Stream from "effect/Stream"

type ModelService = Model.Model["Service"]

export interface ModelCallCount {
  readonly model: string
  running: number
  ended: number
  /** Seconds from the request to the end of the reply. */
  seconds: number
  begun: number
  /** Seconds from the request to the first piece of the reply. */
  firstSeconds: number
}

export class ModelCalls extends Context.Service<
  ModelCalls,
  {
    readonly wrap: (model: ModelService) => ModelService
    readonly counts: () => ReadonlyArray<Readonly<ModelCallCount>>
  }
>()("@bough/gateway/ModelCalls") {}

export const layer: Layer.Layer<ModelCalls> = Layer.sync(ModelCalls, () => {
  const counts = new Map<string, ModelCallCount>()
  const countOf = (model: string): ModelCallCount => {
    const known = counts.get(model) ?? { model, running: 0, ended: 0, seconds: 0, begun: 0, firstSeconds: 0 }
    counts.set(model, known)
    return known
  }
  return {
    counts: () => Array.from(counts.values()),
    wrap: (model) => ({
      ...model,
      stream: (prompt) =>
        Stream.unwrap(
          Effect.map(Effect.clockWith(Effect.succeed), (clock) => {
            const startedAt = clock.currentTimeMillisUnsafe()
            const secondsSince = () => (clock.currentTimeMillisUnsafe() - startedAt) / 1000
            const count = countOf(model.name)
            count.running += 1
            let isBegun = false
            return model.stream(prompt).pipe(
              // Runs no effect per piece, because a reply has many.
              Stream.mapArray((parts) => {
                if (!isBegun) {
                  isBegun = true
                  count.begun += 1
                  count.firstSeconds += secondsSince()
                }
                return parts
              }),
              Stream.ensuring(
                Effect.sync(() => {
                  count.running -= 1
                  count.ended += 1
                  count.seconds += secondsSince()
                })
              )
            )
          })
        )
    })
  }
})

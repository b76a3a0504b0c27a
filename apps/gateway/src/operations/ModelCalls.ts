/** Counts of the model calls of this process, by model, with the time that they took. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export interface ModelCallCount {
  readonly model: string
  running: number
  ended: number
  /** Seconds from the request to the end of the reply. */
  seconds: number
  started: number
  /** Seconds from the request to the first piece of the reply. */
  firstSeconds: number
}

/** A model call in progress. */
export interface ModelCall {
  /** Counts a piece of the reply. */
  readonly receive: () => void
  readonly end: () => void
}

export class ModelCalls extends Context.Service<
  ModelCalls,
  {
    /** Counts a call from now on. The caller ends it exactly once, however the call ends. */
    readonly begin: (model: string) => Effect.Effect<ModelCall>
    readonly counts: () => ReadonlyArray<Readonly<ModelCallCount>>
  }
>()("@bough/gateway/ModelCalls") {}

export const layer: Layer.Layer<ModelCalls> = Layer.sync(ModelCalls, () => {
  const counts = new Map<string, ModelCallCount>()
  const countOf = (model: string): ModelCallCount => {
    const known = counts.get(model) ?? { model, running: 0, ended: 0, seconds: 0, started: 0, firstSeconds: 0 }
    counts.set(model, known)
    return known
  }
  return {
    counts: () => Array.from(counts.values()),
    begin: (model) =>
      Effect.clockWith((clock) => {
        const startedAt = clock.currentTimeMillisUnsafe()
        const secondsSince = () => (clock.currentTimeMillisUnsafe() - startedAt) / 1000
        const count = countOf(model)
        count.running += 1
        let isBegun = false
        return Effect.succeed({
          receive: () => {
            if (isBegun) return
            isBegun = true
            count.started += 1
            count.firstSeconds += secondsSince()
          },
          end: () => {
            count.running -= 1
            count.ended += 1
            count.seconds += secondsSince()
          }
        })
      })
  }
})

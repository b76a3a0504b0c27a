/** One-line progress messages of a running tool. They are transient and not stored. Available to every tool. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class Progress extends Context.Service<
  Progress,
  {
    /** `percent` is the completed share, from 0 to 100; absent: unknown. */
    readonly report: (message: string, percent?: number) => Effect.Effect<void>
    /**
     * Registers a function that describes the work done so far, for a call that is stopped before it has a result. Not
     * every environment provides it.
     */
    readonly keep?: (soFar: () => string) => Effect.Effect<void>
  }
>()("@bough/tool/Progress") {}

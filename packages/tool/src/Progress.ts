/** One-line signs of life while a tool runs. They pass by and are not stored. Always there, for every tool. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class Progress extends Context.Service<
  Progress,
  {
    readonly report: (message: string) => Effect.Effect<void>
    /** Says how to tell what was done so far, for a call that is stopped before it has a result. Not everywhere. */
    readonly keep?: (soFar: () => string) => Effect.Effect<void>
  }
>()("@bough/tool/Progress") {}

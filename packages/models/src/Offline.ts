/** The provider of `offline/planner`, which is used when no other one is configured. */
import { Model } from "@bough/runtime"
import * as Effect from "effect/Effect"
import type { Provider } from "./Provider.ts"

/** Loaded only when it is chosen, because it has a table of a few thousand English words. */
const planner = Effect.promise(() => import("@bough/offline-planner/OfflinePlanner"))

export const provider: Provider = {
  name: "offline",
  defaultModel: "planner",
  configured: () => "no model is configured",
  secretNames: [],
  make: ({ model: named, name }) =>
    named === null || named === "planner"
      ? Effect.map(planner, ({ model }) => model)
      : Effect.fail(
          new Model.ModelError({
            reason: "UnknownModel",
            model: name,
            message: `unknown model ${name}`,
            hint: "offline/planner is the only one that needs no provider",
            retryable: false,
            retryAfterMillis: null
          })
        )
}

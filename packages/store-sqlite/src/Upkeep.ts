/**
 * Periodic work of a store. It uses real time even if the program has another Clock, because other processes share the
 * leases but not that Clock.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Repeats the work until the scope closes. */
export const start = (
  tasks: ReadonlyArray<Effect.Effect<void>>,
  everyMillis: number
): Effect.Effect<void, never, Scope.Scope> => {
  const pause = Effect.provideService(Effect.sleep(everyMillis), Clock.Clock, Clock.Clock.defaultValue())
  return Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.andThen(pause, Effect.all(tasks)))))
}

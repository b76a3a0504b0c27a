/**
 * Periodic work of a store. It uses real time, even if the program was given another clock, because the leases are
 * shared with other processes, and the given clock is not.
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

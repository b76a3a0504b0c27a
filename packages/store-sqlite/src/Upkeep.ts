/**
 * Periodic work of a store beside its reads and writes. It uses real time, even if the program was given another clock:
 * processes share leases, but no other clock.
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

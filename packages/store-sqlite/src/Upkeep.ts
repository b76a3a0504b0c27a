/**
 * What a store does from time to time beside its work. By real time, whatever clock a program was given: leases are kept
 * among processes, which share no other.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** Does all of it again and again until the scope closes. */
export const start = (
  tasks: ReadonlyArray<Effect.Effect<void>>,
  everyMillis: number
): Effect.Effect<void, never, Scope.Scope> => {
  const pause = Effect.provideService(Effect.sleep(everyMillis), Clock.Clock, Clock.Clock.defaultValue())
  return Effect.asVoid(Effect.forkScoped(Effect.forever(Effect.andThen(pause, Effect.all(tasks)))))
}

/** A failing database is a defect here: no caller can act on it, and the server answers 500 without details. */
import * as Effect from "effect/Effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** Leaves the errors of the domain in the error channel. */
export const orDie = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  Effect.mapError(
    Effect.catchIf(effect, isSqlError, (error) => Effect.die(error)),
    (error) => error as Exclude<E, SqlError>
  )

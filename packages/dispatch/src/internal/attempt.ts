/** Runs code that may throw although its type does not allow it. */
import * as Result from "effect/Result"

export const attempt = <A, E>(run: () => Result.Result<A, E>, onThrow: (thrown: unknown) => E): Result.Result<A, E> =>
  Result.flatMap(Result.try({ try: run, catch: onThrow }), (result) => result)

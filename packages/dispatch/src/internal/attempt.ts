/** Runs code that may throw although its type says that it does not. */
import * as Result from "effect/Result"

export const attempt = <A, E>(run: () => Result.Result<A, E>, onThrow: (thrown: unknown) => E): Result.Result<A, E> =>
  Result.flatMap(Result.try({ try: run, catch: onThrow }), (result) => result)

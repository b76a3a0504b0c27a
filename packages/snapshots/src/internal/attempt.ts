/** Returns the errors of system calls as values. */
import * as Result from "effect/Result"

const resultOf = <A>(work: () => A): Result.Result<A, unknown> => Result.try({ try: work, catch: (cause) => cause })

/** Returns the other value if the work throws. */
export const orElse = <A, B>(work: () => A, other: (cause: unknown) => B): A | B => {
  const result = resultOf(work)
  return Result.isSuccess(result) ? result.success : other(result.failure)
}

/** Runs `last` after the work, even if that fails; throws the errors of the work. */
export const runFinally = <A>(work: () => A, last: () => void): A => {
  const result = resultOf(work)
  last()
  if (Result.isFailure(result)) throw result.failure
  return result.success
}

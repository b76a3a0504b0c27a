/** Describes a thrown value in one line, even if reading the value throws. */
import * as Result from "effect/Result"

export const words = (thrown: unknown): string =>
  Result.getOrElse(
    Result.try(() => String(thrown).split("\n")[0]),
    () => `a thrown ${typeof thrown} that cannot be shown`
  )

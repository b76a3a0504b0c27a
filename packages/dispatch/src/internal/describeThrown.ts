/** Describes a thrown value of any kind, even one that throws when it is read. */
import * as Cause from "effect/Cause"
import * as Result from "effect/Result"

const maxLength = 2000

export const describeThrown = (thrown: unknown): string => {
  const text = Result.getOrElse(
    Result.try((): unknown => words(thrown)),
    () => `a thrown ${typeof thrown} that cannot be shown`
  )
  return typeof text === "string" ? text.slice(0, maxLength).toWellFormed() : `a thrown ${typeof thrown}`
}

const words = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown)
  const inner = Cause.isCause(thrown.cause) ? thrown.cause.reasons.find(Cause.isDieReason) : undefined
  return inner === undefined ? `${thrown.name}: ${thrown.message}` : words(inner.defect)
}

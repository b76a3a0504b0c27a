/** Exits and causes of a service, with their values and errors converted for the handler. Unchanged ones are kept. */
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"

type Convert = (value: unknown) => unknown

export const convertExit = (exit: Exit.Exit<unknown, unknown>, convert: Convert): Exit.Exit<unknown, unknown> => {
  if (Exit.isFailure(exit)) {
    const cause = convertCause(exit.cause, convert)
    return cause === exit.cause ? exit : Exit.failCause(cause)
  }
  const value = convert(exit.value)
  return value === exit.value ? exit : Exit.succeed(value)
}

export const convertCause = (cause: Cause.Cause<unknown>, convert: Convert): Cause.Cause<unknown> => {
  const reasons = cause.reasons.map((reason) => {
    if (Cause.isInterruptReason(reason)) return reason
    const before = Cause.isFailReason(reason) ? reason.error : reason.defect
    const after = convert(before)
    if (after === before) return reason
    const replacement = Cause.isFailReason(reason) ? Cause.makeFailReason(after) : Cause.makeDieReason(after)
    return replacement.annotate(Cause.reasonAnnotations(reason))
  })
  return reasons.every((reason, index) => reason === cause.reasons[index]) ? cause : Cause.fromReasons(reasons)
}

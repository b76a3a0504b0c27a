/** The effects of a handler so far, reported when its call is stopped before it has a result. */
import type { DecodedCall } from "./Call.ts"
import type { DispatchContext } from "./DispatchContext.ts"
import * as TruncateOutput from "./TruncateOutput.ts"

/** Partial results by the `learnt` set of the call, which the later stages of the call share. */
const partialResults = new WeakMap<DecodedCall["learnt"], () => string>()

export const keep = ({ learnt }: DecodedCall, soFar: () => string): void => void partialResults.set(learnt, soFar)

/** Returns the partial result, redacted and bounded; undefined: there is none. */
export const textOf = ({ learnt }: DecodedCall, { redaction }: DispatchContext): string | undefined => {
  const text = partialResults.get(learnt)?.() ?? ""
  return text === "" ? undefined : TruncateOutput.shorten(redaction.redact(text.toWellFormed()))
}

/**
 * A tool may return a promise where none is expected, such as a query that it forgot to await. The call ends with an
 * error that says so; a later rejection of that promise would end the whole process, because no code waits for it.
 */
import * as Result from "effect/Result"
import { types } from "node:util"

/** The maximum number of values that are looked at. */
const maxValues = 1000

/** Marks the promises in a value as handled. Runs no code of the value's own properties. */
export const handleRejections = (value: unknown): void => {
  const seen = new Set<unknown>()
  const waiting: Array<unknown> = [value]
  while (waiting.length > 0 && seen.size < maxValues) {
    const next = waiting.pop()
    if (next === null || typeof next !== "object" || seen.has(next)) continue
    seen.add(next)
    // The traps of a proxy may throw.
    const inner = Result.try(() => partsOf(next))
    if (Result.isSuccess(inner)) waiting.push(...inner.success)
  }
}

const partsOf = (value: object): ReadonlyArray<unknown> => {
  if (types.isPromise(value)) {
    void Promise.prototype.then.call(value, undefined, () => {})
    return []
  }
  const parts: Array<unknown> = []
  for (const key in value) {
    if (parts.length === maxValues) break
    parts.push(Object.getOwnPropertyDescriptor(value, key)?.value)
  }
  return parts
}

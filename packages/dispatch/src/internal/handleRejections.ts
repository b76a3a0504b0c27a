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
  // Bytes hold no promise, and have a key for each of them.
  if (ArrayBuffer.isView(value)) return []
  return [...membersOf(value), ...keysOf(value).map((key) => Object.getOwnPropertyDescriptor(value, key)?.value)]
}

/** Returns the first items of a list, or the first keys of its own, which need not be enumerable. */
const keysOf = (value: object): ReadonlyArray<PropertyKey> =>
  Array.isArray(value)
    ? Array.from({ length: Math.min(value.length, maxValues) }, (_, index) => index)
    : Reflect.ownKeys(value).slice(0, maxValues)

/** Returns the first members of a map or set, by its own iterator and not by one that the value may define. */
const membersOf = (value: object): ReadonlyArray<unknown> => {
  if (types.isMap(value)) return Array.from(Map.prototype.entries.call(value).take(maxValues))
  return types.isSet(value) ? Array.from(Set.prototype.values.call(value).take(maxValues)) : []
}

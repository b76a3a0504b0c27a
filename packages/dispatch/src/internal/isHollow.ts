/**
 * Finds a list that claims far more items than it has, such as `new Array(2 ** 32 - 1)`: a schema would visit each of
 * the missing items, and the process would stand still for minutes or run out of memory.
 */

/** The maximum number of values that are looked at. */
const maxValues = 200

/** Shorter lists are read at once in any case. */
const minLength = 100_000
const samples = 16

/** True if a list near the root of the value lacks some of the items that are looked up. */
export const isHollow = (value: unknown): boolean => {
  const waiting: Array<unknown> = [value]
  for (let count = 0; count < waiting.length && count < maxValues; count++) {
    const next = waiting[count]
    if (next === null || typeof next !== "object") continue
    if (Array.isArray(next)) {
      if (next.length > minLength && lacksItems(next)) return true
      waiting.push(...next.slice(0, maxValues - waiting.length))
      continue
    }
    for (const key in next) {
      if (waiting.length >= maxValues) break
      const inner: unknown = Object.getOwnPropertyDescriptor(next, key)?.value
      if (typeof inner === "object") waiting.push(inner)
    }
  }
  return false
}

const lacksItems = (list: ReadonlyArray<unknown>): boolean => {
  const step = list.length / samples
  for (let sample = 0; sample < samples; sample++) if (!(Math.floor(sample * step) in list)) return true
  return false
}

/** The outcome of a function that may report its progress by an asynchronous iterable. */
import * as Predicate from "effect/Predicate"

/** Returns the last value of an iterable, and reports the others; any other output is returned as it is. */
export const lastOf = (output: unknown, onUpdate: (value: unknown) => void): unknown => {
  if (!Predicate.hasProperty(output, Symbol.asyncIterator)) return output
  const values = (output as AsyncIterable<unknown>)[Symbol.asyncIterator]()
  const drive = (last: { readonly value: unknown } | null): Promise<unknown> =>
    values.next().then(({ done, value }) => {
      if (done === true) return last?.value
      if (last !== null) onUpdate(last.value)
      return drive({ value })
    })
  return drive(null)
}

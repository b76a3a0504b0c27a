/** The positions in which two values of JSON differ, as JSON pointers. */
import { pathBelow } from "../../src/Loss.ts"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

export const differences = (one: unknown, other: unknown, at: string): ReadonlyArray<string> => {
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) {
    return Object.is(one, other) ? [] : [at]
  }
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
    key in one && key in other ? differences(one[key], other[key], pathBelow(at, key)) : [pathBelow(at, key)]
  )
}

/** Checks the arguments of public functions. An error names the function, the argument and the expected value. */
import type { Expected } from "./Expected.ts"

/** Returns the function with a check of its arguments in order. Throws a TypeError about the first wrong argument. */
export const checkArguments = <F extends (...values: never) => unknown>(
  name: string,
  expected: ReadonlyArray<Expected>,
  run: F
): F => {
  const checked = (...values: ReadonlyArray<unknown>): unknown => {
    for (const [at, one] of expected.entries()) {
      const fault = one(values[at])
      if (fault !== null) throw new TypeError(`${name}: argument ${at + 1} ${fault}`)
    }
    return Reflect.apply(run, undefined, values) as unknown
  }
  return checked as never
}

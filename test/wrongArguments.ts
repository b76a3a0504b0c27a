/** Wrong arguments of public functions, as programs without types pass them. */
import { assert, it } from "@effect/vitest"

const values: ReadonlyArray<unknown> = [undefined, null, 7, true, () => {}, new Map(), new Proxy({}, {})]

/** Returns the text of the error that a function throws. */
export const messageOf = (run: () => unknown): string => {
  try {
    run()
  } catch (thrown) {
    return String(thrown)
  }
  return "no error"
}

/** Tests that each function names a wrong first argument. The keys are the names with which its errors begin. */
export const namesWrongArguments = (
  functions: Readonly<Record<string, (...values: ReadonlyArray<never>) => unknown>>
): void => {
  for (const [name, run] of Object.entries(functions)) {
    it(`of ${name} is named in the error`, () => {
      for (const value of values) {
        const message = messageOf(() => run(value as never))
        assert.isTrue(message.startsWith(`TypeError: ${name}: argument 1 must be `), message)
      }
    })
  }
}

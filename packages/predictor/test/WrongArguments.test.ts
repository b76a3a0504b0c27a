/** Wrong arguments from programs without types: each error names the function, the argument and the fix. */
import { assert, describe, it } from "@effect/vitest"
import { RecordedRun, StoredPrompt, Trace } from "../src/index.ts"

const values: ReadonlyArray<unknown> = [undefined, null, 7, true, () => {}, new Map(), new Proxy({}, {})]

/** The functions by the name that their errors begin with. */
const functions: Readonly<Record<string, (...values: ReadonlyArray<never>) => unknown>> = {
  "RecordedRun.examplesOf": RecordedRun.examplesOf,
  "RecordedRun.fromResult": RecordedRun.fromResult,
  "RecordedRun.readLines": RecordedRun.readLines,
  "StoredPrompt.apply": StoredPrompt.apply,
  "StoredPrompt.fromOptimised": StoredPrompt.fromOptimised,
  "Trace.labelsOf": Trace.labelsOf
}

const messageOf = (run: () => unknown): string => {
  try {
    run()
  } catch (thrown) {
    return String(thrown)
  }
  return "no error"
}

describe("a wrong argument", () => {
  for (const [name, run] of Object.entries(functions)) {
    it(`of ${name} is named in the error`, () => {
      for (const value of values) {
        const message = messageOf(() => run(value as never))
        assert.isTrue(message.startsWith(`TypeError: ${name}: argument 1 must be `), message)
      }
    })
  }
})

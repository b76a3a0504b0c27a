/** Wrong arguments from programs without types: each error names the function, the argument and the fix. */
import { describe } from "@effect/vitest"
import { namesWrongArguments } from "../../../test/wrongArguments.ts"
import { RecordedRun, StoredPrompt, Trace } from "../src/index.ts"

const functions = {
  "RecordedRun.examplesOf": RecordedRun.examplesOf,
  "RecordedRun.fromResult": RecordedRun.fromResult,
  "RecordedRun.readLines": RecordedRun.readLines,
  "StoredPrompt.apply": StoredPrompt.apply,
  "StoredPrompt.fromOptimised": StoredPrompt.fromOptimised,
  "Trace.labelsOf": Trace.labelsOf
}

describe("a wrong argument", () => {
  namesWrongArguments(functions)
})

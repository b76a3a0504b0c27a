/** Errors as the model reads them. */
import type { ToolError } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as ErrorText from "../src/journal/ErrorText.ts"

const issue = { path: "edits.0.old", message: "old is not in the file" }

describe("ErrorText", () => {
  it.each([
    [
      { _tag: "ValidationError", message: "edits.0.old: old is not in the file (a.ts is unchanged)", issues: [issue] },
      "Error: edits.0.old: old is not in the file (a.ts is unchanged)"
    ],
    [
      { _tag: "ValidationError", message: "there is a, b", issues: [{ path: "names.0", message: "no tool c" }] },
      "Error: there is a, b\n- names.0: no tool c"
    ],
    [
      { _tag: "ExecutionError", message: "a.ts is not there", hint: "write_file makes it" },
      "Error: a.ts is not there (write_file makes it)"
    ],
    [
      { _tag: "PermissionDenied", tier: "ReadOnly", reason: 'PathEscape: "../x" is outside the workspace' },
      'Error: "../x" is outside the workspace (the user can add its directory with --add-dir; ask for it)'
    ],
    [
      { _tag: "PermissionDenied", tier: "ReadOnly", reason: 'SecretFile: ".env" is a secret' },
      'Error: ".env" is a secret'
    ],
    [{ _tag: "ExecutionError", message: "NameNotFound: a.b has no address" }, "Error: a.b has no address"],
    [
      { _tag: "PermissionDenied", tier: "System", reason: "denied by ada", userMessage: "keep it" },
      "Error: denied by ada: keep it"
    ],
    [{ _tag: "Timeout", elapsedMillis: 20 }, "Error: timed out after 20 ms"]
  ] satisfies ReadonlyArray<readonly [ToolError.ToolErrorData, string]>)(
    "%o is reported once, with the next step",
    (error, text) => assert.strictEqual(ErrorText.forModel(error), text)
  )
})

/** Tests of the message with the reason why a call gave no result. */
import { assert, it } from "@effect/vitest"
import * as Entry from "../src/Entry.ts"

const succeeded: Entry.Outcome = { _tag: "Succeeded", output: "1", outputBlob: null, media: [], display: "one" }
const denied = { _tag: "PermissionDenied", tier: "System", reason: "denied by Ada", userMessage: "not now" } as const

it("says why a call gave no result, with its hint or the user's reason", () => {
  const unsuccessful: ReadonlyArray<readonly [Entry.Unsuccessful, string]> = [
    [
      { _tag: "Failed", error: { _tag: "ValidationError", message: "a: is missing", issues: [] }, schema: "{}" },
      "a: is missing"
    ],
    [
      { _tag: "Failed", error: { _tag: "ExecutionError", message: "gone", hint: "list it" }, schema: null },
      "gone (list it)"
    ],
    [
      { _tag: "Failed", error: { _tag: "Timeout", elapsedMillis: 20, hint: "it wrote 3 files" }, schema: null },
      "timed out after 20 ms; it wrote 3 files"
    ],
    [{ _tag: "Rejected", error: denied }, "denied by Ada: not now"],
    [
      {
        _tag: "Rejected",
        error: { _tag: "PermissionDenied", tier: "ReadOnly", reason: 'PathEscape: "../x" is outside' }
      },
      '"../x" is outside'
    ],
    [
      {
        _tag: "Rejected",
        error: { _tag: "PermissionDenied", tier: "ReadOnly", reason: "Port: 25 is for mail" }
      },
      "25 is for mail"
    ],
    [
      { _tag: "Failed", error: { _tag: "ExecutionError", message: "Port: 80 is in use" }, schema: null },
      "Port: 80 is in use"
    ],
    [
      { _tag: "Failed", error: { _tag: "ExecutionError", message: "NameNotFound: a.b has no address" }, schema: null },
      "a.b has no address"
    ],
    [
      { _tag: "Failed", error: { _tag: "ExecutionError", message: "TypeError: x is undefined" }, schema: null },
      "TypeError: x is undefined"
    ],
    [{ _tag: "Unknown", message: "the process ended" }, "the process ended"],
    [{ _tag: "NotRun", reason: "interrupted" }, "interrupted"]
  ]
  for (const [outcome, text] of unsuccessful) assert.strictEqual(Entry.failureText(outcome), text)
  assert.isNull(Entry.failureText(succeeded))
})

/** Tests of distinguishing the four errors by their tag, whichever copy of the protocol made them. */
import { ToolError } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import { runInNewContext } from "node:vm"
import { Tool } from "../src/index.ts"

/** An error as another copy of `@bough/protocol` makes it. */
const foreign = (fields: object): Error => Object.assign(new Error("of another copy"), fields)

const transientOfAnotherCopy = (message: string): Error =>
  Object.defineProperty(foreign({ _tag: "ExecutionError", message }), Symbol.for("@bough/tool/transient"), {
    value: true
  })

describe("an error of another realm", () => {
  it.each([
    ['{ _tag: "ExecutionError", hint: "h" }', "ExecutionError"],
    ['{ _tag: "PermissionDenied", tier: "System", reason: "r" }', "PermissionDenied"]
  ])("is one of the four by its tag and fields: %s", (fields, tag) => {
    const error: unknown = runInNewContext(`Object.assign(new Error("m"), ${fields})`)
    assert.isFalse(error instanceof Error)
    assert.strictEqual(Tool.toToolError(error)?._tag, tag)
  })

  it("is not a ToolError without a tag, and neither is a plain object with a tag", () => {
    for (const code of ['new Error("m")', '({ _tag: "ExecutionError", message: "m" })']) {
      assert.isNull(Tool.toToolError(runInNewContext(code)))
    }
  })
})

describe("ToolErrors", () => {
  it.each([
    { _tag: "ValidationError", message: "no", field: "a", issues: [{ path: "a", message: "no" }] },
    { _tag: "ExecutionError", message: "no", hint: "do this" },
    { _tag: "PermissionDenied", tier: "System", reason: "no", userMessage: "never" },
    { _tag: "Timeout", elapsedMillis: 3 }
  ])("of another copy keep all their fields: $_tag", (fields) => {
    const error = foreign(fields)
    assert.isTrue(Tool.isToolError(error))
    const own = Tool.toToolError(error) ?? assert.fail("none")
    assert.deepStrictEqual<unknown>(ToolError.toData(own), fields)
    assert.strictEqual(own._tag, fields._tag as never)
  })

  it.each([
    { _tag: "ExecutionError", message: 3 },
    { _tag: "ExecutionError", message: "no", hint: 3 },
    { _tag: "ValidationError", message: "no" },
    { _tag: "ValidationError", message: "no", issues: [{ path: 3, message: "no" }] },
    { _tag: "PermissionDenied", tier: "Root", reason: "no" },
    { _tag: "Timeout", elapsedMillis: 1.5 },
    { _tag: "Mismatch", message: "no" }
  ])("are none without the fields of their tag: %j", (fields) => {
    assert.isFalse(Tool.isToolError(foreign(fields)))
    assert.isNull(Tool.toToolError(foreign(fields)))
  })

  it("that are transient are so in every copy", () => {
    assert.isTrue(Tool.isTransient(Tool.transient("busy")))
    const own = Tool.toToolError(transientOfAnotherCopy("busy")) ?? assert.fail("none")
    assert.isTrue(Tool.isTransient(own))
    assert.isFalse(Tool.isTransient(new ToolError.ExecutionError({ message: "broken" })))
  })
})

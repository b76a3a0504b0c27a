/** The line of a program's error output that users are shown. */
import { SessionProcess } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"

describe("SessionProcess", () => {
  it("picks the error of a program that ended, not the stack and the version that follow it", () => {
    for (const [text, line] of [
      ["", ""],
      ["one\nno licence\n", "no licence"],
      [
        "Error: Cannot find module 'x'\n    at f (node:internal)\n\nNode.js v20.20.2\n",
        "Error: Cannot find module 'x'"
      ],
      ['Traceback (most recent call last):\n  File "x", line 1\nMemoryError\n', "MemoryError"],
      ["java.lang.IllegalStateException: closed\n\tat a.b(C.java:1)\n", "java.lang.IllegalStateException: closed"],
      ["TypeError: first\nthen\nRangeError [ERR_X]: second\nNode.js v26\n", "RangeError [ERR_X]: second"],
      ["the Error was late\nbye", "bye"]
    ] as const) {
      assert.strictEqual(SessionProcess.findErrorLine(text), line)
    }
  })
})

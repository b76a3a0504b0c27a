/** The program says plainly that its files were replaced while it ran. */
import { assert, describe, it } from "@effect/vitest"
import * as Failures from "../src/Failures.ts"
import * as ReplacedProgram from "../src/ReplacedProgram.ts"

const sentence =
  'the files of the program were replaced or removed while it ran, as by an upgrade — start it again: the session is saved, and "bough --continue" resumes it'

const missing = (url: string) => Object.assign(new Error("Cannot find module"), { code: "ERR_MODULE_NOT_FOUND", url })

describe("a program whose files were replaced", () => {
  it("is told from other errors by the place of the missing file", () => {
    const isCause = (error: unknown) => ReplacedProgram.isCause(error, "/opt/bough")
    assert.isTrue(isCause(missing("file:///opt/bough/part.js")))
    assert.isFalse(isCause(missing("file:///opt/bough-tools/part.js")))
    assert.isTrue(isCause(Object.assign(new Error(""), { code: "ENOENT", path: "/opt/bough/part.cjs" })))
    assert.isFalse(isCause(Object.assign(new Error(""), { code: "ENOENT", path: "/home/ada/part.cjs" })))
    assert.isFalse(isCause(new Error("Cannot find module")))
    const own = missing(new URL("../src/part.js", import.meta.url).href)
    const { code, hint, message } = Failures.unexpectedFailure(own)
    assert.deepStrictEqual([code, `${message} — ${hint}`], [1, sentence])
  })
})

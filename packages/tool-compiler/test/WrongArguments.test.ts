/** Wrong arguments from programs without types: each error names the argument and the fix. */
import { assert, describe, it } from "@effect/vitest"
import { compile } from "../src/index.ts"

const values: ReadonlyArray<unknown> = [undefined, null, 7, {}, [null]]
const wrong = values as ReadonlyArray<never>

describe("a wrong argument of compile", () => {
  it("is named in the error, before the compiler starts", () => {
    for (const value of wrong) {
      assert.throws(
        () => compile(value, []),
        /^compile: argument 1 must be the path of a tsconfig\.json, as in compile/
      )
      assert.throws(
        () => compile("tsconfig.json", value),
        /^compile: argument 2 must be a list of paths, as in compile/
      )
    }
  })
})

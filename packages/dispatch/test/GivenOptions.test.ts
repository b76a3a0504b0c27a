/** Options that contain functions, as a service of a pack receives them from a handler. */
import { assert, describe, it } from "@effect/vitest"
import * as CallGate from "../src/CallGate.ts"

/** Passes the value to a handle of a guarded service, and returns the value that the handle receives. */
const received = <A>(value: A): A => {
  let got: unknown
  const handle = { take: (value: unknown) => void (got = value) }
  const service = CallGate.make().guard({ open: () => handle }, "Handles") as { readonly open: () => typeof handle }
  service.open().take(value)
  assert.notStrictEqual(got, value, "functions are converted in a copy")
  return got as A
}

interface Nested {
  readonly within?: Nested
  readonly run?: () => string
}

describe("options with functions", () => {
  it("may be nested as deeply as memory allows", () => {
    let options: Nested = { run: () => "ran" }
    for (let depth = 0; depth < 50_000; depth++) options = { within: options }
    let got = received(options)
    while (got.within !== undefined) got = got.within
    assert.strictEqual(got.run?.(), "ran")
  })

  it("keep their fields under any name", () => {
    const options = Object.assign(JSON.parse('{"__proto__":{"admin":true},"constructor":1}') as object, {
      run: () => 1
    })
    const got = received(options)
    assert.deepEqual(Object.keys(got), ["__proto__", "constructor", "run"])
    assert.strictEqual(Object.getPrototypeOf(got), Object.prototype)
    assert.isUndefined((got as { readonly admin?: boolean }).admin)
  })
})

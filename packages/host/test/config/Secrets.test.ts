/** Secrets among variables: headers for a collector of spans beside keys. */
import { assert, describe, it } from "@effect/vitest"
import * as Secrets from "../../src/config/Secrets.ts"

const valuesOf = (variables: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Secrets.collect(variables, {}).map(({ value }) => value)

describe("Secrets", () => {
  it.each(["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"])(
    "are the header values of %s",
    (name) => {
      assert.includeMembers(
        [...valuesOf({ [name]: "authorization=Bearer%20abc123def456, x-key=zyx987wvu654,x-team=a" })],
        ["Bearer%20abc123def456", "Bearer abc123def456", "abc123def456", "zyx987wvu654"]
      )
      assert.notInclude(valuesOf({ [name]: "x-team=a" }), "a")
      assert.include(valuesOf({ [name]: "x-key=broken%escape" }), "broken%escape")
    }
  )

  it("do not include headers in variables of other names", () => {
    assert.deepStrictEqual(valuesOf({ MY_HEADERS: "x-key=zyx987wvu654" }), [])
  })
})

/** The Accept-Encoding header of requests for the page. */
import { assert, describe, it } from "@effect/vitest"
import { acceptsGzip } from "../../src/page/acceptsGzip.ts"

describe("acceptsGzip", () => {
  it.each([
    ["gzip, deflate, br", true],
    ["br;q=1.0, GZIP;q=0.5", true],
    ["*", true],
    ["gzip; q=0, *", false],
    ["gzip;q=0.000", false],
    ["*;q=0", false],
    ["identity, not-gzip", false],
    ["", false]
  ])("%j: %j", (header, expected) => {
    assert.strictEqual(acceptsGzip(header), expected)
  })
})

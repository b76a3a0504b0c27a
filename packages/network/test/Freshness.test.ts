import { assert, describe, it } from "@effect/vitest"
import { freshSeconds } from "../src/Freshness.ts"

const day = "Mon, 23 Nov 2026 10:00:00 GMT"
const later = "Mon, 23 Nov 2026 10:05:00 GMT"

describe("the time until which a cached answer may be used", () => {
  it.each([
    [200, { "cache-control": "private, max-age=60" }, 60],
    [200, { "cache-control": 'Max-Age="60"', age: "20" }, 40],
    [200, { "cache-control": "max-age=60", age: "90" }, 0],
    [200, { "cache-control": "max-age=60, no-store" }, 0],
    [200, { "cache-control": "max-age=60, no-cache" }, 0],
    [200, { "cache-control": "max-age=60, max-age=600" }, 0],
    [200, { "cache-control": "max-age=-1" }, 0],
    [200, { "cache-control": "s-maxage=60" }, 0],
    [200, { "cache-control": "max-age=60", vary: "accept, *" }, 0],
    [200, { expires: later, date: day }, 300],
    [200, { expires: later, date: day, "cache-control": "max-age=0" }, 0],
    [200, { expires: later }, 0],
    [200, { expires: "0", date: "whenever" }, 0],
    [500, { "cache-control": "max-age=60" }, 0],
    [200, {}, 0]
  ] as const)("of a %i with %j is %i s", (status, headers, seconds) => {
    assert.strictEqual(freshSeconds({ status, headers }), seconds)
  })
})

/** Rate limits: never more in a time than burst and refill allow, in bounded memory. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as TokenBuckets from "../../src/auth/TokenBuckets.ts"

const waits = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 500 })))

describe("TokenBuckets", () => {
  it.prop("allows at most the burst and the refill since, and says when the next is allowed", [waits], ([all]) => {
    const buckets = TokenBuckets.make({ burst: 5, perSecond: 10 })
    let now = 0
    let allowed = 0
    for (const wait of all) {
      now += wait
      const result = buckets.take("a", now)
      if (result.isAllowed) allowed++
      else {
        assert.isAbove(result.retryAfterMillis, 0)
        now += result.retryAfterMillis
        assert.isTrue(buckets.take("a", now).isAllowed)
        allowed++
      }
      assert.isAtMost(allowed, 5 + now / 100)
    }
  })

  it("counts each key by itself", () => {
    const buckets = TokenBuckets.make({ burst: 1, perSecond: 1 })
    assert.isTrue(buckets.take("a", 0).isAllowed)
    assert.isFalse(buckets.take("a", 0).isAllowed)
    assert.isTrue(buckets.take("b", 0).isAllowed)
  })

  it("remembers a bounded number of keys, and prefers the ones in use", () => {
    const buckets = TokenBuckets.make({ burst: 2, perSecond: 1 }, 10)
    for (let key = 0; key < 100; key++) {
      buckets.take("busy", key)
      buckets.take(`${key}`, key)
    }
    assert.isAtMost(buckets.size(), 10)
    assert.isFalse(buckets.take("busy", 100).isAllowed)
  })
})

/** Every spelling of an address is one bucket. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as AddressBucket from "../../src/auth/AddressBucket.ts"

const octet = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
const segment = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 0xffff }))

describe("AddressBucket", () => {
  it.prop(
    "an IPv4 address and its IPv4-mapped spellings are one",
    [Schema.Tuple([octet, octet, octet, octet])],
    ([parts]) => {
      const dotted = parts.join(".")
      const [high, low] = [parts[0] * 256 + parts[1], parts[2] * 256 + parts[3]].map((part) => part.toString(16))
      for (const spelling of [
        `::ffff:${dotted}`,
        `::FFFF:${dotted}`,
        `::ffff:${high}:${low}`,
        `0:0:0:0:0:ffff:${high}:${low}`,
        `[::ffff:${dotted}]`
      ])
        assert.strictEqual(AddressBucket.fromAddress(spelling), dotted, spelling)
    }
  )

  it.prop(
    "addresses of one IPv6 network of 64 bits are one, of two networks two",
    [Schema.Tuple([segment, segment, segment])],
    ([[a, b, c]]) => {
      const hex = (part: number) => part.toString(16)
      const network = `2001:db8:${hex(a)}:${hex(b)}`
      const bucket = AddressBucket.fromAddress(`${network}::1`)
      assert.strictEqual(AddressBucket.fromAddress(`${network}:${hex(c)}:0:0:1`), bucket)
      assert.strictEqual(AddressBucket.fromAddress(`${network}::2%eth0`), bucket)
      assert.notStrictEqual(AddressBucket.fromAddress(`2001:db9:${hex(a)}:${hex(b)}::1`), bucket)
    }
  )

  it("has one bucket for invalid addresses", () => {
    for (const text of ["", "unknown", "1.2.3", "1.2.3.4, 5.6.7.8", "01.2.3.4x"])
      assert.strictEqual(AddressBucket.fromAddress(text), "unknown")
  })
})

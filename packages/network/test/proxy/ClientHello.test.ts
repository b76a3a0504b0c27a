/** The host name in a TLS client's greeting, parsed from what real clients send. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ClientHello from "../../src/proxy/ClientHello.ts"
import { hello, withExtension } from "./hello.ts"

/** Splits the message into records of this size. */
const inRecords = (greeting: Uint8Array, size: number): Uint8Array => {
  const message = greeting.subarray(5)
  const records: Array<Uint8Array> = []
  for (let at = 0; at < message.length; at += size) {
    const piece = message.subarray(at, at + size)
    records.push(Uint8Array.from([22, 3, 1, piece.length >> 8, piece.length & 0xff]), piece)
  }
  return Buffer.concat(records)
}

describe("ClientHello", () => {
  it.live("is found in the greeting, in any number of records", () =>
    Effect.gen(function* () {
      const greeting = yield* hello("some.host.test")
      const expected: ClientHello.ParsedHello = { _tag: "Hello", name: "some.host.test", encrypted: false }
      assert.deepStrictEqual(ClientHello.read(greeting), expected)
      for (const size of [1, 3, 64, 200]) assert.deepStrictEqual(ClientHello.read(inRecords(greeting, size)), expected)
    })
  )

  it.live("waits for more while any byte is missing", () =>
    Effect.gen(function* () {
      const greeting = yield* hello("some.host.test")
      for (let length = 0; length < greeting.length; length++) {
        assert.deepStrictEqual(ClientHello.read(greeting.subarray(0, length)), { _tag: "Partial" }, `${length} bytes`)
      }
    })
  )

  it.live("distinguishes a greeting without a host from one whose host is encrypted", () =>
    Effect.gen(function* () {
      assert.deepInclude(ClientHello.read(yield* hello(null)), { _tag: "Hello", name: null })
      const hidden = withExtension(yield* hello("outer.test"), 0xfe0d)
      assert.deepStrictEqual(ClientHello.read(hidden), { _tag: "Hello", name: "outer.test", encrypted: true })
    })
  )

  it.live("refuses a greeting that names two hosts, and parses any corrupted bytes without a fault", () =>
    Effect.gen(function* () {
      const greeting = yield* hello("some.host.test")
      assert.deepStrictEqual(ClientHello.read(withExtension(greeting, 0)), { _tag: "Other" })
      for (let at = 0; at < greeting.length; at++) {
        for (const value of [0, 0xff, (greeting[at] ?? 0) ^ 1]) {
          const changed = Uint8Array.from(greeting)
          changed[at] = value
          assert.include(["Partial", "Other", "Hello"], ClientHello.read(changed)._tag)
        }
      }
    })
  )

  it("recognises other protocols", () => {
    for (const text of [
      "GET / HTTP/1.1\r\n",
      "SSH-2.0-OpenSSH\r\n",
      "\x16\x02\x00\x00\x01\x01",
      "\x16\x03\x01\x00\x00"
    ]) {
      assert.deepStrictEqual(ClientHello.read(Buffer.from(text, "latin1")), { _tag: "Other" })
    }
  })
})

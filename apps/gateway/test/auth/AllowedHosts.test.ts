/** Only the gateway's own names are answered, in any spelling of others. */
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as AllowedHosts from "../../src/auth/AllowedHosts.ts"

const local = AllowedHosts.make({ listening: { host: "127.0.0.1", port: 4100 } })
const served = AllowedHosts.make({
  listening: { host: "0.0.0.0", port: 4100 },
  publicUrl: "https://agents.example.org/bough",
  allowedHosts: ["gateway.internal:8080"],
  allowedOrigins: ["https://front.example.org"]
})

const names = Schema.Struct({
  name: Schema.Literals([
    "localhost",
    "127.0.0.1",
    "[::1]",
    "evil.test",
    "agents.example.org",
    "localhost.",
    "LOCALHOST"
  ]),
  port: Schema.Literals(["", ":4100", ":4101", ":0", ":4100 ", ":04100"]),
  before: Schema.Literals(["", "http://", "https://", "evil.test@", "evil.test,", " "]),
  after: Schema.Literals(["", "/", ".evil.test", "#", ",evil.test"])
})

describe("AllowedHosts", () => {
  it.prop("on loopback answers to its names with its port, and to no other", [names], ([parts]) => {
    const host = parts.before + parts.name + parts.port + parts.after
    const own = ["localhost:4100", "127.0.0.1:4100", "[::1]:4100"]
    assert.strictEqual(AllowedHosts.isHostAllowed(local, host), own.includes(host.toLowerCase()))
    assert.strictEqual(AllowedHosts.isOriginAllowed(local, host), own.map((name) => `http://${name}`).includes(host))
  })

  it("answers to no request without a host", () => {
    assert.isFalse(AllowedHosts.isHostAllowed(local, undefined))
    assert.isFalse(AllowedHosts.isHostAllowed(local, ""))
  })

  it("answers to the configured names, and to loopback if it listens on all addresses", () => {
    for (const host of ["agents.example.org", "gateway.internal:8080", "localhost:4100"])
      assert.isTrue(AllowedHosts.isHostAllowed(served, host))
    for (const host of ["0.0.0.0:4100", "agents.example.org:4100", "front.example.org", "gateway.internal"])
      assert.isFalse(AllowedHosts.isHostAllowed(served, host))
  })

  it("accepts another page's origin for the API, and for no cookie", () => {
    assert.isTrue(AllowedHosts.isOriginAllowed(served, "https://front.example.org"))
    assert.isFalse(AllowedHosts.isOwnOrigin(served, "https://front.example.org"))
    assert.isTrue(AllowedHosts.isOwnOrigin(served, "https://agents.example.org"))
    for (const origin of [
      "null",
      "https://agents.example.org.evil.test",
      "http://agents.example.org",
      "https://evil.test"
    ])
      assert.isFalse(AllowedHosts.isOriginAllowed(served, origin))
  })
})

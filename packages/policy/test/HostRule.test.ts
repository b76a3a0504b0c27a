/** Tests of which destinations a rule's host matches. */
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { HostRule, RuleMatch, RuleText } from "../src/index.ts"
import { root } from "./Facts.ts"

const covers = (text: string, url: string): boolean =>
  RuleMatch.matches(Result.getOrThrow(RuleText.parse(text)), {
    tool: "http_request",
    arguments: { url, method: "POST" },
    defaults: {},
    workspaceRoot: root,
    destination: HostRule.destinationOf(url)
  })

describe("HostRule", () => {
  it.each([
    ["api.example", "https://api.example/x?y=1"],
    ["api.example", "http://API.example:80/"],
    ["API.example", "https://api.example"],
    ["localhost:3000", "http://localhost:3000/"],
    ["api.example:443", "https://api.example/"],
    ['"[::1]:3000"', "http://[0:0::1]:3000/"],
    ["127.0.0.1:81", "http://0x7f.1:81/"]
  ])("an allow of host=%s covers %s", (host, url) => {
    assert.isTrue(covers(`http_request host=${host} method=POST`, url))
  })

  it.each([
    ["api.example", "https://www.api.example/"],
    ["api.example", "https://api.example.evil/"],
    ["api.example", "https://api.example@evil/"],
    ["api.example", "https://api.example:8443/"],
    ["api.example", "https://api.example./"],
    ["localhost:3000", "http://localhost:3001/"],
    ["api.example:443", "http://api.example/"],
    ["api.example", "ftp://api.example/"]
  ])("an allow of host=%s does not cover %s", (host, url) => {
    assert.isFalse(covers(`http_request host=${host}`, url))
  })

  it.each([
    ["evil.example", "https://evil.example/"],
    ["evil.example", "https://a.b.evil.example:8443/"],
    ["evil.example", "https://evil.example./"],
    ["evil.example:8443", "https://a.evil.example:8443/"]
  ])("a deny of host=%s covers %s", (host, url) => {
    assert.isTrue(covers(`deny * host=${host}`, url))
    assert.isTrue(covers(`ask http_request host=${host}`, url))
  })

  it.each([
    ["evil.example", "https://devil.example/"],
    ["evil.example:8443", "https://evil.example/"]
  ])("a deny of host=%s does not cover %s", (host, url) => {
    assert.isFalse(covers(`deny * host=${host}`, url))
  })

  it("refuses a rule with an invalid host", () => {
    for (const host of ["https://api.example", "api.example/x", "a@b", '"a b"', "3000", '""']) {
      const read = RuleText.parse(`http_request host=${host}`)
      assert.isTrue(Result.isFailure(read), host)
    }
  })
})

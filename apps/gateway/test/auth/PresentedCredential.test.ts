/** Tests with any headers, cookies and origins of a request: a cookie works for the gateway's own page alone. */
import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as CredentialSecret from "../../src/accounts/CredentialSecret.ts"
import * as AllowedHosts from "../../src/auth/AllowedHosts.ts"
import * as PresentedCredential from "../../src/auth/PresentedCredential.ts"
import * as SessionCookie from "../../src/auth/SessionCookie.ts"

const allowed = AllowedHosts.make({
  listening: { host: "127.0.0.1", port: 4100 },
  allowedOrigins: ["https://front.example.org"]
})
const cookie = CredentialSecret.mint("cookie").text
const own = "http://127.0.0.1:4100"
const proof = CredentialSecret.csrfToken(cookie)

const requests = Schema.Struct({
  method: Schema.Literals(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "PROPFIND"]),
  origin: Schema.Literals(["", own, "null", "https://evil.test", "https://front.example.org", `${own}.evil.test`]),
  site: Schema.Literals(["", "same-origin", "same-site", "cross-site", "none"]),
  csrf: Schema.Literals(["", "wrong", proof, ` ${proof}`, Redacted.value(cookie)]),
  upgrade: Schema.Literals(["", "websocket"])
})

describe("PresentedCredential", () => {
  it.prop("accepts a mutation with a cookie only from the gateway's page, with its proof", [requests], ([parts]) => {
    const headers: Record<string, string> = {}
    if (parts.origin !== "") headers["origin"] = parts.origin
    if (parts.site !== "") headers["sec-fetch-site"] = parts.site
    if (parts.csrf !== "") headers["x-csrf-token"] = parts.csrf
    if (parts.upgrade !== "") headers["upgrade"] = parts.upgrade
    const request = { method: parts.method, headers, cookies: {} }
    const isAllowed = PresentedCredential.isFromOwnPage(request, cookie, allowed)
    if (parts.origin !== "" && parts.origin !== own) assert.isFalse(isAllowed)
    if (parts.site === "cross-site") assert.isFalse(isAllowed)
    if (parts.upgrade !== "") assert.strictEqual(isAllowed, parts.origin === own && parts.site !== "cross-site")
    else if (!["GET", "HEAD", "OPTIONS"].includes(parts.method) && parts.csrf !== proof) assert.isFalse(isAllowed)
    else if (["", own].includes(parts.origin) && parts.site !== "cross-site") assert.isTrue(isAllowed)
  })

  it("an Authorization header decides alone, even a wrong one beside a good cookie", () => {
    const policy = { isSecure: false }
    const cookies = { [SessionCookie.nameOf(policy)]: Redacted.value(cookie) }
    const presented = (authorization: string | undefined) =>
      PresentedCredential.fromRequest({ method: "GET", headers: { authorization }, cookies }, policy)
    assert.strictEqual(presented(undefined)._tag, "Cookie")
    for (const authorization of ["", "Bearer", "Bearer wrong", "Basic YTpi", "Bearer a b", "bough_token_1"]) {
      const found = presented(authorization)
      assert.strictEqual(found._tag, "Bearer", authorization)
      if (found._tag === "Bearer") assert.notStrictEqual(Redacted.value(found.secret), Redacted.value(cookie))
    }
  })

  it("reads the cookie of https under a name that another host cannot set", () => {
    const cookies = { bough_session: Redacted.value(cookie) }
    const request = { method: "GET", headers: {}, cookies }
    assert.strictEqual(PresentedCredential.fromRequest(request, { isSecure: true })._tag, "None")
    assert.match(SessionCookie.nameOf({ isSecure: true }), /^__Host-/)
  })
})

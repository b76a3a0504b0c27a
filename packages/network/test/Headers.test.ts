/** Which headers a call may set, and the operator's headers beside them. */
import { Capability, ToolContext } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isCredential } from "../src/CredentialHeader.ts"
import * as Headers from "../src/Headers.ts"
import { Network } from "../src/index.ts"
import { operatorHeaders } from "../src/OperatorHeaders.ts"
import * as Target from "../src/Target.ts"
import * as World from "./World.ts"

const refused = (headers: Headers.Headers) =>
  Effect.match(Headers.forWrite(headers), { onFailure: ({ reason }) => reason, onSuccess: () => null })

const post = { method: "POST", headers: {}, body: null }

describe("Headers", () => {
  it.effect.each([
    "X-Trace",
    "User-Agent",
    "Origin",
    "Range",
    "Prefer",
    "If-Match",
    "Idempotency-Key",
    "X-Keyboard",
    "X-GitHub-Api-Version",
    "Content-Type",
    "X-Author",
    "Last-Event-ID"
  ])("a request that needs an approval may set %s", (name) =>
    Effect.map(refused({ [name]: "a value" }), (reason) => assert.isNull(reason))
  )

  it.effect.each([
    "Authorization",
    "Cookie",
    "Proxy-Authorization",
    "X-Api-Key",
    "x-goog-api-key",
    "Ocp-Apim-Subscription-Key",
    "X-Vault-Token",
    "PRIVATE-TOKEN",
    "X-Auth-Email",
    "X-Amz-Security-Token",
    "X-Session-Id",
    "X-ApiKey",
    "api_key"
  ])("no call sets %s, which carries a credential", (name) =>
    Effect.map(refused({ [name]: "a value" }), (reason) => assert.match(reason ?? "", /^Header: /))
  )

  it.effect.each([
    "X-Forwarded-Host",
    "X-Real-IP",
    "Metadata",
    "X-aws-ec2-metadata-token",
    "Upgrade",
    "Via",
    "a b",
    ""
  ])("no call sets %j, which belongs to the connection or states the origin of a request", (name) =>
    Effect.map(refused({ [name]: "x" }), (reason) => assert.match(reason ?? "", /^Header: /))
  )

  const word = Schema.Literals(["token", "secret", "password", "auth", "cookie", "apikey", "key", "jwt"])
  const part = Schema.Literals(["x", "Team", "My", "a1"])
  it.prop("a word for a credential counts at any position of a name", [part, word, part], ([before, word, after]) => {
    assert.isTrue(isCredential(`X-${before}-${word}-${after}`))
    assert.isTrue(isCredential(`${word.toUpperCase()}_${after}`))
  })

  it.effect("many or long headers are refused", () =>
    Effect.gen(function* () {
      assert.isNotNull(yield* refused(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`x-${at}`, "v"]))))
      assert.isNotNull(yield* refused({ "x-long": "v".repeat(20_000) }))
    })
  )

  it.live("the operator's header for a host goes there alone, for writes alone, and makes the answer private", () =>
    Effect.gen(function* () {
      const site = yield* World.serve((_, response) => response.end("mine"))
      const other = yield* World.serve((_, response) => response.end("other"))
      const server = yield* World.nameServer({ "own.test": ["127.0.0.1"], "other.test": ["127.0.0.1"] })
      const network = Network.make({
        nameServers: [server],
        allow: [
          { host: "own.test", port: site.port },
          { host: "other.test", port: other.port }
        ],
        headers: [{ host: "OWN.test", port: site.port, headers: { Authorization: "Bearer t0p", "X-Team": "a" } }]
      })
      const marks: Array<string> = []
      const [own, foreign] = [`http://own.test:${site.port}/`, `http://other.test:${other.port}/`]
      const context = Network.provideWrites(ToolContext.empty("Main"), network)
      const provided = context.capabilities.get(Capability.NetworkWrite.key)
      assert.isDefined(provided)
      const made = provided.make(SampleInvocation.make(), (label) => marks.push(label))
      const { send } = made as Capability.NetworkWrite["Service"]
      yield* send({ ...post, url: foreign })
      assert.deepStrictEqual(marks, [])
      yield* send({ ...post, url: own, headers: { "X-Team": "b" } })
      yield* network.read([]).get(own)
      assert.deepStrictEqual(marks, ["private"])
      const [sent, read] = site.seen.requests
      assert.deepStrictEqual([sent.headers.authorization, sent.headers["x-team"]], ["Bearer t0p", "a"])
      assert.isUndefined(read.headers.authorization)
      assert.isUndefined(other.seen.requests[0].headers.authorization)
      assert.deepStrictEqual((yield* network.read([]).inspect(own)).operatorHeaders, ["Authorization", "X-Team"])
    })
  )

  it.each([
    ["https://own.test/", true],
    ["https://own.test:8443/", false],
    ["http://own.test:443/", false],
    ["http://own.test/", false],
    ["https://below.own.test/", false],
    ["https://own.test.evil.test/", false]
  ])("the operator's header goes to that host and port by TLS alone: %s %s", (url, goes) => {
    const configured = [{ host: "own.test", headers: { Authorization: "t0p" } }]
    const target = Result.getOrThrow(Target.parse(url))
    assert.strictEqual(Object.keys(operatorHeaders(configured, [], target)).length === 1, goes)
  })
})

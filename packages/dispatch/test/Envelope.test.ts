/** Tests of a call's end on the wire. */
import { Envelope as Wire } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Envelope } from "../src/index.ts"
import { requestFor, prior, world } from "./Harness.ts"
import { any } from "./Tools.ts"

const call = requestFor("read_file", { path: "a" })

/** Encoded and decoded, as a reader on the other side gets it. */
const sent = (setting: Parameters<typeof world>[0], of = call) =>
  Effect.gen(function* () {
    const dispatched = yield* world(setting).dispatch(of)
    const text = JSON.stringify(Envelope.toEnvelope(of.toolCallId, dispatched))
    return yield* Schema.decodeUnknownEffect(Wire.Envelope)(JSON.parse(text))
  })

describe("Envelope", () => {
  it.effect("a success holds the output as a value", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* sent({ tools: [any({})] }), {
        status: "success",
        toolCallId: "call-1",
        result: { output: { done: true }, display: "Done", artifacts: [] },
        executionTimeMillis: 0
      })
    })
  )

  it.effect("a success holds the details for users beyond the summary", () =>
    Effect.gen(function* () {
      const execute = () => Effect.succeed({ output: { done: true }, display: "Done", details: "+a\n" })
      const envelope = yield* sent({ tools: [any({ execute })] })
      assert.strictEqual(envelope.status === "success" ? envelope.result.details : "", "+a\n")
    })
  )

  it.effect("a failure holds its tag", () =>
    Effect.gen(function* () {
      const envelope = yield* sent({ tools: [] })
      assert.isTrue(envelope.status === "error" && envelope.error._tag === "ValidationError")
    })
  )

  it.effect("a denial of the user is a rejection with their reason", () =>
    Effect.gen(function* () {
      const tools = [any({ tier: "Elevated" })]
      assert.deepInclude(yield* sent({ tools, answers: [{ deny: "not today" }] }), {
        status: "rejected",
        reason: "denied by ana",
        userMessage: "not today"
      })
    })
  )

  it.effect("a pending call is a rejection that names the approval", () =>
    Effect.gen(function* () {
      const envelope = yield* sent({ tools: [any({ tier: "Elevated" })] })
      assert.deepInclude(envelope, { status: "rejected", reason: "waits for a decision on read_file (approval-1)" })
    })
  )

  it.effect("an unknown outcome is an error that says so", () =>
    Effect.gen(function* () {
      const envelope = yield* sent({ tools: [any({ replay: "Unsafe" })] }, { ...call, prior: prior({ path: "a" }) })
      assert.include(envelope.status === "error" ? JSON.stringify(envelope.error) : "", "outcome unknown")
    })
  )

  it.effect("a truncated output is text, and the full value if the caller has it", () =>
    Effect.gen(function* () {
      const long = { done: true, text: "x".repeat(20_000) }
      const tool = any({
        output: Schema.Unknown as never,
        execute: () => Effect.succeed({ output: long, display: "" })
      })
      const dispatched = yield* world({ tools: [tool] }).dispatch(call)
      const cut = Envelope.toEnvelope(call.toolCallId, dispatched)
      const whole = Envelope.toEnvelope(call.toolCallId, dispatched, JSON.stringify(long))
      assert.isTrue(cut.status === "success" && typeof cut.result.output === "string")
      assert.deepStrictEqual(whole.status === "success" ? whole.result.output : null, long)
    })
  )
})

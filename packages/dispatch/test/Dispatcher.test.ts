/** Tests of a complete call. */
import { Artifact, Canonical, Entry, Event, Receipt, ToolError } from "@bough/protocol"
import { Tool } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Dispatcher from "../src/Dispatcher.ts"
import * as TruncateOutput from "../src/TruncateOutput.ts"
import { requestFor, world } from "./Harness.ts"
import { any } from "./Tools.ts"

const echo = Tool.make("echo", {
  version: 4,
  description: "Does it",
  tier: "ReadOnly",
  replay: "Safe",
  capabilities: [],
  parameters: Schema.Struct({ text: Schema.String }),
  output: Schema.Struct({ text: Schema.String, at: Schema.optionalKey(Schema.Date) }),
  execute: ({ text }) => Effect.succeed({ output: { text }, display: `Echoed ${text}` })
})

describe("Dispatcher", () => {
  it.effect("a call ends with its output, a receipt over the stored bytes, and events in order", () =>
    Effect.gen(function* () {
      const { end, records } = world({ tools: [echo] })
      const { outcome, receipt } = yield* end(requestFor("echo", { text: "hi" }))
      assert.deepStrictEqual(outcome, {
        _tag: "Succeeded",
        output: '{"text":"hi"}',
        outputBlob: null,
        media: [],
        display: "Echoed hi"
      })
      assert.deepInclude(receipt!, {
        tool: "echo",
        version: 4,
        tier: "ReadOnly",
        argumentsDigest: Canonical.digest('{"text":"hi"}'),
        outputDigest: Canonical.digest('{"text":"hi"}'),
        authority: { _tag: "Automatic" },
        attempt: 1,
        elapsedMillis: 0
      })
      assert.deepStrictEqual(
        records.events.map(({ _tag }) => _tag),
        ["ToolStarted"]
      )
    })
  )

  it.effect("every recorded entry matches its stored schema", () =>
    Effect.gen(function* () {
      const { end, records } = world({ tools: [echo, any({ name: "broken", execute: () => Effect.die("x") })] })
      const calls = [
        requestFor("echo", { text: "x" }),
        requestFor("echo", "{"),
        requestFor("nobody"),
        requestFor("broken", { path: "a" })
      ]
      for (const call of calls) {
        const { outcome, receipt } = yield* end(call)
        yield* Schema.decodeUnknownEffect(Entry.Outcome)(JSON.parse(JSON.stringify(outcome)))
        yield* Schema.decodeUnknownEffect(Schema.NullOr(Receipt.Receipt))(JSON.parse(JSON.stringify(receipt)))
      }
      for (const event of records.events) yield* Schema.decodeUnknownEffect(Event.Event)(event)
      assert.lengthOf(records.ended, 4)
    })
  )

  it.effect("an output goes through its schema", () =>
    Effect.gen(function* () {
      const dated = { ...echo, execute: () => Effect.succeed({ output: { text: "x", at: new Date(0) }, display: "" }) }
      const { outcome } = yield* world({ tools: [dated] }).end(requestFor("echo", { text: "hi" }))
      assert.propertyVal(outcome, "output", '{"text":"x","at":"1970-01-01T00:00:00.000Z"}')
    })
  )

  it.effect.each([{ text: 1 }, { text: 1, more: true }, null, undefined])(
    "an output that does not match its schema is a bug of the tool: %j",
    (output) =>
      Effect.gen(function* () {
        const artifact: Artifact.Artifact = { _tag: "FileDeleted", path: "a.txt" }
        const wrong = { ...echo, execute: () => Effect.succeed({ output, display: "", artifacts: [artifact] }) }
        const { outcome, receipt } = yield* world({ tools: [wrong as Tool.Any] }).end(
          requestFor("echo", { text: "hi" })
        )
        const error = outcome._tag === "Failed" ? outcome.error : assert.fail(outcome._tag)
        assert.include(ToolError.describe(error), "a bug in the tool echo: its output does not fit its schema")
        // The effects of the call are recorded all the same.
        assert.deepStrictEqual(receipt?.artifacts, [artifact])
      })
  )

  it.effect("secrets are redacted before a result is digested, stored or shown", () =>
    Effect.gen(function* () {
      const leaky = {
        ...echo,
        execute: () =>
          Effect.succeed({
            output: { text: `token hunter2-token ${"x".repeat(TruncateOutput.maxBytes)}` },
            display: "hunter2-token",
            details: `${"x".repeat(TruncateOutput.maxBytes)} hunter2-token`,
            artifacts: [{ _tag: "CommandExecuted" as const, command: "login hunter2-token", exitCode: 0 }]
          })
      }
      const { end, records } = world({ tools: [leaky], secrets: ["hunter2-token"] })
      const ended = yield* end(requestFor("echo", { text: "hi" }))
      const [blob] = records.spilled
      assert.notInclude(JSON.stringify([ended, records.events]), "hunter2-token")
      assert.notInclude(new TextDecoder().decode(blob), "hunter2-token")
      assert.strictEqual(ended.receipt?.outputDigest, Canonical.digest(blob))
      assert(ended.outcome._tag === "Succeeded")
      assert.strictEqual(Buffer.byteLength(ended.outcome.details ?? ""), TruncateOutput.maxBytes)
    })
  )

  it.effect("secrets in an error's message are redacted, and a long message is truncated", () =>
    Effect.gen(function* () {
      const message = `hunter2-token ${"x".repeat(100_000)}`
      const failing = any({
        execute: () => Effect.fail(new ToolError.ExecutionError({ message, hint: "hunter2-token" }))
      })
      const { end } = world({ tools: [failing], secrets: ["hunter2-token"] })
      const { outcome } = yield* end(requestFor("read_file", { path: "a" }))
      const text = JSON.stringify(outcome)
      assert.notInclude(text, "hunter2-token")
      assert.include(text, "[output truncated — original size: ")
      assert.isBelow(Buffer.byteLength(text), TruncateOutput.maxBytes + 500)
    })
  )

  it.effect("secrets in the output of a timed-out command are redacted", () =>
    Effect.gen(function* () {
      const late = any({
        replay: "Unsafe",
        execute: () => Effect.fail(new ToolError.Timeout({ elapsedMillis: 5, hint: "printed hunter2-token" }))
      })
      const { end } = world({ tools: [late], secrets: ["hunter2-token"] })
      const { outcome } = yield* end(requestFor("read_file", { path: "a" }))
      assert.match(JSON.stringify(outcome), /"_tag":"Unknown".* ran out of time .*; printed \[redacted/)
      assert.notInclude(JSON.stringify(outcome), "hunter2-token")
    })
  )

  it.effect("a sender's claim that a tool exists does not make it exist", () =>
    Effect.gen(function* () {
      const { outcome } = yield* world({ tools: [echo] }).end(requestFor("constructor", { text: "hi" }))
      assert.strictEqual(outcome._tag, "Failed")
    })
  )

  it("derives the encoder of a tool's output before its first call", () => {
    let looked = 0
    const output = Schema.Struct({ text: Schema.String })
    const tool = Tool.make("late", {
      version: 1,
      description: "Does it late",
      tier: "ReadOnly",
      replay: "Safe",
      capabilities: [],
      parameters: Schema.Struct({}),
      output,
      execute: () => Effect.succeed({ output: { text: "" }, display: "Done" })
    })
    Dispatcher.derive({
      ...tool,
      get output() {
        looked++
        return output
      }
    })
    assert.isAbove(looked, 0)
  })
})

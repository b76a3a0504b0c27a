/** Tests that apply to both bridges, each with its own input. */
import { ask, calls, end, prompt, reasoning, text } from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as Bridges from "./Bridges.ts"

const sourceOf = (...words: ReadonlyArray<Bridges.Word>): Bridges.Source => ({ words, ending: "ends" })

const readFile = { id: "a", name: "read_file" }

describe.each(Bridges.each)("%s", (_, make) => {
  it.effect("describes the model, and bounds the cost of a prompt", () =>
    Effect.gen(function* () {
      const { service } = yield* make(sourceOf())
      const { stream: _stream, ...description } = service
      assert.deepStrictEqual(description, {
        name: "test/any",
        contextTokens: 1000,
        priced: true,
        inputPerMillionUsd: 1,
        outputPerMillionUsd: 2
      })
      const free = yield* make(sourceOf(), { price: null })
      assert.isFalse(free.service.priced)
      assert.notProperty(free.service, "inputPerMillionUsd")
    })
  )

  it.effect("passes on text, reasoning with the provider's data, and the cost", () =>
    Effect.gen(function* () {
      const { service } = yield* make(
        sourceOf(
          { type: "reasoning", text: "hm", signature: "s1g" },
          { type: "text", text: "Hel" },
          { type: "text", text: "lo" },
          { type: "finish", reason: "stop" }
        )
      )
      const reply = yield* ask(service, prompt("hi"))
      assert.isNull(reply.error)
      assert.deepStrictEqual([reasoning(reply), text(reply)], ["hm", "Hello"])
      assert.deepInclude(reply.parts, { _tag: "Reasoning", text: "", signature: `{"anthropic":{"signature":"s1g"}}` })
      assert.deepStrictEqual(end(reply), {
        _tag: "End",
        reason: "stop",
        inputTokens: 1_000_000,
        cachedInputTokens: 100_000,
        outputTokens: 1_000_000,
        costUsd: 3
      })
    })
  )

  it.effect("passes on nothing after the end of the reply", () =>
    Effect.gen(function* () {
      const { service } = yield* make(
        sourceOf({ type: "text", text: "Hello" }, { type: "finish", reason: "stop" }, { type: "text", text: " again" })
      )
      const { error, parts } = yield* ask(service, prompt("hi"))
      assert.deepStrictEqual([error, parts.map(({ _tag }) => _tag)], [null, ["Text", "End"]])
    })
  )

  it.effect("passes on calls in fragments, complete calls, and calls of undeclared tools", () =>
    Effect.gen(function* () {
      const { service } = yield* make(
        sourceOf(
          { type: "opened", ...readFile },
          { type: "arguments", id: "a", text: `{"path":` },
          { type: "arguments", id: "a", text: `"x"}` },
          { type: "call", ...readFile, arguments: { path: "x" } },
          { type: "call", id: "b", name: "no_such_tool", arguments: { any: 1 } },
          { type: "finish", reason: "tool-calls" }
        )
      )
      const reply = yield* ask(service, prompt("go", ["read_file"]))
      assert.isNull(reply.error)
      assert.deepStrictEqual(calls(reply), [
        { ...readFile, arguments: `{"path":"x"}` },
        { id: "b", name: "no_such_tool", arguments: `{"any":1}` }
      ])
      assert.strictEqual(end(reply)?.reason, "toolCalls")
    })
  )

  it.effect.each([
    ["ends without a finish", [{ type: "call", ...readFile, arguments: {} }]],
    [
      "finishes inside a call",
      [
        { type: "opened", ...readFile },
        { type: "arguments", id: "a", text: "{" },
        { type: "finish", reason: "tool-calls" }
      ]
    ]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<Bridges.Word>]>)("a reply is cut if it %s", ([, words]) =>
    Effect.gen(function* () {
      const { service } = yield* make(sourceOf(...words))
      const reply = yield* ask(service, prompt("go", ["read_file"]))
      assert.strictEqual(reply.error?.reason, "StreamCut")
      assert.include(reply.error?.message, "inside a call of read_file")
      assert.isUndefined(end(reply))
    })
  )

  it.effect("maps every way to finish", () =>
    Effect.gen(function* () {
      for (const [reason, expected] of [
        ["stop", "stop"],
        ["length", "length"],
        ["content-filter", "filtered"],
        ["tool-calls", "toolCalls"],
        ["other", "other"]
      ] as const) {
        const { service } = yield* make(sourceOf({ type: "finish", reason }))
        assert.strictEqual(end(yield* ask(service, prompt("go")))?.reason, expected)
      }
      const { service } = yield* make(sourceOf({ type: "finish", reason: "error" }))
      assert.strictEqual((yield* ask(service, prompt("go"))).error?.reason, "ServerFailed")
    })
  )

  it.effect("a provider that throws fails with a model error, without its secrets", () =>
    Effect.gen(function* () {
      const { service } = yield* make({ words: [], ending: "throws" })
      const { error } = yield* ask(service, prompt("go"))
      assert.strictEqual(error?.message, "test/any: out of order: [redacted]")
    })
  )

  it.effect.each(["hangs", "deaf"] as const)(
    "an interruption leaves a provider that %s, and waits for nothing",
    (ending) =>
      Effect.gen(function* () {
        const { service, wasLeft } = yield* make({ words: [{ type: "text", text: "a" }], ending })
        const started = yield* Deferred.make<void>()
        const reading = Stream.runForEach(service.stream(prompt("go")), () => Deferred.succeed(started, undefined))
        const fiber = yield* Effect.forkChild(reading, { startImmediately: true })
        yield* Deferred.await(started)
        assert.isFalse(wasLeft())
        yield* Fiber.interrupt(fiber)
        // A source outside of effect/ai cannot be notified.
        if (ending === "hangs") assert.isTrue(wasLeft())
      })
  )

  it.effect("a reply that was read to its end leaves no reader", () =>
    Effect.gen(function* () {
      const { service, wasLeft } = yield* make(
        sourceOf({ type: "text", text: "a" }, { type: "finish", reason: "stop" })
      )
      yield* ask(service, prompt("go"))
      assert.isFalse(wasLeft())
    })
  )
})

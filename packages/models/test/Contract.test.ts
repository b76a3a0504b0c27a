/** Tests that every way to a model must pass, each in its own dialect from a scripted server on loopback. */
import {
  ask,
  assistant,
  calls,
  end,
  prompt,
  reasoning,
  text,
  toolCall,
  toolResult,
  user
} from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as ChatServer from "./ChatServer.ts"
import { joined } from "./wire/Dialect.ts"
import * as Speakers from "./wire/Speakers.ts"
import * as Wire from "./wire/Wire.ts"

/** The machine's clock, on which pauses take a twentieth of their time. */
const liveClock = Clock.Clock.defaultValue()
const hurriedClock: Clock.Clock = {
  currentTimeMillis: liveClock.currentTimeMillis,
  currentTimeNanos: liveClock.currentTimeNanos,
  monotonicTimeNanos: liveClock.monotonicTimeNanos,
  currentTimeMillisUnsafe: () => liveClock.currentTimeMillisUnsafe(),
  currentTimeNanosUnsafe: () => liveClock.currentTimeNanosUnsafe(),
  monotonicTimeNanosUnsafe: () => liveClock.monotonicTimeNanosUnsafe(),
  sleep: (pause: Duration.Duration) => liveClock.sleep(Duration.times(pause, 1 / 20))
}

const { call, says } = Wire
const page = "<!doctype html><html><body><h1>Welcome</h1></body></html>"

const askingOf =
  ({ modelAt }: Speakers.Speaker) =>
  (answer: ChatServer.Answer) =>
    Effect.gen(function* () {
      const { model } = yield* Wire.connect(modelAt, answer)
      return yield* ask(model, prompt("hi", ["read_file"]))
    }).pipe(Effect.scoped)

describe.each(Speakers.all)("The %s", (_, speaker) => {
  const { dialect, modelAt } = speaker
  const asking = askingOf(speaker)

  it.live("streams text and reasoning, and ends with tokens and cost", () =>
    Effect.gen(function* () {
      const tokens = { input: 1_000_000, cached: 500_000, written: dialect.countsWritten ? 100_000 : 0, output: 10_000 }
      const parts = [{ is: "reasoning", text: "hm", signature: "c2ln" } as const, Wire.text("Hel"), Wire.text("lo")]
      const { bodies, model, server } = yield* Wire.connect(
        modelAt,
        Wire.answer(dialect, { said: parts, ends: "stop", tokens })
      )
      const reply = yield* ask(model, prompt("hi", ["read_file"]))
      assert.isNull(reply.error)
      assert.strictEqual(reasoning(reply), dialect.reasons ? "hm" : "")
      assert.strictEqual(text(reply), "Hello")
      const { costUsd, ...ended } = end(reply)!
      assert.deepStrictEqual(ended, {
        _tag: "End",
        reason: "stop",
        inputTokens: 1_000_000,
        cachedInputTokens: 500_000,
        outputTokens: 10_000
      })
      // 10 $ input, 1 $ read from the cache, 20 $ written to it, 100 $ output, each per million.
      assert.closeTo(costUsd!, dialect.countsWritten ? 4 + 0.5 + 2 + 1 : 5 + 0.5 + 1, 1e-9)
      const [received] = server.received
      assert.match(received.path, dialect.path)
      assert.include(received.headers[dialect.keyHeader], Wire.key)
      assert.include(JSON.stringify(bodies()[0]), "be brief")
    }).pipe(Effect.scoped)
  )

  it.live("passes on the calls of one reply under their ids, with the model's own arguments", () =>
    Effect.gen(function* () {
      const written = dialect.writesArguments ? `{ "path":  "a" }` : `{"path":"a"}`
      const callParts = [
        call("c1", "read_file", written),
        call("c2", "read_file", { path: 7 }),
        call("c3", "read_file", {})
      ]
      const reply = yield* asking(Wire.answer(dialect, says(...callParts)))
      assert.isNull(reply.error)
      assert.deepStrictEqual(calls(reply), [
        { id: "c1", name: "read_file", arguments: written },
        { id: "c2", name: "read_file", arguments: `{"path":7}` },
        { id: "c3", name: "read_file", arguments: "{}" }
      ])
      assert.strictEqual(end(reply)?.reason, "toolCalls")
    })
  )

  it.live("requests no more tokens than a reply may have, and reports their cost", () =>
    Effect.gen(function* () {
      const { bodies, model } = yield* Wire.connect(modelAt, Wire.answer(dialect, says(Wire.text("ok"))))
      assert.strictEqual(model.outputPerMillionUsd, 100)
      assert.strictEqual(model.inputPerMillionUsd, 20)
      yield* ask(model, { ...prompt("hi"), maxOutputTokens: 1234 })
      yield* ask(model, prompt("hi"))
      const [bounded, free] = bodies().map(dialect.limit)
      assert.strictEqual(bounded, 1234)
      assert.notStrictEqual(free, 1234)
    }).pipe(Effect.scoped)
  )

  const mistakes = [
    ["names a tool that was not declared", call("c1", "no_such_tool", { path: "a" })],
    ["writes arguments that are not JSON", call("c1", "read_file", `{"path": "a`)]
  ] as const
  it.live.each(dialect.writesArguments ? mistakes : mistakes.slice(0, 1))(
    "a model that %s is answered in the conversation",
    ([, said]) =>
      Effect.gen(function* () {
        const reply = yield* asking(Wire.answer(dialect, says(said)))
        assert.isNull(reply.error)
        assert.deepStrictEqual(calls(reply), [{ id: "c1", name: said.name, arguments: joined(said) }])
        assert.strictEqual(end(reply)?.reason, "toolCalls")
      })
  )

  it.live.each([
    ["a wrong key", 401, "Refused", false],
    ["a key that may not do this", 403, "Refused", false],
    ["an unknown model", 404, "UnknownModel", false],
    ["too many requests", 429, "RateLimited", true],
    ["a server that fails", 500, "ServerFailed", true],
    ["an overloaded server", 529, "ServerFailed", true]
  ] as const)("%s is one line with a fix, without the key", ([, status, reason, retryable]) =>
    Effect.gen(function* () {
      const message = `no: ${Wire.key}\nsecond line`
      const { error, parts } = yield* asking(Wire.failure(dialect, status, message, { "retry-after": "7" }))
      assert.isNotNull(error)
      assert.strictEqual(error.reason, reason)
      assert.strictEqual(error.retryable, retryable)
      assert.include(error.message, `${status}: no: [redacted] second line`)
      assert.isTrue(error.message.startsWith(`${dialect.model}: `))
      assert.notInclude(error.message, "\n")
      assert.notInclude(error.message, Wire.key)
      assert.isAbove(error.hint.length, 0)
      assert.strictEqual(error.retryAfterMillis, 7000)
      assert.deepStrictEqual(parts, [])
    })
  )

  it.live("waits as long as the server asks and retries, unless a part was received", () =>
    Effect.gen(function* () {
      const { retrying, server } = yield* Wire.connect(
        modelAt,
        Wire.inTurn(dialect, [
          Wire.failure(dialect, 429, "slow down", { "retry-after": "0" }),
          Wire.failure(dialect, 500, "boom"),
          says(Wire.text("ok"))
        ])
      )
      assert.strictEqual(text(yield* ask(retrying, prompt("hi"))), "ok")
      assert.strictEqual(server.received.length, 3)
    }).pipe(Effect.scoped, Effect.provideService(Clock.Clock, hurriedClock))
  )

  it.live("garbage in the stream is an error, not an answer", () =>
    Effect.gen(function* () {
      const { error, parts } = yield* asking((response) => {
        response.writeHead(200, { "content-type": dialect.contentType })
        response.end(`data: {{{{\n\n${"\u0000\u0001garbage".repeat(20)}`)
      })
      // Frames with a length prefix are never complete if their beginning is garbage.
      assert.strictEqual(error?.reason, dialect.provider.name === "amazon-bedrock" ? "StreamCut" : "BadResponse")
      assert.notInclude(error?.message, "\n")
      assert.isFalse(parts.some(({ _tag }) => _tag === "End"))
    })
  )

  it.live.each(Wire.cuts.flatMap((how) => [[how, "text"] as const, [how, "a call"] as const]))(
    "a stream %s in %s is cut, and the received part is kept",
    ([how, where]) =>
      Effect.gen(function* () {
        const parts =
          where === "text"
            ? ({ is: "text", text: "Hel", open: true } as const)
            : { ...call("c1", "read_file", { path: "a" }), open: true }
        const reply = yield* asking(Wire.cut(dialect, how, says(parts)))
        assert.strictEqual(reply.error?.reason, "StreamCut", reply.error?.message)
        assert.isTrue(reply.error?.retryable)
        assert.strictEqual(text(reply), where === "text" ? "Hel" : "")
        assert.isUndefined(end(reply))
      })
  )

  it.live("continues with a conversation that another provider signed, without sending the signatures", () =>
    Effect.gen(function* () {
      const foreign = JSON.stringify({
        elsewhere: { signature: "f0reign", itemId: "f0reign", thoughtSignature: "f0reign", encrypted: "f0reign" }
      })
      const { bodies, model } = yield* Wire.connect(modelAt, Wire.answer(dialect, says(Wire.text("ok"))))
      const conversation = prompt(
        [
          user("go"),
          assistant(
            { _tag: "Reasoning", text: "hm", signature: foreign },
            { ...toolCall("c1", "read_file", { path: "a" }), signature: foreign }
          ),
          toolResult("c1", "read_file", "content-a")
        ],
        ["read_file"]
      )
      const reply = yield* ask(model, conversation)
      assert.isNull(reply.error)
      assert.strictEqual(text(reply), "ok")
      const [body] = bodies()
      assert.strictEqual(dialect.results(body).length, 1)
      assert.include(JSON.stringify(body), "content-a")
      assert.notInclude(JSON.stringify(body), "f0reign")
    }).pipe(Effect.scoped)
  )

  it.live("closes the connection of a stream that never ends when it is interrupted", () =>
    Effect.gen(function* () {
      const { model, server } = yield* Wire.connect(modelAt, Wire.endless(dialect))
      const started = yield* Deferred.make<void>()
      const fiber = yield* model.stream(prompt("hi")).pipe(
        Stream.drop(20),
        Stream.runForEach(() => Deferred.succeed(started, undefined)),
        Effect.forkChild
      )
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      yield* server.hangClosed
    }).pipe(Effect.scoped)
  )

  it.live("closes the connection when it is interrupted before the server answers", () =>
    Effect.gen(function* () {
      const { model, server } = yield* Wire.connect(modelAt, () => {})
      const fiber = yield* Effect.forkChild(ask(model, prompt("hi")))
      yield* Deferred.await(server.hanging)
      yield* Fiber.interrupt(fiber)
      yield* server.hangClosed
    }).pipe(Effect.scoped)
  )
})

describe.each(Speakers.providers)("Of our own, the %s", (_, speaker) => {
  const { dialect, modelAt } = speaker
  const asking = askingOf(speaker)

  it.live("passes on a call without arguments as one with an empty object", () =>
    Effect.gen(function* () {
      const reply = yield* asking(Wire.answer(dialect, says(call("c1", "now", dialect.writesArguments ? "" : {}))))
      assert.isNull(reply.error)
      assert.deepStrictEqual(calls(reply), [{ id: "c1", name: "now", arguments: "{}" }])
    })
  )

  it.live("reports a reply that ran out of tokens", () =>
    Effect.gen(function* () {
      const reply = yield* asking(
        Wire.answer(dialect, { said: [Wire.text("and th")], ends: "length", tokens: Wire.tokens })
      )
      assert.isNull(reply.error)
      assert.strictEqual(end(reply)?.reason, "length")
    })
  )

  it.live.each([
    ["a web page", ChatServer.status(200, page), "BadResponse"],
    ["a web page that says there is nothing", ChatServer.status(404, page), "BadResponse"],
    ["JSON instead of a stream", ChatServer.status(200, { ok: true }), "BadResponse"]
  ] as const)("%s instead of an answer asks to check the address", ([, answer, reason]) =>
    Effect.gen(function* () {
      const { error, parts } = yield* asking(answer)
      assert.strictEqual(error?.reason, reason)
      assert.notInclude(error?.message, "<")
      assert.match(error?.hint ?? "", /_BASE_URL|_HOST|_RUNTIME/)
      assert.isFalse(parts.some(({ _tag }) => _tag === "End"))
    })
  )

  it.live.each([
    ["at its beginning", 0],
    ["after text", 1]
  ] as const)("an overload that is reported in the stream %s is reported and may be retried", ([, texts]) =>
    Effect.gen(function* () {
      const { body } = dialect.encode(says({ is: "text", text: "Hel", open: true }))
      const reply = yield* asking((response) => {
        response.writeHead(200, { "content-type": dialect.contentType })
        for (const chunk of texts === 0 ? [] : body) response.write(chunk)
        response.end(dialect.overload("engine\noverloaded"))
      })
      assert.strictEqual(reply.error?.reason, "ServerFailed")
      assert.isTrue(reply.error?.retryable)
      assert.include(reply.error?.message, "engine overloaded")
      assert.strictEqual(text(reply), texts === 0 ? "" : "Hel")
      assert.isUndefined(end(reply))
    })
  )

  it.live.each([["ends"], ["is dropped"]])("a stream that %s before any event is cut, and may be retried", ([how]) =>
    Effect.gen(function* () {
      const { error, parts } = yield* asking((response) => {
        response.writeHead(200, { "content-type": dialect.contentType })
        response.flushHeaders()
        if (how === "ends") response.end()
        else response.write("", () => response.destroy())
      })
      assert.include(["StreamCut", "Unreachable"], error?.reason)
      assert.isTrue(error?.retryable)
      assert.deepStrictEqual(parts, [])
    })
  )

  it.live("a closed port names the address", () =>
    Effect.gen(function* () {
      const origin = yield* Effect.scoped(
        Effect.map(
          Wire.connect(modelAt, () => {}),
          ({ server }) => new URL(server.baseUrl).origin
        )
      )
      const { error } = yield* ask(yield* modelAt(origin), prompt("hi"))
      assert.strictEqual(error?.reason, "Unreachable")
      assert.include(error?.message, `nothing listens at ${origin}`)
      assert.isTrue(error?.retryable)
    })
  )
})

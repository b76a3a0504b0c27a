/** Tests of the second bridge with effect/ai's own provider packages, over the wire from a scripted server on loopback. */
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as AiSdkBridge from "../src/AiSdkBridge.ts"
import * as EffectAiBridge from "../src/EffectAiBridge.ts"
import { ask, assistant, calls, end, prompt, reasoning, text, toolCall, toolResult, user } from "./Ask.ts"
import * as ChatServer from "./ChatServer.ts"
import * as Packages from "./effectAi/Packages.ts"
import type { Body } from "./wire/Dialect.ts"
import * as Wire from "./wire/Wire.ts"
import * as Workshop from "./wire/Workshop.ts"

const { call, says } = Wire
const pixel = { mediaType: "image/png", data: "iVBORw0KGgo=" }

describe.each(Packages.each)("The effect/ai provider %s", (_, { dialect, keyName, model }) => {
  const connect = Effect.fnUntraced(function* (answer: ChatServer.Answer) {
    const server = yield* ChatServer.start(answer)
    const { origin } = new URL(server.baseUrl)
    const context = yield* Effect.context()
    const service = EffectAiBridge.make({
      model: yield* model(origin, null),
      limited: (maxOutputTokens) => Effect.runSyncWith(context)(model(origin, maxOutputTokens)),
      provider: { model: dialect.model, baseUrl: origin, keyName, baseUrlName: "URL", secrets: [Wire.key] },
      contextTokens: null,
      price: {
        inputPerMillionUsd: 10,
        cachedInputPerMillionUsd: 1,
        writtenInputPerMillionUsd: 20,
        outputPerMillionUsd: 100
      },
      manners: AiSdkBridge.plainManners
    })
    return { server, service, bodies: (): ReadonlyArray<Body> => server.received.map(({ body }) => body) }
  })

  const asking = (answer: ChatServer.Answer) =>
    Effect.scoped(Effect.flatMap(connect(answer), ({ service }) => ask(service, prompt("hi", ["read_file"]))))

  it.live("streams text and reasoning, and ends with tokens and cost", () =>
    Effect.gen(function* () {
      const tokens = { input: 1_000_000, cached: 500_000, written: dialect.countsWritten ? 100_000 : 0, output: 10_000 }
      const said = [{ is: "reasoning", text: "hm", signature: "c2ln" } as const, Wire.text("Hel"), Wire.text("lo")]
      const { server, service } = yield* connect(Wire.answer(dialect, { said, ends: "stop", tokens }))
      const asking = prompt("hi", ["read_file"])
      const reply = yield* ask(service, asking)
      assert.isNull(reply.error)
      assert.strictEqual(reasoning(reply), "hm")
      assert.strictEqual(text(reply), "Hello")
      const { costUsd, ...ended } = end(reply)!
      assert.deepStrictEqual(ended, {
        _tag: "End",
        reason: "stop",
        inputTokens: 1_000_000,
        cachedInputTokens: 500_000,
        outputTokens: 10_000
      })
      assert.closeTo(costUsd!, dialect.countsWritten ? 4 + 0.5 + 2 + 1 : 5 + 0.5 + 1, 1e-9)
      const [{ body, headers, path }] = server.received
      assert.include(JSON.stringify(dialect.tools(body)), JSON.stringify(asking.tools[0].parameters))
      assert.match(path, dialect.path)
      assert.include(headers[dialect.keyHeader], Wire.key)
    }).pipe(Effect.scoped)
  )

  it.live("hands on the calls of one reply as the model wrote them", () =>
    Effect.gen(function* () {
      const reply = yield* asking(
        Wire.answer(
          dialect,
          says(
            call("c1", "read_file", `{ "path":  "a" }`),
            call("c2", "read_file", { path: 7 }),
            call("c3", "read_file", {})
          )
        )
      )
      assert.isNull(reply.error)
      assert.deepStrictEqual(calls(reply), [
        { id: "c1", name: "read_file", arguments: `{ "path":  "a" }` },
        { id: "c2", name: "read_file", arguments: `{"path":7}` },
        { id: "c3", name: "read_file", arguments: "{}" }
      ])
      assert.strictEqual(end(reply)?.reason, "toolCalls")
    })
  )

  it.live("asks for no more tokens than a reply may have", () =>
    Effect.gen(function* () {
      const { bodies, service } = yield* connect(Wire.answer(dialect, says(Wire.text("ok"))))
      yield* ask(service, { ...prompt("hi"), maxOutputTokens: 1234 })
      assert.strictEqual(dialect.limit(bodies()[0]), 1234)
    }).pipe(Effect.scoped)
  )

  it.live("sends a conversation with an image, and gives back what the provider signed", () =>
    Effect.gen(function* () {
      const said = [{ is: "reasoning", text: "hm", signature: "c2ln" } as const, call("c1", "read_file", { path: "a" })]
      const { bodies, service } = yield* connect(Wire.answer(dialect, says(...said)))
      const { parts } = yield* ask(service, prompt("go", ["read_file"]))
      const signature = parts.flatMap((part) => (part._tag === "Reasoning" && part.signature ? [part.signature] : []))
      assert.lengthOf(signature, 1)
      const conversation = [
        user("look", [pixel]),
        assistant(
          { _tag: "Reasoning", text: "hm", signature: signature[0] },
          toolCall("c1", "read_file", { path: "a" })
        ),
        toolResult("c1", "read_file", "content-a", { media: [pixel] })
      ]
      const { error } = yield* ask(service, prompt(conversation, ["read_file"]))
      assert.isNull(error)
      const body = bodies()[1]
      const sent = JSON.stringify(body)
      assert.include(sent, "be brief")
      assert.deepStrictEqual(dialect.signatures?.(body), ["c2ln"])
      assert.strictEqual(sent.split(pixel.data).length - 1, 2, "the image of the question and that of the result")
      const [result] = dialect.results(body)
      assert.include(result, "content-a")
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["a wrong key", 401, "Refused", false],
    ["an unknown model", 404, "UnknownModel", false],
    ["too many requests", 429, "RateLimited", true],
    ["a server that fails", 500, "ServerFailed", true]
  ] as const)("%s is one line with what to do, without the key", ([, status, reason, retryable]) =>
    Effect.gen(function* () {
      const message = `no: ${Wire.key}\nsecond line`
      const { error, parts } = yield* asking(Wire.failure(dialect, status, message, { "retry-after": "7" }))
      assert.strictEqual(error?.reason, reason, error?.message)
      assert.strictEqual(error?.retryable, retryable)
      assert.include(error?.message, `${status}: no: [redacted] second line`)
      assert.match(error?.message ?? "", new RegExp(`^${dialect.model}: \\S`))
      assert.notInclude(error?.message, "\n")
      assert.notInclude(error?.message, Wire.key)
      assert.notStrictEqual(error?.hint, "")
      assert.strictEqual(error?.retryAfterMillis, 7000)
      assert.deepStrictEqual(parts, [])
    })
  )

  it.live.each(Wire.cuts.flatMap((how) => [[how, "text"] as const, [how, "a call"] as const]))(
    "a stream %s in %s is cut, and what came is kept",
    ([how, where]) =>
      Effect.gen(function* () {
        const said =
          where === "text"
            ? ({ is: "text", text: "Hel", open: true } as const)
            : { ...call("c1", "read_file", { path: "a" }), open: true }
        const reply = yield* asking(Wire.cut(dialect, how, says(said)))
        assert.strictEqual(reply.error?.reason, "StreamCut", reply.error?.message)
        assert.isTrue(reply.error?.retryable)
        assert.strictEqual(
          where === "text" ? text(reply) : calls(reply)[0]?.name,
          where === "text" ? "Hel" : "read_file"
        )
        assert.isUndefined(end(reply))
      })
  )

  it.live.each([
    ["names a tool that was not declared", call("c1", "no_such_tool", { path: "a" })],
    ["writes arguments that are no JSON", call("c1", "read_file", `{"path": "a`)]
  ] as const)("a model that %s is answered in the conversation", ([, said]) =>
    Effect.gen(function* () {
      const reply = yield* asking(Wire.answer(dialect, says(said)))
      assert.isNull(reply.error)
      assert.deepStrictEqual(calls(reply), [{ id: "c1", name: said.name, arguments: said.fragments.join("") }])
      assert.strictEqual(end(reply)?.reason, "toolCalls")
      // What it cost nobody said.
      assert.isNull(end(reply)?.costUsd)
    })
  )

  it.live(
    "goes through the loop: what the model does wrong is answered, what it does right is run, a cut reply is not",
    () =>
      Effect.gen(function* () {
        const workshop = yield* Workshop.make()
        Workshop.write(workshop, "a.txt", "content-a!")
        const read = call("c3", "read_file", { path: "a.txt" })
        const { bodies, service } = yield* connect(
          Wire.inTurn(dialect, [
            says(call("c1", "no_such_tool", { path: "a.txt" })),
            says(call("c2", "read_file", `{"path": "a`)),
            says(read),
            Wire.cut(dialect, "ended", says({ ...call("c4", "run_command", { argv: ["echo", "never"] }), open: true })),
            says(Wire.text("done"))
          ])
        )
        const session = yield* Workshop.open(workshop, service)
        const go = { text: "go", media: [] }
        const cut = yield* Effect.flip(session.run(go))
        assert.strictEqual(cut._tag === "ModelError" ? cut.reason : cut._tag, "StreamCut")
        const [unknown, misshaped, content] = dialect.results(bodies()[3])
        assert.include(unknown, "no_such_tool")
        assert.match(misshaped, /JSON/)
        // As the tool gave it, and not as a string of that.
        assert.include(content, JSON.stringify(JSON.stringify({ text: "content-a!" })))
        const { status, text } = yield* session.run(go)
        assert.deepStrictEqual([status, text], ["completed", "done"])
        assert.deepStrictEqual(workshop.ran, ["read a.txt"])
      }).pipe(Effect.scoped, Effect.provide(Workshop.layer))
  )

  it.live("closes the connection of a stream that never ends when it is interrupted", () =>
    Effect.gen(function* () {
      const { server, service } = yield* connect(Wire.endless(dialect))
      const started = yield* Deferred.make<void>()
      const fiber = yield* service.stream(prompt("hi")).pipe(
        Stream.drop(20),
        Stream.runForEach(() => Deferred.succeed(started, undefined)),
        Effect.forkChild
      )
      yield* Deferred.await(started)
      yield* Fiber.interrupt(fiber)
      yield* server.hangClosed
    }).pipe(Effect.scoped)
  )
})

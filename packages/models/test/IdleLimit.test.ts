/** A reply that stalls for too long ends, even if its stream does something else. */
import type { Model } from "@bough/runtime"
import { ask, prompt } from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as AiSdkBridge from "../src/AiSdkBridge.ts"
import * as ChatCompletions from "../src/ChatCompletions.ts"
import * as IdleLimit from "../src/IdleLimit.ts"
import * as NodeFetch from "../src/NodeFetch.ts"
import * as Bridges from "./Bridges.ts"
import * as ChatServer from "./ChatServer.ts"

const bridge = (client: AiSdkBridge.Client, idleMillis: number) =>
  AiSdkBridge.make({
    ...Bridges.described,
    manners: AiSdkBridge.plainManners,
    idleMillis,
    load: Effect.succeed(client)
  })

const words: Bridges.Word = { type: "text", text: "word" }
const nothing: Bridges.Word = { type: "text", text: "" }

const client = (baseUrl: string) =>
  ChatCompletions.make({ send: NodeFetch.sender({ idleMillis: 60_000 }), baseUrl, key: null, model: "tiny" })

/** Lets everything happen that needs no time. */
const settled = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

describe.each(Bridges.each)("IdleLimit of %s", (_, make) => {
  it.effect.each([
    ["that never says anything", []],
    ["that stops after some words", [words, words]],
    ["that goes on without content", Array.from({ length: 50 }, () => nothing)]
  ] as const)("a model %s that ignores an abort is cut off with that error", ([, said]) =>
    Effect.gen(function* () {
      const { service } = yield* make({ words: said, ending: "deaf" }, { idleMillis: 10_000 })
      const fiber = yield* Effect.forkChild(ask(service, prompt("hi")), { startImmediately: true })
      yield* TestClock.adjust(9_999)
      yield* settled
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      const { error } = yield* Fiber.join(fiber)
      assert.deepStrictEqual([error?.reason, error?.retryable], ["StreamCut", true])
      assert.include(error?.message, "no data for 10 s")
    })
  )

  it.effect("the time of a slow reader is not silence, and the wait before it counts", () =>
    Effect.gen(function* () {
      const { service } = yield* make({ words: [words], ending: "deaf" }, { idleMillis: 10_000 })
      const isRead = yield* Deferred.make<void>()
      const reading = Stream.runForEach(service.stream(prompt("hi")), () =>
        Effect.andThen(Deferred.succeed(isRead, undefined), Effect.sleep(60_000))
      )
      const fiber = yield* Effect.forkChild(Effect.result(reading), { startImmediately: true })
      yield* Deferred.await(isRead)
      yield* TestClock.adjust(60_000)
      yield* settled
      yield* TestClock.adjust(9_000)
      yield* settled
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(11_000)
      const ended = yield* Fiber.join(fiber)
      assert.strictEqual(Result.isFailure(ended) && ended.failure.reason, "StreamCut")
    })
  )
})

const ending: Model.ModelPart = {
  _tag: "End",
  reason: "stop",
  inputTokens: 1,
  cachedInputTokens: 0,
  outputTokens: 1,
  costUsd: 0
}

describe("IdleLimit", () => {
  it.effect.each([
    ["never ends", Stream.never],
    ["goes on without end", Stream.repeat(Stream.make({ _tag: "Text", text: "more" } as const), Schedule.spaced(100))],
    ["fails", Stream.fail("broken")]
  ] as const)("a complete reply stays complete if its source %s", ([, rest]) =>
    Effect.gen(function* () {
      const source = Stream.concat(Stream.make({ _tag: "Text", text: "all" } as const, ending), rest)
      const reading = Stream.runCollect(IdleLimit.limitIdle(source, 10_000, () => "silent"))
      const fiber = yield* Effect.forkChild(reading, { startImmediately: true })
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual(
        (yield* Fiber.join(fiber)).map(({ _tag }) => _tag),
        ["Text", "End"]
      )
    })
  )

  it.effect("comments of a stream do not count as activity, and the connection is closed", () =>
    Effect.gen(function* () {
      const commented = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const server = yield* ChatServer.start((response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        const timer = setInterval(
          () => response.write(": still here\n\n", () => Deferred.doneUnsafe(commented, Effect.void)),
          5
        )
        response.on("close", () => {
          clearInterval(timer)
          Deferred.doneUnsafe(closed, Effect.void)
        })
      })
      const fiber = yield* Effect.forkChild(ask(bridge(client(server.baseUrl), 10_000), prompt("hi")), {
        startImmediately: true
      })
      yield* Deferred.await(commented)
      yield* TestClock.adjust(10_000)
      assert.strictEqual((yield* Fiber.join(fiber)).error?.reason, "StreamCut")
      yield* Deferred.await(closed)
    })
  )
})

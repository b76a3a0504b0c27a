/** A reply that says nothing for too long ends, whatever else its stream does; so does one whose line never ends. */
import type { LanguageModelV4, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import * as AiSdkBridge from "../src/AiSdkBridge.ts"
import * as ChatCompletions from "../src/ChatCompletions.ts"
import * as NodeFetch from "../src/NodeFetch.ts"
import { ask, prompt } from "./Ask.ts"
import * as ChatServer from "./ChatServer.ts"

const bridge = (model: LanguageModelV4 | AiSdkBridge.Client, idleMillis: number) =>
  AiSdkBridge.make({
    provider: {
      model: "test/any",
      baseUrl: "http://test.example",
      keyName: "KEY",
      baseUrlName: "BASE_URL",
      secrets: []
    },
    contextTokens: 1000,
    price: null,
    manners: AiSdkBridge.plainManners,
    idleMillis,
    load: Effect.succeed(model)
  })

/** Says these parts and then nothing more; takes no notice of an abort. */
const deaf = (parts: ReadonlyArray<LanguageModelV4StreamPart>): AiSdkBridge.Client => ({
  ask: () => {
    const left = [...parts]
    return Promise.resolve({
      contentType: null,
      read: () => {
        const next = left.shift()
        return next === undefined
          ? new Promise<AiSdkBridge.Item>(() => {})
          : Promise.resolve({ done: false as const, value: next })
      }
    })
  }
})

const words: LanguageModelV4StreamPart = { type: "text-delta", id: "t", delta: "word" }
const nothing: LanguageModelV4StreamPart = { type: "text-delta", id: "t", delta: "" }

const client = (baseUrl: string) =>
  ChatCompletions.make({ send: NodeFetch.sender({ idleMillis: 60_000 }), baseUrl, key: null, model: "tiny" })

describe("IdleLimit", () => {
  it.effect.each([
    ["that never says anything", []],
    ["that stops after some words", [words, words]],
    ["that goes on without content", Array.from({ length: 50 }, () => nothing)]
  ] as const)("a model %s, and hears no abort, is cut off and says so", ([_, said]) =>
    Effect.gen(function* () {
      const model = bridge(deaf(said), 10_000)
      const fiber = yield* Effect.forkChild(ask(model, prompt("hi")), { startImmediately: true })
      yield* TestClock.adjust(9_999)
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust(1)
      const { error } = yield* Fiber.join(fiber)
      assert.deepStrictEqual([error?.reason, error?.retryable], ["StreamCut", true])
      assert.include(error?.message, "nothing came for 10 s")
    })
  )

  it.effect("comments of a stream keep nothing alive, and the connection is closed", () =>
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

  /** One line that goes on until the client has gone; then `gone` is how much of it was sent. */
  const endlessLine = Effect.map(Deferred.make<number>(), (gone) => {
    const answer: ChatServer.Answer = (response) => {
      let sent = 0
      const piece = "x".repeat(1024 * 1024)
      const more = (error?: Error | null): void => {
        if (error) return
        sent += piece.length
        response.write(piece, more)
      }
      response.on("close", () => Deferred.doneUnsafe(gone, Effect.succeed(sent)))
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write("data: ", more)
    }
    return { answer, gone: Deferred.await(gone) }
  })

  it.live("a line without end is not kept, and its connection is closed", () =>
    Effect.gen(function* () {
      const { answer, gone } = yield* endlessLine
      const server = yield* ChatServer.start(answer)
      const { error } = yield* ask(bridge(client(server.baseUrl), 60_000), prompt("hi"))
      assert.strictEqual(error?.reason, "StreamCut")
      assert.include(error?.message, "a line without end")
      assert.isBelow(yield* gone, 64 * 1024 * 1024)
    })
  )

  it.live("nor is one that a provider's package reads", () =>
    Effect.gen(function* () {
      const { answer, gone } = yield* endlessLine
      const server = yield* ChatServer.start(answer)
      const fetch = NodeFetch.make(NodeFetch.sender({ idleMillis: 60_000 }))
      const response = yield* Effect.promise(() => fetch(server.baseUrl))
      const reader = (response.body as ReadableStream<Uint8Array>).getReader()
      const readAll = (): Promise<unknown> => reader.read().then(({ done }) => (done ? null : readAll()))
      const error = yield* Effect.promise(() => readAll().catch((thrown: unknown) => thrown))
      assert.strictEqual((error as NodeJS.ErrnoException).code, "EMSGSIZE")
      assert.isBelow(yield* gone, 64 * 1024 * 1024)
    })
  )
})

/** A line that never ends is not buffered, whichever client reads it. */
import { ask, prompt } from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { someOf, thorough } from "../../../test/thorough.ts"
import * as AiSdkBridge from "../src/AiSdkBridge.ts"
import * as ChatCompletions from "../src/ChatCompletions.ts"
import * as EffectAiBridge from "../src/EffectAiBridge.ts"
import * as LineLimit from "../src/LineLimit.ts"
import * as NodeFetch from "../src/NodeFetch.ts"
import * as Bridges from "./Bridges.ts"
import * as ChatServer from "./ChatServer.ts"
import * as Packages from "./effectAi/Packages.ts"

const mebibyte = 1024 * 1024

/** One line that continues until the client has disconnected; then `gone` is the number of bytes sent. */
const endlessLine = Effect.map(Deferred.make<number>(), (gone) => {
  const answer: ChatServer.Answer = (response) => {
    let sent = 0
    const piece = "x".repeat(mebibyte)
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

const sender = NodeFetch.sender({ idleMillis: 60_000 })

const isRefused = (chunks: ReadonlyArray<number>, by: (length: number) => void): boolean => {
  try {
    for (const length of chunks) by(length)
    return false
  } catch {
    return true
  }
}

describe("LineLimit", () => {
  it.effect.prop(
    "counts the characters after the last line feed, in bytes and in text alike",
    [Schema.Array(Schema.Struct({ before: Schema.NullOr(Schema.Int), after: Schema.Int }))],
    ([input]) =>
      Effect.sync(() => {
        const size = (number: number) => Math.abs(number) % (3 * mebibyte)
        const pieces = input.map(({ after, before }) => ({
          before: before === null ? null : size(before),
          after: size(after)
        }))
        let line = 0
        let expected = false
        for (const { after, before } of pieces) {
          line = before === null ? line + after : after
          expected ||= line > LineLimit.longestLine
        }
        const [bytes, text] = [LineLimit.counter(), LineLimit.counter()]
        const texts = pieces.map(
          ({ after, before }) => (before === null ? "" : `${"x".repeat(before)}\n`) + "x".repeat(after)
        )
        const refusedBy = (count: (chunk: string) => void) =>
          isRefused(
            texts.map((_, index) => index),
            (at) => count(texts[at])
          )
        assert.strictEqual(refusedBy(text.text), expected)
        assert.strictEqual(
          refusedBy((chunk) => bytes.bytes(Buffer.from(chunk))),
          expected
        )
      })
  )

  it("adds up a line over all of its chunks, and restarts after each line feed", () => {
    const chunks = (last: string) => Array.from({ length: 12 }, () => "x".repeat(mebibyte - 1) + last)
    for (const [last, refused] of [
      ["x", true],
      ["\n", false]
    ] as const) {
      const { bytes, text } = LineLimit.counter()
      const all = chunks(last)
      assert.strictEqual(
        isRefused([...all.keys()], (at) => text(all[at])),
        refused
      )
      assert.strictEqual(
        isRefused([...all.keys()], (at) => bytes(Buffer.from(all[at]))),
        refused
      )
    }
  })

  it.live("a line without end is not buffered, and its connection is closed", () =>
    Effect.gen(function* () {
      const { answer, gone } = yield* endlessLine
      const server = yield* ChatServer.start(answer)
      const client = ChatCompletions.make({ send: sender, baseUrl: server.baseUrl, key: null, model: "tiny" })
      const model = AiSdkBridge.make({
        ...Bridges.described,
        manners: AiSdkBridge.plainManners,
        load: Effect.succeed(client)
      })
      const { error } = yield* ask(model, prompt("hi"))
      assert.strictEqual(error?.reason, "StreamCut")
      assert.include(error?.message, "a line without end")
      assert.isBelow(yield* gone, 64 * mebibyte)
    })
  )

  it.live("a line without end is not buffered by a provider's package either", () =>
    Effect.gen(function* () {
      const { answer, gone } = yield* endlessLine
      const server = yield* ChatServer.start(answer)
      const response = yield* Effect.promise(() => NodeFetch.make(sender)(server.baseUrl))
      const reader = (response.body as ReadableStream<Uint8Array>).getReader()
      const readAll = (): Promise<unknown> => reader.read().then(({ done }) => (done ? null : readAll()))
      const error = yield* Effect.promise(() => readAll().catch((thrown: unknown) => thrown))
      assert.strictEqual((error as NodeJS.ErrnoException).code, "EMSGSIZE")
      assert.isBelow(yield* gone, 64 * mebibyte)
    })
  )

  it.live.each(someOf(Packages.each, 1))(
    "neither is one that %s reads",
    ([, { model }]) =>
      Effect.gen(function* () {
        const { answer, gone } = yield* endlessLine
        const server = yield* ChatServer.start(answer)
        const bridged = EffectAiBridge.make({
          ...Bridges.described,
          model: yield* model(new URL(server.baseUrl).origin, null),
          manners: AiSdkBridge.plainManners
        })
        const { error } = yield* ask(bridged, prompt("hi"))
        assert.strictEqual(error?.reason, "StreamCut")
        assert.include(error?.message, "a line without end")
        assert.isBelow(yield* gone, 64 * mebibyte)
      }),
    thorough
  )
})

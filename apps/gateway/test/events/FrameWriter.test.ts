/** Frames written straight to a stream: all of them in order, as fast as the other side reads. */
import type { Frame } from "@bough/gateway-api"
import * as Waiters from "@bough/runtime/journal/Waiters"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { PassThrough, type Writable } from "node:stream"
import type { Frames } from "../../src/events/FrameBuffer.ts"
import * as FrameBuffer from "../../src/events/FrameBuffer.ts"
import * as FrameWriter from "../../src/events/FrameWriter.ts"
import type { ChunkWriter } from "../../src/events/ResponseChunks.ts"

const notice = (index: number): Frame.Frame => ({
  _tag: "Resume",
  after: null,
  reason: "slow",
  retryAfterMillis: index
})

const numbersOf = (frames: Frames): string =>
  frames.map((frame) => (frame._tag === "Resume" ? `${frame.retryAfterMillis} ` : "")).join("")

/** The wake-up comes in a later turn of the event loop. */
const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))))

const outletOf = (stream: Writable): ChunkWriter => ({ stream, write: (text) => void stream.write(text) })

const makeFeed = () => {
  const buffer = FrameBuffer.make(1_000)
  const reader = buffer.open()
  const { listen, wakeSoon } = Waiters.make()
  let isEnded = false
  let taken = 0
  return {
    push: (index: number) => {
      buffer.push(notice(index))
      wakeSoon()
    },
    end: () => {
      isEnded = true
      wakeSoon()
    },
    taken: () => taken,
    waiting: buffer.size,
    reader: {
      listen,
      take: (): Frames | "ended" | null => {
        const frames = reader.take()
        if (frames === "missed") throw new Error("it missed frames")
        taken += frames?.length ?? 0
        return frames ?? (isEnded ? "ended" : null)
      }
    }
  }
}

describe("FrameWriter", () => {
  it.live("writes each frame once, those of one turn of the event loop together, and returns at the end", () =>
    Effect.gen(function* () {
      const feed = makeFeed()
      const response = new PassThrough()
      const chunks: Array<string> = []
      response.setEncoding("utf8").on("data", (chunk: string) => void chunks.push(chunk))
      feed.push(0)
      const fiber = yield* Effect.forkChild(FrameWriter.write(outletOf(response), feed.reader, numbersOf))
      yield* turn
      for (const index of [1, 2, 3]) feed.push(index)
      yield* turn
      feed.push(4)
      feed.end()
      yield* Fiber.join(fiber)
      yield* turn
      assert.deepStrictEqual(chunks, ["0 ", "1 2 3 ", "4 "])
      assert.strictEqual(response.listenerCount("drain"), 0)
      feed.push(5)
      yield* turn
      assert.strictEqual(feed.taken(), 5, "it took frames after its end")
    })
  )

  it.live("accepts no more data until the other side reads again", () =>
    Effect.gen(function* () {
      const feed = makeFeed()
      const response = new PassThrough({ highWaterMark: 8 })
      const fiber = yield* Effect.forkChild(FrameWriter.write(outletOf(response), feed.reader, numbersOf))
      yield* turn
      for (let index = 0; index < 100; index++) {
        feed.push(index)
        yield* turn
      }
      assert.isBelow(feed.taken(), 20)
      assert.strictEqual(feed.taken() + feed.waiting(), 100)
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
      feed.end()
      yield* Fiber.join(fiber)
      while (response.readableLength > 0) yield* turn
      assert.strictEqual(text, Array.from({ length: 100 }, (_, index) => `${index} `).join(""))
    })
  )

  it.live("accepts no more data after an interruption or the end of the response", () =>
    Effect.gen(function* () {
      const feed = makeFeed()
      const response = new PassThrough()
      const fiber = yield* Effect.forkChild(FrameWriter.write(outletOf(response), feed.reader, numbersOf))
      yield* turn
      response.destroy()
      feed.push(0)
      yield* turn
      assert.strictEqual(feed.taken(), 0)
      const other = new PassThrough()
      const second = yield* Effect.forkChild(FrameWriter.write(outletOf(other), feed.reader, numbersOf))
      yield* turn
      assert.strictEqual(feed.taken(), 1)
      yield* Fiber.interrupt(second)
      yield* Fiber.interrupt(fiber)
      feed.push(1)
      yield* turn
      assert.strictEqual(feed.taken(), 1)
      assert.strictEqual(other.listenerCount("drain"), 0)
    })
  )

  it.live("ends with a bug in the format, which is not thrown into the event loop", () =>
    Effect.gen(function* () {
      const feed = makeFeed()
      const broken = new Error("no text")
      const writing = FrameWriter.write(outletOf(new PassThrough()), feed.reader, () => {
        throw broken
      })
      const fiber = yield* Effect.forkChild(writing)
      yield* turn
      feed.push(0)
      const exit = yield* Fiber.await(fiber)
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) === broken)
    })
  )
})

/** Tests of retries of a model: when, after which pause, and when not. */
import { Model } from "@bough/runtime"
import { ask, prompt, text } from "@bough/runtime/testing/ModelProbe"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as Retry from "../src/Retry.ts"

const failure = (retryable: boolean, retryAfterMillis: number | null = null) =>
  new Model.ModelError({
    reason: "ServerFailed",
    model: "test/model",
    message: "boom",
    hint: "again",
    retryable,
    retryAfterMillis
  })

const okReply: Stream.Stream<Model.ModelPart> = Stream.make({ _tag: "Text", text: "ok" })

/** Plays one stream a call, the last one from then on, and counts the calls. */
const model = (streams: ReadonlyArray<Stream.Stream<Model.ModelPart, Model.ModelError>>) => {
  const requests = { times: 0 }
  const service: Model.Model["Service"] = {
    name: "test/model",
    contextTokens: null,
    priced: false,
    stream: () => Stream.suspend(() => streams[Math.min(requests.times++, streams.length - 1)])
  }
  return { asked: requests, model: Retry.withRetries(service) }
}

const again = failure(true)

describe("Retry", () => {
  it.effect("a transient failure is retried ten times over some three minutes, then reported", () =>
    Effect.gen(function* () {
      const { asked, model: retried } = model([Stream.fail(again)])
      const fiber = yield* Effect.forkChild(ask(retried, prompt("hi")))
      yield* TestClock.adjust("2 minutes")
      assert.isUndefined(fiber.pollUnsafe())
      assert.isAtLeast(asked.times, 8)
      yield* TestClock.adjust("2 minutes")
      const { error } = yield* Fiber.join(fiber)
      assert.strictEqual(error?.message, "boom")
      assert.strictEqual(asked.times, 11)
    })
  )

  it.effect("an address that cannot be reached is retried twice", () =>
    Effect.gen(function* () {
      const { hint, message, model: name } = again
      const gone = new Model.ModelError({
        reason: "Unreachable",
        model: name,
        message,
        hint,
        retryable: true,
        retryAfterMillis: null
      })
      const { asked, model: retried } = model([Stream.fail(gone)])
      const fiber = yield* Effect.forkChild(ask(retried, prompt("hi")))
      yield* TestClock.adjust("4 seconds")
      assert.isNotNull((yield* Fiber.join(fiber)).error)
      assert.strictEqual(asked.times, 3)
    })
  )

  it("takes the number of retries from a variable, and ignores an invalid one", () => {
    const counts = ["0", "3", "many", "-1", undefined].map((BOUGH_RETRIES) => Retry.retriesFrom({ BOUGH_RETRIES }))
    assert.deepStrictEqual(counts, [0, 3, 10, 10, 10])
  })

  it("a reply that was cut is retried ten times over some three minutes, with jitter, and then no more", () => {
    const { model: retried } = model([okReply])
    const cut = new Model.ModelError({
      reason: "StreamCut",
      model: "test/model",
      message: "cut",
      hint: "again",
      retryable: true,
      retryAfterMillis: null
    })
    const pauses = (random: number) =>
      Array.from({ length: 12 }, (_, before) => retried.retryPause?.(cut, before, random) ?? null)
    const [shortest, middle, longest] = [0, 0.5, 1].map(pauses)
    for (const [at, pause] of middle.entries()) {
      if (at >= 10) assert.deepStrictEqual([shortest[at], pause, longest[at]], [null, null, null])
      else assert.isTrue((shortest[at] ?? 0) < (pause ?? 0) && (pause ?? 0) < (longest[at] ?? 0))
    }
    const minutes = middle.reduce<number>((sum, pause) => sum + (pause ?? 0), 0) / 60_000
    assert.isTrue(2 <= minutes && minutes <= 4, String(minutes))
  })

  it.effect("an interruption ends the pause", () =>
    Effect.gen(function* () {
      const { asked, model: retried } = model([Stream.fail(again)])
      const fiber = yield* Effect.forkChild(ask(retried, prompt("hi")))
      yield* TestClock.adjust("20 seconds")
      const { times } = asked
      yield* Fiber.interrupt(fiber)
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(asked.times, times)
    })
  )

  it.effect("the answer of a later attempt is the answer", () =>
    Effect.gen(function* () {
      const { asked, model: retried } = model([Stream.fail(again), Stream.fail(again), okReply])
      const fiber = yield* Effect.forkChild(ask(retried, prompt("hi")))
      yield* TestClock.adjust("10 seconds")
      const reply = yield* Fiber.join(fiber)
      assert.isNull(reply.error)
      assert.strictEqual(text(reply), "ok")
      assert.strictEqual(asked.times, 3)
    })
  )

  it.effect("a permanent failure is reported at once", () =>
    Effect.gen(function* () {
      const { asked, model: retried } = model([Stream.fail(failure(false))])
      assert.isNotNull((yield* ask(retried, prompt("hi"))).error)
      assert.strictEqual(asked.times, 1)
    })
  )

  it.effect("nothing is retried once a part was received", () =>
    Effect.gen(function* () {
      const { asked, model: retried } = model([Stream.concat(okReply, Stream.fail(again))])
      const reply = yield* ask(retried, prompt("hi"))
      assert.strictEqual(text(reply), "ok")
      assert.isNotNull(reply.error)
      assert.strictEqual(asked.times, 1)
    })
  )

  it.effect("the pauses grow and lie within the jitter", () =>
    Effect.gen(function* () {
      const { asked, model: retried } = model([Stream.fail(again), Stream.fail(again), okReply])
      const fiber = yield* Effect.forkChild(ask(retried, prompt("hi")))
      yield* TestClock.adjust("390 millis")
      assert.strictEqual(asked.times, 1)
      yield* TestClock.adjust("220 millis")
      assert.strictEqual(asked.times, 2)
      yield* TestClock.adjust("580 millis")
      assert.strictEqual(asked.times, 2)
      yield* TestClock.adjust("630 millis")
      assert.strictEqual(asked.times, 3)
      yield* Fiber.join(fiber)
    })
  )

  it.effect("a provider that names a pause gets it in full", () =>
    Effect.gen(function* () {
      const { asked, model: retried } = model([Stream.fail(failure(true, 20_000)), okReply])
      const fiber = yield* Effect.forkChild(ask(retried, prompt("hi")))
      yield* TestClock.adjust("19999 millis")
      assert.strictEqual(asked.times, 1)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(text(yield* Fiber.join(fiber)), "ok")
    })
  )

  it.effect("a long pause is announced before it begins, a short one is not", () =>
    Effect.gen(function* () {
      const { model: retried } = model([Stream.fail(failure(true, 20_000)), Stream.fail(again), okReply])
      const lines: Array<string> = []
      const listening = Stream.runForEach(retried.stream(prompt("hi")), (part) =>
        Effect.sync(() => (part._tag === "Notice" ? lines.push(part.text) : 0))
      )
      const fiber = yield* Effect.forkChild(listening)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(lines, ["boom; asking again in 20 s"])
      yield* TestClock.adjust("30 seconds")
      yield* Fiber.join(fiber)
      assert.lengthOf(lines, 1)
    })
  )

  it.effect("a pause of more than a minute is reported instead of waited for", () =>
    Effect.gen(function* () {
      const { asked, model: retried } = model([Stream.fail(failure(true, 60_001))])
      const reply = yield* ask(retried, prompt("hi"))
      assert.strictEqual(reply.error?.retryAfterMillis, 60_001)
      assert.strictEqual(asked.times, 1)
    })
  )

  it.effect("every reply has attempts of its own", () =>
    Effect.gen(function* () {
      const { asked, model: retried } = model([Stream.fail(again)])
      for (const times of [11, 22]) {
        const fiber = yield* Effect.forkChild(ask(retried, prompt("hi")))
        yield* TestClock.adjust("5 minutes")
        yield* Fiber.join(fiber)
        assert.strictEqual(asked.times, times)
      }
    })
  )
})

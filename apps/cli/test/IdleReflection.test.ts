import type { ReflectionWithNotes } from "@bough/host/memory/Memories"
import { Note } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as IdleReflection from "../src/session/IdleReflection.ts"
import * as ReflectionText from "../src/terminal/ReflectionText.ts"

const note = (text: string): Note.Note => ({
  noteId: Note.NoteId.make("note-1"),
  kind: "fact",
  text,
  tags: [],
  source: "",
  untrusted: false,
  createdAtMillis: 0,
  updatedAtMillis: 0,
  project: null,
  validUntilMillis: null
})

const reflected: ReflectionWithNotes = {
  notes: [note("likes\n tabs")],
  result: {
    status: "Completed",
    reason: "",
    summary: "",
    output: JSON.stringify({
      verdict: "continue",
      assessment: "half\ndone",
      lessons: ["ask first"],
      nextFocus: "the other half"
    }),
    artifacts: [],
    memoryIds: [],
    usage: { inputTokens: 1200, outputTokens: 34, costUsd: 0.00012, activeMillis: 0, steps: 2, spawns: 0 }
  }
}

/** The idle reflection, with a user whose messages the test sends and a reflection that takes a minute. */
const conversation = Effect.fnUntraced(function* (isWorth: boolean) {
  const log: Array<string> = []
  const words = yield* Deferred.make<string>()
  const reflectNow = Effect.sync(() => log.push("began")).pipe(
    Effect.andThen(Effect.sleep("1 minute")),
    Effect.as(reflected),
    Effect.onInterrupt(() => Effect.sync(() => log.push("ended")))
  )
  const session = {
    indexMessages: Effect.void,
    reflectsWith: "a/small",
    isWorthReflecting: Effect.succeed(isWorth),
    reflectNow
  }
  const fiber = yield* Effect.forkChild(
    IdleReflection.reflectWhile(session, Deferred.await(words), {
      afterSeconds: 5,
      show: (lines) => log.push(...lines)
    })
  )
  return { log, speak: Effect.andThen(Deferred.succeed(words, "hi"), Fiber.join(fiber)) }
})

describe("IdleReflection", () => {
  it.effect("begins after a pause and reports its result once", () =>
    Effect.gen(function* () {
      const { log, speak } = yield* conversation(true)
      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual(log, [])
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* speak, "hi")
      assert.deepStrictEqual(log, [
        "reflecting with a/small",
        "began",
        "remembered: likes tabs",
        "lesson: ask first",
        "reflection: continue: half done (1.2k tokens in · 34 out · $0.00012)",
        "next: the other half"
      ])
    })
  )

  it.effect("is stopped before the next message is delivered, and reports nothing then", () =>
    Effect.gen(function* () {
      const { log, speak } = yield* conversation(true)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* speak, "hi")
      assert.deepStrictEqual(log, ["reflecting with a/small", "began", "ended"])
    })
  )

  it.effect("does not start if the user writes sooner, or if too little has happened", () =>
    Effect.gen(function* () {
      const soon = yield* conversation(true)
      yield* TestClock.adjust("1 second")
      yield* soon.speak
      const small = yield* conversation(false)
      yield* TestClock.adjust("10 minutes")
      yield* small.speak
      assert.deepStrictEqual([soon.log, small.log], [[], []])
    })
  )

  it("without a result reports the reason and the cost, in plain lines and as data", () => {
    const failed: ReflectionWithNotes = {
      notes: [],
      result: { ...reflected.result, status: "Failed", reason: "it gave no result", output: null }
    }
    assert.deepStrictEqual(ReflectionText.lines(failed), [
      "reflection failed: it gave no result (1.2k tokens in · 34 out · $0.00012)"
    ])
    assert.deepInclude(ReflectionText.json("a/small", failed), { status: "failed", reason: "it gave no result" })
    const json = ReflectionText.json("a/small", reflected)
    assert.deepInclude(json, { model: "a/small", verdict: "continue", nextFocus: "the other half" })
    assert.deepInclude(json.usage, { inputTokens: 1200, costUsd: 0.00012 })
  })
})

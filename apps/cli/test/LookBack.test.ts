import { Note } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as LookBack from "../src/command/LookBack.ts"

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

/** Somebody who speaks when they are told to, and a reflection that takes a minute. */
const conversation = Effect.fnUntraced(function* (isWorth: boolean) {
  const log: Array<string> = []
  const words = yield* Deferred.make<string>()
  const lookBack = Effect.sync(() => log.push("began")).pipe(
    Effect.andThen(Effect.sleep("1 minute")),
    Effect.as([note("likes\n tabs")]),
    Effect.onInterrupt(() => Effect.sync(() => log.push("ended")))
  )
  const session = { indexSaid: Effect.void, isWorthReflecting: Effect.succeed(isWorth), lookBack }
  const fiber = yield* Effect.forkChild(
    LookBack.meanwhile(session, Deferred.await(words), { afterSeconds: 5, kept: (lines) => log.push(...lines) })
  )
  return { log, speak: Effect.andThen(Deferred.succeed(words, "hi"), Fiber.join(fiber)) }
})

describe("LookBack", () => {
  it.effect("begins after a silence and tells what came of it, once", () =>
    Effect.gen(function* () {
      const { log, speak } = yield* conversation(true)
      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual(log, [])
      yield* TestClock.adjust("10 minutes")
      assert.strictEqual(yield* speak, "hi")
      assert.deepStrictEqual(log, ["began", "remembered: likes tabs"])
    })
  )

  it.effect("has ended before what was said is handed on, and tells nothing then", () =>
    Effect.gen(function* () {
      const { log, speak } = yield* conversation(true)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* speak, "hi")
      assert.deepStrictEqual(log, ["began", "ended"])
    })
  )

  it.effect("does not begin for who speaks sooner, nor where it is not worth it", () =>
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
})

/** A turn of a real host, from its events and its store. */
import { Model } from "@bough/runtime"
import { Reply } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { TurnEvent } from "../../src/compatibility/TurnEvent.ts"
import * as Hosting from "./hosting.ts"

const { before, text, toolCall } = Reply

const tagsOf = (events: ReadonlyArray<TurnEvent>): ReadonlyArray<string> =>
  events.map(({ _tag }) => _tag).filter((tag) => tag !== "CallStarted")

const unreachable = new Model.ModelError({
  reason: "Unreachable",
  model: "scripted/model",
  message: "nothing listens",
  hint: "start it",
  retryable: false,
  retryAfterMillis: null
})

const endOf = (events: ReadonlyArray<TurnEvent>) => {
  const last = events.at(-1)
  if (last?._tag !== "Ended") throw new Error("the stream has no end")
  return last
}

describe("FollowTurn", () => {
  it.live("reports a reply, its calls and the end", () =>
    Hosting.run(
      Effect.gen(function* () {
        const hosted = yield* Hosting.make([before("looking", toolCall("look", { key: "a" })), text("found a")])
        const events = yield* Stream.runCollect(hosted.follow(yield* hosted.say("hi", "1")))
        assert.deepStrictEqual(tagsOf(events), [
          "StepStarted",
          "Text",
          "CallAsked",
          "ReplyEnded",
          "CallEnded",
          "StepStarted",
          "Text",
          "ReplyEnded",
          "Ended"
        ])
        assert.deepInclude(endOf(events), {
          status: "completed",
          usage: { inputTokens: 20, cachedInputTokens: 0, outputTokens: 10, costUsd: null }
        })
      })
    )
  )

  it.live("ends with pending approvals, and continues with the decision", () =>
    Hosting.run(
      Effect.gen(function* () {
        const hosted = yield* Hosting.make([toolCall("launch", { target: "moon" }), text("waiting"), text("launched")])
        const ended = endOf(yield* Stream.runCollect(hosted.follow(yield* hosted.say("hi", "1"))))
        assert.deepInclude(ended, { status: "suspended", reason: "one call waits for an approval" })
        const { pending: decided, positions } = ended
        yield* hosted.host.decide(decided[0].approvalId, { _tag: "Approved", rule: null }, "ada")
        const more = yield* Stream.runCollect(hosted.follow({ _tag: "Positions", positions, decided, messageId: null }))
        assert.deepStrictEqual(tagsOf(more), [
          "ApprovalClosed",
          "CallEnded",
          "StepStarted",
          "Text",
          "ReplyEnded",
          "Ended"
        ])
        assert.strictEqual(endOf(more).status, "completed")
        // A later reader of the ended turn gets the same events.
        const again = yield* Stream.runCollect(
          hosted.follow({ _tag: "Positions", positions, decided, messageId: null })
        )
        assert.deepStrictEqual(tagsOf(again), tagsOf(more))
      })
    )
  )

  it.live("gives a repeated message the same answer", () =>
    Hosting.run(
      Effect.gen(function* () {
        const hosted = yield* Hosting.make([text("hello")])
        const first = yield* Stream.runCollect(hosted.follow(yield* hosted.say("hi", "1")))
        const second = yield* Stream.runCollect(hosted.follow(yield* hosted.say("hi", "1")))
        assert.deepStrictEqual(second, first)
      })
    )
  )

  it.live("ends with the failure of a turn that is not retried", () =>
    Hosting.run(
      Effect.gen(function* () {
        const hosted = yield* Hosting.make([])
        const ended = endOf(yield* Stream.runCollect(hosted.follow(yield* hosted.say("hi", "1"))))
        assert.strictEqual(ended.status, "failed")
        assert.isNotNull(ended.error)
      })
    )
  )

  it.live("is not ended by the failure of an earlier turn", () =>
    Hosting.run(
      Effect.gen(function* () {
        const slowly = [{ _tag: "Pause" as const, millis: 300 }, ...text("Here again")]
        const hosted = yield* Hosting.make([[{ _tag: "Fail", error: unreachable }], slowly])
        assert.strictEqual(
          endOf(yield* Stream.runCollect(hosted.follow(yield* hosted.say("hi", "1")))).status,
          "failed"
        )
        const start = yield* hosted.say("still there?", "2")
        // The reader connects while the turn runs; the log of events contains the failure.
        const isTaken = Effect.map(hosted.store.entries(hosted.sessionId, 0, 100), (entries) =>
          entries.some(({ body }) => body._tag === "UserMessage" && body.text === "still there?")
        )
        while (!(yield* isTaken)) yield* Effect.yieldNow
        const events = yield* Stream.runCollect(hosted.follow(start))
        assert.strictEqual(endOf(events).status, "completed")
      })
    )
  )

  it.live("reports to the reader of a queued turn only its own events", () =>
    Hosting.run(
      Effect.gen(function* () {
        const hosted = yield* Hosting.make([text("one"), text("two")])
        yield* hosted.say("first", "1")
        const events = yield* Stream.runCollect(hosted.follow(yield* hosted.say("second", "2")))
        assert.deepStrictEqual(
          events.flatMap((event) => (event._tag === "Text" ? [event.text] : [])),
          ["two"]
        )
      })
    )
  )
})

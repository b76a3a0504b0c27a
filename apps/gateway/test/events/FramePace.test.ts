/** When readers get a frame: at once, with the frames that follow it closely, or with the next frame; but always soon. */
import type { Entry, Session } from "@bough/protocol"
import { EventLog, SessionStore, SessionStoreMemory } from "@bough/runtime"
import * as Waiters from "@bough/runtime/journal/Waiters"
import { SampleJournal } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import * as TreeFeed from "../../src/events/TreeFeed.ts"

const started: Entry.Body = { _tag: "StepStarted", turn: 1, step: 1, model: "scripted/model", reservedTokens: 1 }
const replied: Entry.Body = {
  _tag: "ModelReplied",
  turn: 1,
  step: 1,
  completion: "complete",
  parts: [],
  usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null }
}
const toolCallId = "call-1" as Session.ToolCallId
const called: Entry.Body = {
  _tag: "CallStarted",
  toolCallId,
  callKey: "key",
  tool: "read_file",
  version: 1,
  tier: "ReadOnly",
  argumentsDigest: "sha256:0",
  attempt: 1,
  preconditions: [],
  approvalId: null
}
const ended: Entry.Body = {
  _tag: "CallEnded",
  toolCallId,
  tool: "read_file",
  outcome: { _tag: "NotRun", reason: "a test" },
  receipt: null
}
const paced = [replied, called, ended]
const state = (name: Session.SessionState): Entry.Body => ({ _tag: "StateChanged", state: name, reason: "a test" })

/** Two turns of the event loop: events reach a feed in the next one. */
const turns = Effect.promise(() => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve))))

/** A reader of a tree, on a clock that the test moves. */
const makeReader = Effect.gen(function* () {
  const time = { nowMillis: 1000 }
  const clock = vi.spyOn(process.hrtime, "bigint").mockImplementation(() => BigInt(time.nowMillis * 1e6))
  yield* Effect.addFinalizer(() => Effect.sync(() => clock.mockRestore()))
  const store = yield* SessionStore.SessionStore
  const lease = yield* SampleJournal.openTree(1)
  const { treeId } = lease
  const log = EventLog.make(treeId)
  log.begin(lease.epoch)
  const follow = () => Effect.succeed({ ...log.open(null), ended: Effect.never })
  const feed = yield* TreeFeed.make({ host: { follow }, store, treeId })
  const reader = yield* feed.open("latest")
  yield* reader.beginning
  const received: Array<string> = []
  let onReceived = (): void => undefined
  reader.listen(() => {
    for (let frames = reader.take(); frames !== null && frames !== "ended"; frames = reader.take()) {
      received.push(frames.map((frame) => (frame._tag === "Entry" ? frame.entry.body._tag : frame._tag)).join(" "))
    }
    onReceived()
  })
  let seq = 2
  /** Records an entry, and publishes it. */
  const record = Effect.fnUntraced(function* (body: Entry.Body) {
    const { entries } = yield* store.commit(
      SampleJournal.batch(lease, [SampleJournal.append(treeId, seq++, body)], { durability: "Relaxed" })
    )
    log.publish({ _tag: "Recorded", sessionId: treeId, entry: entries[0] }, 3)
    yield* turns
  })
  /** Waits until the reader was woken. */
  const woken = Effect.callback<void>((resume) => {
    onReceived = () => resume(Effect.void)
  })
  return { record, received, time, woken }
})

const withReader = (use: (reader: Effect.Success<typeof makeReader>) => Effect.Effect<void, unknown>) =>
  makeReader.pipe(Effect.flatMap(use), Effect.scoped, Effect.provide(SessionStoreMemory.layer))

describe("the frames of a step", () => {
  it.live(
    "are written together if they follow closely, and reach readers although nothing follows them",
    () =>
      withReader(({ received, record, woken }) =>
        Effect.gen(function* () {
          yield* record(replied)
          assert.deepStrictEqual(received, ["ModelReplied"], "the first frame after a pause is written at once")
          for (const body of [called, ended, started]) yield* record(body)
          assert.deepStrictEqual(received, ["ModelReplied"])
          yield* woken
          assert.deepStrictEqual(received, ["ModelReplied", "CallStarted CallEnded StepStarted"])
        })
      ),
    // Less than the interval of heartbeats, which wake readers, too.
    12_000
  )

  it.live("are written at once after a pause, except the start of a step", () =>
    withReader(({ received, record, time, woken }) =>
      Effect.gen(function* () {
        for (const body of paced) {
          time.nowMillis += Waiters.lateMillis
          yield* record(body)
        }
        assert.deepStrictEqual(received, ["ModelReplied", "CallStarted", "CallEnded"])
        time.nowMillis += Waiters.lateMillis
        yield* record(started)
        assert.strictEqual(received.length, 3)
        yield* woken
        assert.deepStrictEqual(received.slice(3), ["StepStarted"])
      })
    )
  )

  it.live("are written with the next frame that cannot wait", () =>
    withReader(({ received, record }) =>
      Effect.gen(function* () {
        yield* record(replied)
        const request = SampleJournal.request(SampleJournal.freshId("tree"), 1)
        const urgent: ReadonlyArray<Entry.Body> = [
          { _tag: "ApprovalAsked", request },
          SampleJournal.message("more"),
          state("Suspended")
        ]
        for (const body of urgent) {
          yield* record(called)
          yield* record(body)
        }
        assert.deepStrictEqual(received, [
          "ModelReplied",
          "CallStarted ApprovalAsked",
          "CallStarted UserMessage",
          "CallStarted StateChanged"
        ])
      })
    )
  )
})

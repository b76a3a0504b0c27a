/** The start of a step shows nothing new to a user: it may wait for the next frame, but not for long. */
import type { Entry } from "@bough/protocol"
import { EventLog, SessionStore, SessionStoreMemory } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TreeFeed from "../../src/events/TreeFeed.ts"

const started: Entry.Body = {
  _tag: "StepStarted",
  turn: 1,
  step: 1,
  model: "scripted/model",
  reservedTokens: 1
}

describe("the start of a step", () => {
  it.live(
    "reaches readers although nothing follows it",
    () =>
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const lease = yield* SampleJournal.openTree(1)
        const { treeId } = lease
        const log = EventLog.make(treeId)
        log.begin(lease.epoch)
        const follow = () => Effect.succeed({ ...log.open(null), ended: Effect.never })
        const feed = yield* TreeFeed.make({ host: { follow }, store, treeId })
        const reader = yield* feed.open("latest")
        yield* reader.beginning
        const { entries } = yield* store.commit(
          SampleJournal.batch(lease, [SampleJournal.append(treeId, 2, started)], { durability: "Relaxed" })
        )
        const taken = Effect.callback<ReadonlyArray<string>>((resume) => {
          const unlisten = reader.listen(() => {
            const frames = reader.take()
            if (frames === null || frames === "ended") return
            resume(Effect.succeed(frames.map((frame) => (frame._tag === "Entry" ? frame.entry.body._tag : frame._tag))))
          })
          return Effect.sync(unlisten)
        })
        const publish = Effect.sync(() => log.publish({ _tag: "Recorded", sessionId: treeId, entry: entries[0] }, 3))
        const [tags] = yield* Effect.all([taken, publish], { concurrency: "unbounded" })
        assert.deepStrictEqual(tags, ["StepStarted"])
      }).pipe(Effect.provide(SessionStoreMemory.layer)),
    // Less than the interval of heartbeats, which wake readers, too.
    12_000
  )
})

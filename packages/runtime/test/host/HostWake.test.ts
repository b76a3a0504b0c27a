/** A host checks the trees that changed, and all trees once in each interval. */
import { Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as HostWake from "../../src/host/HostWake.ts"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "../session/world.ts"
import * as Hosting from "./hosting.ts"

const [first, second] = ["first", "second"].map((id) => Session.SessionId.make(id))

describe("HostWake", () => {
  it.effect("names the trees that changed since the last look, and all trees once in each interval", () =>
    Effect.gen(function* () {
      const wake = HostWake.make(1000)
      assert.isNull(yield* wake.next, "all are due at the start")
      wake.notify(first)
      wake.notify(second)
      wake.notify(first)
      assert.deepStrictEqual([...((yield* wake.next) ?? [])], [first, second])
      const looks: Array<ReadonlySet<Session.SessionId> | null> = []
      // A host that is woken all the time still checks all trees.
      for (let tenth = 0; tenth < 20; tenth++) {
        yield* TestClock.adjust(100)
        wake.notify(first)
        looks.push(yield* wake.next)
      }
      assert.strictEqual(looks.filter((trees) => trees === null).length, 2)
      assert.isTrue(looks.every((trees) => trees === null || (trees.size === 1 && trees.has(first))))
      wake.notify(second)
      wake.notify(null)
      assert.isNull(yield* wake.next)
    })
  )

  it.effect("lets a host answer many sessions without a search of the store for each message", () =>
    Hosting.run(
      Effect.gen(function* () {
        const count = 12
        const store = yield* SessionStore.SessionStore
        let searches = 0
        const counted = SessionStore.SessionStore.of({
          ...store,
          work: Effect.suspend(() => {
            searches += 1
            return store.work
          })
        })
        const { model } = yield* ScriptedModel.make(Array.from({ length: count }, () => Reply.text("answered")))
        const host = yield* Effect.provideService(Hosting.make({ model }), SessionStore.SessionStore, counted)
        const sessions = yield* Effect.forEach(Array.from({ length: count }), () => host.create(Hosting.facts))
        for (const { sessionId } of sessions) {
          yield* host.send(sessionId, World.say("hello"))
          yield* Hosting.until(Effect.map(Hosting.answerOf(sessionId), (answer) => answer === "answered"))
        }
        assert.isAtMost(searches, 2, "time stands still in this test")
      })
    )
  )
})

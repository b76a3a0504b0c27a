/** The time that passes on the store's clock, independently of the system's clock. */
import type { Approval } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { SessionStoreSql, StoreTime } from "../src/index.ts"
import * as StoreClock from "../src/StoreClock.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = Date.UTC(2026, 10, 22)

const point: StoreClock.Point = {
  counter: "boot 1",
  uptimeMillis: 1000,
  wallMillis: start,
  storeMillis: start,
  heldSinceMillis: null
}

/** The readings of the clocks after so much of each; another boot counts from its own start. */
const after = (wall: number, uptime: number | null): StoreClock.ClockReading => ({
  counter: uptime === null ? "boot 2" : "boot 1",
  uptimeMillis: uptime === null ? 5 : 1000 + uptime,
  wallMillis: start + wall
})

const none: StoreClock.EndsApprovals = () => false
const some: StoreClock.EndsApprovals = () => true

describe("StoreClock", () => {
  it.each([
    ["counts what has passed", after(hour, hour), some, hour],
    ["follows the system's clock over a sleep that nothing counted", after(8 * hour, minute), some, 8 * hour],
    ["does not follow a leap on a machine that runs", after(30 * day, minute), some, minute],
    ["nor where no approval waits", after(30 * day, minute), none, minute],
    ["counts weeks of which the machine was awake or asleep", after(30 * day, 30 * day), some, 30 * day],
    ["follows a correction back", after(-3 * hour, minute), some, -3 * hour],
    ["follows no clock that was never set", after(-start, minute), some, minute],
    ["follows the system's clock over a night that the machine was off", after(10 * hour, null), some, 10 * hour],
    ["follows it over weeks that end no approval", after(21 * day, null), none, 21 * day],
    ["stands still over weeks that would end approvals", after(21 * day, null), some, 0],
    ["stands still when the machine starts with a clock that was never set", after(-start, null), some, 0]
  ] as const)("%s", (_name, reading, ends, expected) => {
    assert.strictEqual(StoreClock.next(point, reading, ends).storeMillis - start, expected)
  })

  it("accepts a leap that lasts for a day, over nights that the machine is off", () => {
    let at = StoreClock.next(point, after(21 * day, null), some)
    assert.strictEqual(at.heldSinceMillis, start)
    for (let hours = 0; hours < 24; hours += 12) {
      const reading = { counter: `boot ${hours}`, uptimeMillis: 5, wallMillis: at.wallMillis + 12 * hour - 1 }
      at = StoreClock.next(at, reading, some)
      assert.strictEqual(at.storeMillis - start, (hours / 12 + 1) * (12 * hour - 1))
    }
    const last = { ...after(0, null), counter: "last", wallMillis: at.wallMillis + minute }
    const believed = StoreClock.next(at, last, some)
    assert.deepStrictEqual([believed.storeMillis, believed.heldSinceMillis], [start + 22 * day + minute - 2, null])
  })

  it("ignores a leap that was reverted", () => {
    const ahead = StoreClock.next(point, after(30 * day, minute), some)
    const back = StoreClock.next(ahead, after(2 * minute, 2 * minute), some)
    assert.deepStrictEqual([back.storeMillis - start, back.heldSinceMillis], [2 * minute, null])
  })

  it.effect.prop(
    "is the system's clock again as soon as that is right, however long it was wrong",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: -400 * day, maximum: 400 * day })))],
    ([leaps]) =>
      Effect.sync(() => {
        let at = point
        let passed = 0
        for (const leap of leaps) {
          passed += minute
          at = StoreClock.next(at, after(passed + leap, passed), some)
          // A jump backwards is followed; a jump ahead is followed by at most one day.
          assert.isAtMost(at.storeMillis - start - passed, day)
        }
        passed += minute
        const right = StoreClock.next(at, after(passed, passed), some)
        assert.isAtMost(right.storeMillis, start + passed)
        if (leaps.every((leap) => leap >= 0)) assert.strictEqual(right.storeMillis, start + passed)
      })
  )

  /** Opens the store on a system whose clock is wrong by so much. */
  const ahead = <A, E>(directory: string, millis: number, body: Effect.Effect<A, E, SessionStore.SessionStore>) =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const wrong = Object.create(clock) as { currentTimeMillisUnsafe: () => number }
      wrong.currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() + millis
      const opened = Effect.provide(body, SessionStoreSql.layer({ directory }))
      return yield* Effect.provideService(opened, Clock.Clock, wrong as Clock.Clock)
    })

  const expired = (request: Approval.Request) =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      return (yield* store.now) >= request.expiresAtMillis
    })

  /** A store with an approval that waits for seven days. */
  const waiting = (directory: string) =>
    ahead(
      directory,
      0,
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const lease = yield* SampleJournal.openTree(0)
        const request = SampleJournal.request(lease.treeId, (yield* store.now) + 7 * day)
        yield* store.commit(SampleJournal.batch(lease, [], { projections: [{ _tag: "ApprovalPending", request }] }))
        return request
      })
    )

  const edited = (directory: string, sql: string) =>
    Effect.sync(() => {
      const database = new DatabaseSync(join(directory, "bough.db"))
      database.exec(sql)
      database.close()
    })

  it.live("of a store expires no approval by one run with the clock 30 days ahead, and says so", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const request = yield* waiting(directory)
      assert.isFalse(yield* ahead(directory, 30 * day, expired(request)))
      const clock = yield* Clock.Clock
      const wrong = Object.assign(Object.create(clock) as Clock.Clock, {
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + 30 * day
      })
      const deviation = yield* Effect.provideService(StoreTime.inspect({ directory }), Clock.Clock, wrong)
      assert.isTrue(deviation.endsApprovals)
      assert.closeTo(deviation.wallMillis - deviation.storeMillis, 30 * day, minute)
      const now = yield* ahead(
        directory,
        0,
        Effect.flatMap(SessionStore.SessionStore, (store) => store.now)
      )
      assert.closeTo(now, clock.currentTimeMillisUnsafe(), minute)
      assert.isFalse((yield* StoreTime.inspect({ directory })).endsApprovals)
    })
  )

  it.live(
    "of a store waits for a user after weeks that the machine was off, and expires approvals once they confirm",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const request = yield* waiting(directory)
        // As if all of it had been three weeks ago, on another boot of the machine.
        const past = { ...request, expiresAtMillis: request.expiresAtMillis - 21 * day }
        yield* edited(
          directory,
          `UPDATE clock SET counter = 'earlier', store_millis = store_millis - ${21 * day}, wall_millis = wall_millis - ${21 * day};
         UPDATE approvals SET expires_at_millis = expires_at_millis - ${21 * day}`
        )
        assert.isFalse(yield* ahead(directory, 0, expired(past)))
        assert.isTrue((yield* StoreTime.inspect({ directory })).endsApprovals)
        yield* StoreTime.accept({ directory })
        assert.isTrue(yield* ahead(directory, 0, expired(past)))
        assert.isFalse((yield* StoreTime.inspect({ directory })).endsApprovals)
      })
  )

  it.live("of a store knows within an hour when it was last used", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* waiting(directory)
      const before = 90 * minute
      yield* edited(
        directory,
        `UPDATE clock SET uptime_millis = uptime_millis - ${before}, store_millis = store_millis - ${before}, wall_millis = wall_millis - ${before}`
      )
      yield* ahead(directory, 0, Effect.void)
      const database = new DatabaseSync(join(directory, "bough.db"), { readOnly: true })
      const stored = Number(database.prepare("SELECT store_millis FROM clock").get()?.["store_millis"])
      database.close()
      const { storeMillis } = yield* StoreTime.inspect({ directory })
      assert.closeTo(stored, storeMillis, minute)
    })
  )

  it.live("of a store that an earlier version left ahead is corrected", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* waiting(directory)
      yield* edited(
        directory,
        `UPDATE clock SET counter = '', store_millis = store_millis + ${30 * day}, wall_millis = wall_millis + ${30 * day}`
      )
      yield* ahead(directory, 0, Effect.void)
      const now = yield* ahead(
        directory,
        0,
        Effect.flatMap(SessionStore.SessionStore, (store) => store.now)
      )
      assert.closeTo(now, Date.now(), minute)
    })
  )
})

/** The deadline of a lease as others read it. */
import { ProcessIdentity } from "@bough/disk"
import { Session } from "@bough/protocol"
import * as SqliteClient from "../src/driver/SqliteClient.ts"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as LeaseRows from "../src/LeaseRows.ts"
import * as Migration from "../src/Migration.ts"

const treeId = Session.SessionId.make("tree")
const day = 86_400_000

const world = Effect.gen(function* () {
  const client = yield* SqliteClient.make({ filename: ":memory:", pragmas: {} })
  const self = yield* ProcessIdentity.own
  yield* client.sync((database) => {
    Migration.migrate(database, 0)
    LeaseRows.take(database, treeId, { self, nowMillis: 0, leaseMillis: 60_000 })
  })
  const read = client.sync((database) => LeaseRows.read(database, treeId))
  return { client, self, read }
})

describe("the deadline of a lease", () => {
  it.effect("is on the monotonic clock of one kernel: no change of the date moves it", () =>
    Effect.gen(function* () {
      const { read, self } = yield* world
      const found = yield* read
      for (const now of [-day, 0, day]) {
        assert.closeTo(LeaseRows.remainingMillis(found, self, now), 60_000, 10_000)
      }
    })
  )

  it.effect("is on the store's clock for another kernel, another time namespace, and if nothing is known", () =>
    Effect.gen(function* () {
      const { read, self } = yield* world
      const found = yield* read
      const others = [
        { ...self, boot: "another" },
        { ...self, namespace: self.namespace.replace(/time:.*/, "time:[1]") }
      ]
      for (const other of others) {
        assert.strictEqual(LeaseRows.remainingMillis(found, other, 0), 60_000)
        assert.strictEqual(LeaseRows.remainingMillis(found, other, 70_000), -10_000)
      }
      const nameless = { ...found, owner: { ...self, boot: "" } }
      assert.strictEqual(LeaseRows.remainingMillis(nameless, self, 70_000), -10_000)
    })
  )

  it.effect("that was extended since it was read is not the one that was found", () =>
    Effect.gen(function* () {
      const { client, read } = yield* world
      const found = yield* read
      const isStill = client.sync((database) => LeaseRows.isStill(database, treeId, found))
      assert.isTrue(yield* isStill)
      const renew = (leaseMillis: number) =>
        client.sync((database) => LeaseRows.renew(database, { treeId, epoch: 1 }, { nowMillis: 0, leaseMillis }))
      // Renewed by an owner whose store's clock was set back: only the monotonic clock tells.
      const before = LeaseRows.monotonicMillis()
      while (LeaseRows.monotonicMillis() <= before) yield* Effect.yieldNow
      assert.isTrue(yield* renew(60_000))
      assert.isFalse(yield* isStill)
      assert.isFalse(
        yield* client.sync((database) =>
          LeaseRows.renew(database, { treeId, epoch: 2 }, { nowMillis: 0, leaseMillis: 1 })
        )
      )
    })
  )
})

/** The deadline of a lease as others read it. */
import { ProcessIdentity } from "@bough/disk"
import { Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqliteClient from "../src/driver/SqliteClient.ts"
import * as LeaseRows from "../src/LeaseRows.ts"
import * as Migration from "../src/Migration.ts"

const treeId = Session.SessionId.make("tree")

const world = Effect.gen(function* () {
  const client = yield* SqliteClient.make({ filename: ":memory:", pragmas: {} })
  const self = yield* ProcessIdentity.own
  yield* client.sync((database) => {
    Migration.migrate(database, 0)
    LeaseRows.take(database, treeId, { self, atMillis: 1000, leaseMillis: 60_000 })
  })
  const read = client.sync((database) => LeaseRows.read(database, treeId))
  return { client, self, read }
})

describe("the deadline of a lease", () => {
  it.effect("is on the monotonic clock of one kernel, and no other clock can tell it", () =>
    Effect.gen(function* () {
      const { read, self } = yield* world
      const found = yield* read
      assert.strictEqual(found.leaseMillis, 60_000)
      assert.strictEqual(LeaseRows.remainingMillis(found, self, 1000), 60_000)
      assert.strictEqual(LeaseRows.remainingMillis(found, self, 71_000), -10_000)
      const others = [
        { ...self, boot: "another" },
        { ...self, boot: "" },
        { ...self, namespace: self.namespace.replace(/time:.*/, "time:[1]") }
      ]
      for (const other of others) assert.isNull(LeaseRows.remainingMillis(found, other, 71_000))
    })
  )

  it.effect("that was extended since it was read differs from the one that was read", () =>
    Effect.gen(function* () {
      const { client, read } = yield* world
      const found = yield* read
      const isStill = client.sync((database) => LeaseRows.isStill(database, treeId, found))
      assert.isTrue(yield* isStill)
      const renew = (epoch: number) =>
        client.sync((database) => LeaseRows.renew(database, { treeId, epoch }, { atMillis: 1001, leaseMillis: 60_000 }))
      assert.isTrue(yield* renew(1))
      assert.isFalse(yield* isStill)
      assert.isFalse(yield* renew(2))
    })
  )

  it.effect("changes with each renewal, although the clock stood still while the machine slept", () =>
    Effect.gen(function* () {
      const { client, read } = yield* world
      const seen = [(yield* read).deadline.counterMillis]
      for (const atMillis of [1000, 1000, 5000]) {
        yield* client.sync((database) =>
          LeaseRows.renew(database, { treeId, epoch: 1 }, { atMillis, leaseMillis: 60_000 })
        )
        seen.push((yield* read).deadline.counterMillis)
      }
      assert.deepStrictEqual(seen, [61_000, 61_001, 61_002, 65_000])
    })
  )
})

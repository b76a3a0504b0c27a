/** The measurement of a lease by a process that cannot read its owner's clock. */
import { ProcessIdentity } from "@bough/disk"
import { Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqliteClient from "../src/driver/SqliteClient.ts"
import * as LeaseOwner from "../src/LeaseOwner.ts"
import * as LeaseRows from "../src/LeaseRows.ts"
import * as LogSync from "../src/LogSync.ts"
import * as Migration from "../src/Migration.ts"
import * as WriteQueue from "../src/WriteQueue.ts"

const treeId = Session.SessionId.make("tree")
const leaseMillis = 30_000

describe("a measured lease", () => {
  it.effect("that is renewed between the look and its record is looked at again", () =>
    Effect.gen(function* () {
      const client = yield* SqliteClient.make({ filename: ":memory:", pragmas: {} })
      const self = yield* ProcessIdentity.own
      yield* client.sync((database) => {
        Migration.migrate(database, 0)
        LeaseRows.take(database, treeId, { self: { ...self, boot: "another" }, atMillis: 1000, leaseMillis })
      })
      const queue = WriteQueue.make({
        client,
        logSync: LogSync.none,
        now: Effect.succeed(0),
        onRollback: () => {},
        isInPlace: () => true
      })
      let looks = 0
      // A process asks for its own identity after it has read the lease.
      const identity = Effect.as(
        Effect.orDie(
          client.sync(
            (database) =>
              looks++ === 0 && LeaseRows.renew(database, { treeId, epoch: 1 }, { atMillis: 2000, leaseMillis })
          )
        ),
        self
      )
      const process = {
        identity,
        lifeOf: () => Effect.succeed("Unknown" as const),
        monotonicMillis: () => 50,
        asleepMillis: () => 0
      }
      const busy = yield* Effect.flip(LeaseOwner.unowned({ client, queue, leaseMillis, process }, treeId))
      assert.deepStrictEqual([busy._tag, busy._tag === "TreeBusy" && busy.freeInMillis], ["TreeBusy", leaseMillis])
      const seen = yield* client.sync((database) => database.all("SELECT deadline_millis FROM lease_sightings", []))
      assert.deepStrictEqual(
        seen.map((row) => row["deadline_millis"]),
        [32_000]
      )
      assert.strictEqual(looks, 2)
    })
  )
})

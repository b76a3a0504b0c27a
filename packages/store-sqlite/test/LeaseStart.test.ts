/** The start of a lease, from which its owner counts. */
import { ProcessIdentity } from "@bough/disk"
import { Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqliteClient from "../src/driver/SqliteClient.ts"
import * as Lease from "../src/Lease.ts"
import * as LogSync from "../src/LogSync.ts"
import * as Migration from "../src/Migration.ts"
import * as WriteQueue from "../src/WriteQueue.ts"

const treeId = Session.SessionId.make("tree")
const leaseMillis = 30_000

describe("a lease", () => {
  it.effect("is counted from before it was taken, so that its owner never trusts it beyond the stored deadline", () =>
    Effect.gen(function* () {
      const client = yield* SqliteClient.make({ filename: ":memory:", pragmas: {} })
      yield* client.sync((database) => Migration.migrate(database, 0))
      const self = yield* ProcessIdentity.own
      let clockMillis = 1000
      const queue = WriteQueue.make({
        client,
        logSync: LogSync.none,
        now: Effect.succeed(0),
        onRollback: () => {},
        isInPlace: () => true
      })
      /** A disk that stores the lease at once and takes most of its time to say so. */
      const slow: WriteQueue.WriteQueue = {
        ...queue,
        write: (request) =>
          Effect.tap(queue.write(request), () =>
            Effect.sync(() => {
              if (request.operation === "take the lease") clockMillis += leaseMillis - 1
            })
          )
      }
      const process = {
        identity: Effect.succeed(self),
        lifeOf: () => Effect.succeed("Alive" as const),
        monotonicMillis: () => clockMillis,
        asleepMillis: () => 0
      }
      const leases = Lease.make({ client, queue: slow, leaseMillis, address: null, process })
      const deadline = Effect.map(
        client.sync((database) => database.get("SELECT lease_counter_millis FROM trees")),
        (row) => Number(row?.["lease_counter_millis"])
      )
      const lease = yield* leases.acquire(treeId)
      assert.strictEqual(yield* deadline, 1000 + leaseMillis)
      // One millisecond is left: an effect needs a renewal first.
      yield* leases.secure(lease)
      assert.strictEqual(yield* deadline, clockMillis + leaseMillis)
    })
  )
})

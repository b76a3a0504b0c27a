/**
 * Ownership among kernels whose clocks have nothing in common: processes that renew, act, freeze, sleep, end and start
 * again on hosts that sleep and reboot, in random order, on the real code over SQLite.
 */
import type { ProcessIdentity } from "@bough/disk"
import { Session } from "@bough/protocol"
import type { SessionStore } from "@bough/runtime"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import * as SqliteClient from "../src/driver/SqliteClient.ts"
import * as Lease from "../src/Lease.ts"
import * as LogSync from "../src/LogSync.ts"
import * as Migration from "../src/Migration.ts"
import * as WriteQueue from "../src/WriteQueue.ts"

const treeId = Session.SessionId.make("tree")
const leaseMillis = 30_000
const hostCount = 3

interface Host {
  readonly name: string
  boot: number
  monotonicMillis: number
  asleepMillis: number
}

interface Running {
  readonly host: Host
  readonly boot: number
  readonly identity: ProcessIdentity.ProcessIdentity
  readonly leases: ReturnType<typeof Lease.make>
  isAlive: boolean
  lease: SessionStore.Lease | null
}

interface Owner {
  readonly process: Running
  readonly renewedAtMillis: number
  /** A write that finds its clock unchanged adds a millisecond to the deadline before. */
  readonly addedMillis: number
}

const Action = Schema.Struct({
  kind: Schema.Literals(["wait", "wait", "acquire", "acquire", "renew", "act", "start", "kill", "reboot", "sleep"]),
  who: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 11 })),
  millis: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 * leaseMillis }))
})
type Action = typeof Action.Type

const makeWorld: Effect.Effect<World, never, Scope> = Effect.gen(function* () {
  const client = yield* Effect.orDie(SqliteClient.make({ filename: ":memory:", pragmas: {} }))
  yield* Effect.orDie(client.sync((database) => Migration.migrate(database, 0)))
  const queue = WriteQueue.make({
    client,
    logSync: LogSync.none,
    now: Effect.succeed(0),
    onRollback: () => {},
    isInPlace: () => true
  })
  return new World(client, queue)
})

class World {
  /** The time that no process can read. */
  nowMillis = 0
  readonly hosts: ReadonlyArray<Host> = Array.from({ length: hostCount }, (_, index) => ({
    name: `host ${index}`,
    boot: 0,
    // The counters start hours apart.
    monotonicMillis: index * 7_200_000,
    asleepMillis: 0
  }))
  readonly processes: Array<Running> = []
  /** The owner by the store, and its last renewal. */
  owner: Owner | null = null
  /** When a process of each boot first saw the lease as it is. */
  readonly seen = new Map<string, { readonly of: string; readonly atMillis: number }>()

  readonly client: SqliteClient.SqliteClient
  readonly queue: WriteQueue.WriteQueue

  constructor(client: SqliteClient.SqliteClient, queue: WriteQueue.WriteQueue) {
    this.client = client
    this.queue = queue
  }

  /** Two containers on each host: processes of one cannot look up those of the other. */
  start(who: number): void {
    const host = this.hosts[who % hostCount]
    const pid = this.processes.length + 1
    const identity = {
      pid,
      start: String(pid),
      boot: `${host.name} ${host.boot}`,
      namespace: `pid:[${who % 2}] time:[1]`,
      machine: "",
      host: host.name
    }
    const lifeOf = (other: ProcessIdentity.ProcessIdentity): ProcessIdentity.Life => {
      if (other.boot !== identity.boot || other.namespace !== identity.namespace) return "Unknown"
      return this.processes[other.pid - 1].isAlive ? "Alive" : "Dead"
    }
    const leases = Lease.make({
      client: this.client,
      queue: this.queue,
      leaseMillis,
      address: null,
      process: {
        identity: Effect.succeed(identity),
        lifeOf: (other) => Effect.succeed(lifeOf(other)),
        monotonicMillis: () => host.monotonicMillis,
        asleepMillis: () => host.asleepMillis
      }
    })
    this.processes.push({ host, boot: host.boot, identity, leases, isAlive: true, lease: null })
  }

  pass(millis: number, asleep: Host | null): void {
    this.nowMillis += millis
    for (const host of this.hosts) {
      if (host === asleep) host.asleepMillis += millis
      else host.monotonicMillis += millis
    }
  }

  readonly acquire = (process: Running) =>
    Effect.gen({ self: this }, function* () {
      const { owner } = this
      const isDead = owner !== null && !owner.process.isAlive && owner.process.identity.boot === process.identity.boot
      const isProvable = isDead && owner.process.identity.namespace === process.identity.namespace
      // The monotonic clock of this boot, since it first saw this lease.
      const of = owner === null ? "" : `${owner.process.identity.pid} ${owner.renewedAtMillis} ${owner.addedMillis}`
      const first = this.seen.get(process.identity.boot)
      const at = first?.of === of ? first : { of, atMillis: process.host.monotonicMillis }
      this.seen.set(process.identity.boot, at)
      const waitedMillis = process.host.monotonicMillis - at.atMillis
      const got = yield* Effect.result(process.leases.acquire(treeId))
      if (got._tag === "Failure") {
        assert.strictEqual(got.failure._tag, "TreeBusy")
        assert.isFalse(isProvable, "an owner that has verifiably died is replaced at once")
        const longestMillis = leaseMillis + (owner?.addedMillis ?? 0)
        assert.isBelow(waitedMillis, longestMillis, "a boot waits one lease at most, whatever process waits")
        const freeInMillis = got.failure._tag === "TreeBusy" ? got.failure.freeInMillis : null
        if (freeInMillis !== null) assert.isAtMost(freeInMillis, longestMillis - waitedMillis)
        return
      }
      if (owner !== null && !isProvable) {
        assert.isAtLeast(this.nowMillis - owner.renewedAtMillis, leaseMillis, "no lease is taken before its end")
      }
      process.lease = got.success
      yield* this.renewed(process)
    })

  get deadline(): Effect.Effect<number | null> {
    const row = this.client.sync((database) => database.get("SELECT lease_counter_millis FROM trees"))
    return Effect.orDie(
      Effect.map(row, (found) => (found === undefined ? null : Number(found["lease_counter_millis"])))
    )
  }

  /** Remembers that the process has just extended its lease. */
  readonly renewed = (process: Running) =>
    Effect.gen({ self: this }, function* () {
      const addedMillis = ((yield* this.deadline) ?? 0) - process.host.monotonicMillis - leaseMillis
      assert.isAtLeast(addedMillis, 0, "a renewal never shortens the lease")
      this.owner = { process, renewedAtMillis: this.nowMillis, addedMillis }
    })

  /** An effect under the lease: only its owner may begin one. */
  readonly act = (process: Running, lease: SessionStore.Lease) =>
    Effect.gen({ self: this }, function* () {
      const { owner } = this
      const before = yield* this.deadline
      const secured = yield* Effect.result(process.leases.secure(lease))
      if (secured._tag === "Success") {
        assert.strictEqual(owner?.process, process, "only the owner begins an effect")
        if (owner === null) return
        if ((yield* this.deadline) !== before) yield* this.renewed(process)
        const { renewedAtMillis } = this.owner ?? owner
        assert.isBelow(this.nowMillis - renewedAtMillis, leaseMillis, "and only before another may take it")
      } else assert.notStrictEqual(owner?.process, process)
    })

  readonly step = ({ kind, millis, who }: Action) =>
    Effect.gen({ self: this }, function* () {
      const alive = this.processes.filter(({ isAlive }) => isAlive)
      const process = alive.length === 0 ? null : alive[who % alive.length]
      const host = this.hosts[who % hostCount]
      if (kind === "wait") this.pass(millis, null)
      else if (kind === "sleep") this.pass(millis, host)
      else if (kind === "start") this.start(who)
      else if (kind === "reboot") {
        for (const each of this.processes) if (each.host === host) each.isAlive = false
        Object.assign(host, { boot: host.boot + 1, monotonicMillis: 0, asleepMillis: 0 })
      } else if (process !== null) {
        if (kind === "kill") process.isAlive = false
        else if (kind === "acquire" && process.lease === null) yield* this.acquire(process)
        else if (kind === "act" && process.lease !== null) yield* this.act(process, process.lease)
        else if (kind === "renew") {
          const before = yield* this.deadline
          yield* process.leases.renewAll
          if ((yield* this.deadline) !== before && this.owner !== null) {
            assert.strictEqual(this.owner.process, process, "only the owner renews")
            yield* this.renewed(process)
          }
        }
      }
    })
}

describe("a lease among kernels", () => {
  it.effect.prop(
    "is taken after its whole length or its owner's proven end, and no effect begins without it",
    [Schema.Array(Action).check(Schema.isMinLength(20), Schema.isMaxLength(120))],
    ([actions]) =>
      Effect.scoped(
        Effect.gen(function* () {
          const world = yield* makeWorld
          for (let who = 0; who < 4; who++) world.start(who)
          for (const action of actions) yield* world.step(action)
        })
      ),
    { arbitrary: { runs: 150, size: 100 } }
  )
})

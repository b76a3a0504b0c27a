/** Ownership among processes that can look each other up, and among those that cannot. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { existsSync, readFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import os from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { requires } from "../../../test/requirements.ts"
import { SessionStoreSql } from "../src/index.ts"
import * as Child from "./child.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const namespaces = requires("pidNamespaces")
const clocks = requires("timeNamespaces")
const treeId = Session.SessionId.make("lease")

const longMillis = 600_000
const shortMillis = 300

/** A new PID namespace with its own /proc. */
const contained = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
/** A new PID namespace with the /proc of the outer namespace. */
const halfContained = ["unshare", "--pid", "--fork", "--kill-child"]

const hour = 3_600_000
/** On a monotonic clock of its own, an hour ahead: as on another kernel. */
const onOtherClock = ["unshare", "--time", "--fork", "--kill-child", "--monotonic", "3600", "--boottime", "3600"]

/** Runs an effect on a host whose date is wrong by so much. */
const withDateOff = <A, E, R>(millis: number, body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) => {
    const wrong = Object.create(clock) as { currentTimeMillisUnsafe: () => number }
    wrong.currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() + millis
    return Effect.provideService(body, Clock.Clock, wrong as Clock.Clock)
  })

const place = Effect.map(temporaryDirectory, (directory) => ({ directory, effects: join(directory, "effects") }))
type Place = Effect.Success<typeof place>

const owner = ({ directory, effects }: Place, leaseMillis: number, wrapper: ReadonlyArray<string> = []) =>
  Child.start("ownTree", [directory, String(leaseMillis), effects], wrapper)

const open = ({ directory }: Place, leaseMillis: number) =>
  Effect.map(Layer.build(Layer.fresh(SessionStoreSql.layer({ directory, leaseMillis }))), (context) =>
    Context.get(context, SessionStore.SessionStore)
  )

/** Tries until the tree is no longer owned. */
const acquired = (store: SessionStore.SessionStore["Service"]): Effect.Effect<SessionStore.Lease> =>
  store
    .acquire(treeId)
    .pipe(
      Effect.catch((error) =>
        error._tag === "TreeBusy" ? Effect.andThen(Effect.sleep("10 millis"), acquired(store)) : Effect.die(error)
      )
    )

const until = (isTrue: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (isTrue() ? Effect.void : Effect.andThen(Effect.sleep("5 millis"), until(isTrue))))

const effectsOf = ({ effects }: Place): string => (existsSync(effects) ? readFileSync(effects, "utf8") : "")

const deadlineOf = ({ directory }: Place): number => {
  const database = new DatabaseSync(join(directory, "bough.db"), { readOnly: true })
  const row = database.prepare("SELECT lease_counter_millis FROM trees WHERE tree_id = ?").get(treeId)
  database.close()
  return Number(row?.["lease_counter_millis"])
}

/** Runs an effect as if the machine had run for that much longer. */
const after = <A, E>(millis: number, effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  const bigint = process.hrtime.bigint.bind(process.hrtime)
  return Effect.acquireUseRelease(
    Effect.sync(() => {
      process.hrtime.bigint = () => bigint() + BigInt(millis) * 1_000_000n
    }),
    () => effect,
    () =>
      Effect.sync(() => {
        process.hrtime.bigint = bigint
      })
  )
}

describe("a lease", () => {
  for (const [where, wrapper] of [
    ["another PID namespace", contained],
    ["another PID namespace with the /proc of this one", halfContained]
  ] as const) {
    it.live.skipIf(namespaces.skip)(
      `is not taken from an owner that lives in ${where}, and says when it ends${namespaces.suffix}`,
      () =>
        Effect.gen(function* () {
          const at = yield* place
          const child = yield* owner(at, longMillis, wrapper)
          assert.strictEqual(yield* child.line, "owns 1", child.complaints())
          const store = yield* open(at, longMillis)
          const busy = yield* Effect.flip(store.acquire(treeId))
          assert.isTrue(busy._tag === "TreeBusy" && busy.freeInMillis !== null && busy.freeInMillis > longMillis / 2)
          assert.match(busy.message, /is free in \d+ s$/)
          assert.strictEqual((yield* Effect.flip(store.remove(treeId)))._tag, "TreeBusy")
          yield* child.say("one")
          assert.strictEqual(yield* child.line, "done one")
        })
    )
  }

  it.live.skipIf(namespaces.skip)(
    `is not taken within one PID namespace whose /proc shows another one's processes${namespaces.suffix}`,
    () =>
      Effect.gen(function* () {
        const at = yield* place
        const owner = yield* Effect.promise(() => Child.pathOf("ownTree"))
        const input = [owner, at.directory, String(longMillis), at.effects]
        const child = yield* Child.start("twoOwners", input, halfContained)
        assert.strictEqual(yield* child.line, "owns 1", child.complaints())
        assert.match((yield* child.line) ?? "", /^failed TreeBusy/, child.complaints())
      })
  )

  it.live.skipIf(namespaces.skip)(
    `of this process is not taken by one in another PID namespace, which cannot look it up${namespaces.suffix}`,
    () =>
      Effect.gen(function* () {
        const at = yield* place
        const store = yield* open(at, longMillis)
        yield* store.acquire(treeId)
        for (const wrapper of [contained, halfContained]) {
          const child = yield* owner(at, longMillis, wrapper)
          assert.match((yield* child.line) ?? "", /^failed TreeBusy \d+/, child.complaints())
        }
      })
  )

  it.live.skipIf(namespaces.skip)(
    `is renewed by an idle owner, and free at its deadline if that was killed unseen${namespaces.suffix}`,
    () =>
      Effect.gen(function* () {
        const at = yield* place
        const child = yield* owner(at, shortMillis, contained)
        assert.strictEqual(yield* child.line, "owns 1", child.complaints())
        const first = deadlineOf(at)
        yield* until(() => deadlineOf(at) > first + 2 * shortMillis)
        const store = yield* open(at, shortMillis)
        assert.strictEqual((yield* Effect.flip(store.acquire(treeId)))._tag, "TreeBusy")
        yield* child.kill
        assert.strictEqual((yield* acquired(store)).epoch, 2)
      })
  )

  for (const hours of [3, -3]) {
    it.live.skipIf(clocks.skip)(
      `of another kernel is measured on the waiting host, whose date is ${hours} hours off${clocks.suffix}`,
      () =>
        Effect.gen(function* () {
          const at = yield* place
          const child = yield* owner(at, longMillis, onOtherClock)
          assert.strictEqual(yield* child.line, "owns 1", child.complaints())
          const busy = Effect.scoped(
            Effect.flatMap(withDateOff(hours * hour, open(at, longMillis)), (store) =>
              Effect.flip(store.acquire(treeId))
            )
          )
          const first = yield* busy
          assert.isTrue(first._tag === "TreeBusy" && first.freeInMillis === longMillis)
          const start = process.hrtime.bigint()
          while (process.hrtime.bigint() - start < 5_000_000n) yield* Effect.sleep("2 millis")
          // Another process of this boot continues the measurement.
          const second = yield* busy
          assert.isTrue(second._tag === "TreeBusy" && (second.freeInMillis ?? longMillis) < longMillis)
          yield* child.say("one")
          assert.strictEqual(yield* child.line, "done one")
          const renewed = yield* busy
          assert.isTrue(renewed._tag === "TreeBusy" && renewed.freeInMillis === longMillis)
        })
    )

    it.live.skipIf(clocks.skip)(
      `of a killed owner on another kernel is free one lease later, though the date is ${hours} hours off${clocks.suffix}`,
      () =>
        Effect.gen(function* () {
          const at = yield* place
          const child = yield* owner(at, shortMillis, onOtherClock)
          assert.strictEqual(yield* child.line, "owns 1", child.complaints())
          yield* child.kill
          const again: Effect.Effect<number> = Effect.scoped(
            Effect.flatMap(withDateOff(hours * hour, Effect.orDie(open(at, shortMillis))), (store) =>
              Effect.map(store.acquire(treeId), ({ epoch }) => epoch)
            )
          ).pipe(
            Effect.catch((error) =>
              error._tag === "TreeBusy" ? Effect.andThen(Effect.sleep("20 millis"), again) : Effect.die(error)
            )
          )
          assert.strictEqual(yield* again, 2)
        })
    )
  }

  it.live("of an owner that was killed beside its successor ends with it", () =>
    Effect.gen(function* () {
      const at = yield* place
      const child = yield* owner(at, longMillis)
      assert.strictEqual(yield* child.line, "owns 1", child.complaints())
      const store = yield* open(at, longMillis)
      const busy = yield* Effect.flip(store.acquire(treeId))
      assert.isTrue(busy._tag === "TreeBusy" && busy.freeInMillis === null)
      yield* child.kill
      assert.strictEqual((yield* store.acquire(treeId)).epoch, 2)
    })
  )

  it.live("of a stopped owner is free at its deadline; continued, it does nothing more", () =>
    Effect.gen(function* () {
      const at = yield* place
      const child = yield* owner(at, shortMillis)
      assert.strictEqual(yield* child.line, "owns 1", child.complaints())
      yield* child.say("intend")
      assert.strictEqual(yield* child.line, "done intend")
      process.kill(child.pid, "SIGSTOP")
      const store = yield* open(at, shortMillis)
      const lease = yield* acquired(store)
      assert.strictEqual(lease.epoch, 2)
      yield* child.say("double")
      process.kill(child.pid, "SIGCONT")
      assert.strictEqual(yield* child.line, "failed LeaseLost")
      assert.strictEqual(effectsOf(at), "")
      yield* store.secure(lease)
    })
  )

  it.live("of a stopped owner continues if no process took it", () =>
    Effect.gen(function* () {
      const at = yield* place
      const child = yield* owner(at, 50)
      assert.strictEqual(yield* child.line, "owns 1", child.complaints())
      process.kill(child.pid, "SIGSTOP")
      yield* until(() => Number(process.hrtime.bigint() / 1_000_000n) >= deadlineOf(at) + 50)
      process.kill(child.pid, "SIGCONT")
      yield* child.say("one")
      assert.strictEqual(yield* child.line, "done one")
      assert.strictEqual(effectsOf(at), "one\n")
    })
  )

  it.live("with less than the margin left is renewed before an effect, and is lost if another took the tree", () =>
    Effect.gen(function* () {
      const at = yield* place
      const store = yield* open(at, longMillis)
      const lease = yield* store.acquire(treeId)
      const first = deadlineOf(at)
      yield* store.secure(lease)
      assert.strictEqual(deadlineOf(at), first)
      const hasty = yield* open(at, 1)
      const other = { treeId: Session.SessionId.make("other"), epoch: 1 }
      assert.deepStrictEqual(yield* hasty.acquire(other.treeId), other)
      yield* Effect.sleep("5 millis")
      yield* hasty.secure(other)
      yield* store.release(lease)
      const next = yield* store.acquire(treeId)
      for (const stale of [lease, { ...next, epoch: next.epoch + 1 }]) {
        assert.strictEqual((yield* Effect.flip(store.secure(stale)))._tag, "LeaseLost")
      }
      yield* store.secure(next)
    })
  )

  it.live("is renewed before an effect from two thirds of its time on, not only after its deadline", () =>
    Effect.gen(function* () {
      const at = yield* place
      const store = yield* open(at, longMillis)
      const lease = yield* store.acquire(treeId)
      const first = deadlineOf(at)
      yield* after(longMillis * 0.6, store.secure(lease))
      assert.strictEqual(deadlineOf(at), first)
      yield* after(longMillis * 0.75, store.secure(lease))
      assert.isAbove(deadlineOf(at), first)
    })
  )

  it.live("is renewed before an effect after the machine slept, because other kernels counted that time", () =>
    Effect.gen(function* () {
      const at = yield* place
      const store = yield* open(at, longMillis)
      const lease = yield* store.acquire(treeId)
      const first = deadlineOf(at)
      const awake = os.uptime
      yield* Effect.acquireUseRelease(
        Effect.sync(() => {
          os.uptime = () => awake() + longMillis / 1000
          syncBuiltinESMExports()
        }),
        () => store.secure(lease),
        () =>
          Effect.sync(() => {
            os.uptime = awake
            syncBuiltinESMExports()
          })
      )
      assert.isAbove(deadlineOf(at), first)
    })
  )

  it.live("is extended by a commit", () =>
    Effect.gen(function* () {
      const at = yield* place
      const store = yield* open(at, longMillis)
      const lease = yield* store.acquire(treeId)
      const first = deadlineOf(at)
      const start = yield* store.now
      while ((yield* store.now) < start + 2) yield* Effect.sleep("2 millis")
      yield* store.commit(SampleJournal.batch(lease, [SampleJournal.append(treeId, 0, SampleJournal.opened())]))
      assert.isAbove(deadlineOf(at), first)
    })
  )
})

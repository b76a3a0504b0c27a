/** Several processes on one store: one owner per tree, one decision per approval, and notifications without polling delays. */
import { Inbox, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { SampleJournal } from "@bough/runtime/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { SessionStoreSql } from "../src/index.ts"
import * as Child from "./child.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const linux = requires("linux")
const treeId = Session.SessionId.make("crash")

describe("several processes", () => {
  it.live("cannot own one tree, until its owner is killed: then at once, and its lease is void", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const child = yield* Child.start("appendForever", [directory, "Relaxed", "1000000"])
      yield* child.line
      yield* Effect.provide(
        Effect.gen(function* () {
          const store = yield* SessionStore.SessionStore
          const busy = yield* Effect.flip(store.acquire(treeId))
          assert.strictEqual(busy._tag, "TreeBusy")
          assert.include(busy.message, `process ${child.pid}`)
          assert.strictEqual((yield* Effect.flip(store.remove(treeId)))._tag, "TreeBusy")
          process.kill(child.pid, "SIGSTOP")
          assert.strictEqual((yield* Effect.flip(store.acquire(treeId)))._tag, "TreeBusy")
          process.kill(child.pid, "SIGCONT")
          yield* child.kill
          const lease = yield* store.acquire(treeId)
          const { entries } = yield* store.session(treeId)
          const append = SampleJournal.append(treeId, entries, SampleJournal.message("mine now"))
          const stale = { ...lease, epoch: lease.epoch - 1 }
          assert.strictEqual((yield* Effect.flip(store.commit(SampleJournal.batch(stale, [append]))))._tag, "LeaseLost")
          yield* store.commit(SampleJournal.batch(lease, [append]))
        }),
        SessionStoreSql.layer({ directory })
      )
    })
  )

  it.live.skipIf(linux.skip)(`do not count a killed process as alive that was not reaped${linux.suffix}`, () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const careless = ["sh", "-c", '"$0" "$@" & exec sleep 1000']
      const child = yield* Child.start("appendForever", [directory, "Relaxed", "1000000"], careless)
      yield* child.line
      yield* Effect.provide(
        Effect.gen(function* () {
          const store = yield* SessionStore.SessionStore
          const busy = yield* Effect.flip(store.acquire(treeId))
          const pid = Number(/process (\d+)/.exec(busy.message)?.[1])
          process.kill(pid, "SIGKILL")
          while (!/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))) yield* Effect.sleep("5 millis")
          assert.strictEqual((yield* store.acquire(treeId)).epoch, 2)
        }),
        SessionStoreSql.layer({ directory })
      )
    })
  )

  it.live("do not take a recycled process id for a living owner", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const claims = [
        { column: "owner_start", value: "1" },
        { column: "owner_pid", value: 2 ** 22 + 1 }
      ]
      for (const { column, value } of claims) {
        const lease = yield* Effect.provide(SampleJournal.openTree(0), SessionStoreSql.layer({ directory }))
        const database = new DatabaseSync(join(directory, "bough.db"))
        yield* Effect.provide(
          Effect.gen(function* () {
            const store = yield* SessionStore.SessionStore
            yield* store.acquire(lease.treeId)
            assert.strictEqual((yield* Effect.flip(store.acquire(lease.treeId)))._tag, "TreeBusy")
            database.prepare(`UPDATE trees SET ${column} = ? WHERE tree_id = ?`).run(value, lease.treeId)
            const taken = yield* store.acquire(lease.treeId)
            assert.strictEqual(taken.epoch, lease.epoch + 2, column)
          }),
          SessionStoreSql.layer({ directory })
        )
        database.close()
      }
    })
  )

  it.live("cannot take a tree that another takes, or is about to remove, at the same time", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      // Two stores stand for two processes here: their steps alternate, which real processes seldom do.
      const opened = Effect.map(Layer.build(Layer.fresh(SessionStoreSql.layer({ directory }))), (context) =>
        Context.get(context, SessionStore.SessionStore)
      )
      const [one, other] = [yield* opened, yield* opened]
      const both = { concurrency: "unbounded" } as const
      const leases = yield* Effect.forEach([one, other], (store) => Effect.result(store.acquire(treeId)), both)
      assert.deepStrictEqual(leases.map((result) => result._tag).toSorted(), ["Failure", "Success"])
      for (const result of leases) {
        if (result._tag === "Success") yield* one.release(result.success)
        else assert.strictEqual(result.failure._tag, "TreeBusy")
      }
      const [lease, removed] = yield* Effect.all(
        [Effect.result(one.acquire(treeId)), Effect.result(other.remove(treeId))],
        both
      )
      assert.strictEqual(lease._tag, "Success")
      assert.strictEqual(removed._tag === "Failure" && removed.failure._tag, "TreeBusy")
    })
  )

  it.live("decide an approval once, however close they come", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.provide(
        Effect.gen(function* () {
          const store = yield* SessionStore.SessionStore
          const lease = yield* SampleJournal.openTree(0)
          const requests = Array.from({ length: 25 }, () => SampleJournal.request(lease.treeId, 1e15))
          yield* store.commit(
            SampleJournal.batch(lease, [], {
              projections: requests.map((request) => ({ _tag: "ApprovalPending", request }) as const)
            })
          )
          const ids = requests.map((request) => request.approvalId)
          const children = yield* Effect.forEach(["Approved", "Denied"], (decision) =>
            Child.start("decideAll", [directory, lease.treeId, decision, ...ids])
          )
          for (const child of children) assert.strictEqual(yield* child.line, "ready", child.complaints())
          for (const child of children) yield* child.say("go")
          const won = yield* Effect.forEach(children, Child.lines)
          assert.deepStrictEqual(won.flat().toSorted(), ids.toSorted())
          const rows = yield* store.inbox(lease.treeId)
          assert.strictEqual(rows.length, ids.length)
          for (const row of rows) {
            const winner = won[0].includes(row.dedupeKey.slice("approval:".length)) ? "Approved" : "Denied"
            assert.strictEqual(row.command._tag === "DecideApproval" && row.command.decision._tag, winner)
            assert.strictEqual(row.principal, winner)
          }
          assert.deepStrictEqual(
            rows.map((row) => row.dedupeKey).toSorted(),
            ids.map((id) => Inbox.decisionKey(id)).toSorted()
          )
        }),
        SessionStoreSql.layer({ directory })
      )
    })
  )

  it.live("are notified of each other's messages", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.provide(
        Effect.gen(function* () {
          const store = yield* SessionStore.SessionStore
          const { treeId } = yield* SampleJournal.openTree(0)
          const seen = yield* Queue.unbounded<void>()
          const fiber = yield* Effect.forkChild(
            Stream.runForEach(SessionStore.inboxChanges(store, treeId), () => Queue.offer(seen, undefined))
          )
          yield* Queue.take(seen)
          const child = yield* Child.start("submitOnce", [directory, treeId, "hello from outside"])
          yield* Effect.timeout(Queue.take(seen), "2 minutes")
          const [row] = yield* store.inbox(treeId)
          assert.deepStrictEqual(row.command, { _tag: "SteerSession", sessionId: treeId, text: "hello from outside" })
          assert.deepStrictEqual(yield* Child.lines(child), ["inserted"])
          yield* Fiber.interrupt(fiber)
        }),
        SessionStoreSql.layer({ directory })
      )
    })
  )

  it.live(
    "create one store together when they start at once",
    () =>
      Effect.gen(function* () {
        const directory = join(yield* temporaryDirectory, "new", "home")
        const children = yield* Effect.forEach(["a", "b", "c"], (key) =>
          Child.start("openTree", [directory, `tree-${key}`])
        )
        for (const child of children) assert.deepStrictEqual(yield* Child.lines(child), ["opened"], child.complaints())
        const all = yield* Effect.provide(
          Effect.flatMap(SessionStore.SessionStore, (store) => store.list({ workspaceRoot: null, limit: 10 })),
          SessionStoreSql.layer({ directory })
        )
        assert.deepStrictEqual(all.map((row) => row.sessionId as string).toSorted(), ["tree-a", "tree-b", "tree-c"])
      }),
    thoroughOnly
  )

  it.live("wait for each other's writes instead of failing", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* Effect.provide(
        Effect.gen(function* () {
          const store = yield* SessionStore.SessionStore
          const lease = yield* SampleJournal.openTree(0)
          const other = new DatabaseSync(join(directory, "bough.db"))
          other.exec("BEGIN IMMEDIATE")
          const fibers = yield* Effect.forEach([1, 2, 3], (index) =>
            Effect.forkChild(
              store.submit({
                treeId: lease.treeId,
                dedupeKey: `key ${index}`,
                command: { _tag: "SteerSession", sessionId: lease.treeId, text: "patience" },
                principal: "user"
              })
            )
          )
          yield* Effect.sleep("300 millis")
          assert.deepStrictEqual(yield* store.inbox(lease.treeId), [])
          other.exec("COMMIT")
          other.close()
          const results = yield* Effect.forEach(fibers, Fiber.join)
          assert.deepStrictEqual(results, [{ inserted: true }, { inserted: true }, { inserted: true }])
        }),
        SessionStoreSql.layer({ directory })
      )
    })
  )
})

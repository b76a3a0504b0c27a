/** A host over a real file: many sessions in a small cache, other processes, and processes that are killed. */
import { Inbox, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { SessionStoreSql } from "../src/index.ts"
import * as Child from "./child.ts"
import * as Hosting from "./programs/hosting.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const effectsOf = (file: string): ReadonlyArray<string> =>
  existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").toSorted() : []

const place = Effect.map(temporaryDirectory, (directory) => ({ directory, effects: join(directory, "effects") }))

/** A second connection to the file, as another process has it. */
const storeOf = (directory: string) =>
  Effect.map(Layer.build(SessionStoreSql.layer({ directory })), (context) =>
    Context.get(context, SessionStore.SessionStore)
  )

/** The ports of a connection of its own. */
const freshStore = (directory: string) => Layer.build(Layer.fresh(SessionStoreSql.layer({ directory })))

/** Polls. */
const until = <E>(look: Effect.Effect<boolean, E>): Effect.Effect<void, E> =>
  Effect.gen(function* () {
    while (!(yield* look)) yield* Effect.sleep(20)
  })

const approved = { decision: { _tag: "Approved", rule: null }, principal: "grace" } as const

const lastOf = Effect.fnUntraced(function* (store: SessionStore.SessionStore["Service"], sessionId: string) {
  const entries = yield* store.entries(Session.SessionId.make(sessionId), 0, 1000)
  const last = entries.at(-1)?.body
  return last?._tag === "ModelReplied" && last.parts[0]?._tag === "Text" ? last.parts[0].text : null
})

describe("a host over a file", () => {
  it.live("that is killed while a call waits loses nothing: the decision of another process is used once", () =>
    Effect.gen(function* () {
      const { directory, effects } = yield* place
      const child = yield* Child.start("host", [directory, effects])
      const sessionId = (yield* child.line) ?? ""
      assert.match(sessionId, /^ses_/u, child.complaints())
      yield* child.kill
      // No process owns the tree now, and this process is not a host yet.
      const store = yield* storeOf(directory)
      const [request, ...more] = yield* store.pendingApprovals(null, { user: "ada" })
      assert.deepStrictEqual(more, [])
      assert.strictEqual(request.sessionPath[0], sessionId)
      assert.isTrue((yield* store.submit(Inbox.toDecisionRow(request, approved))).inserted)
      assert.deepStrictEqual(effectsOf(effects), [])
      // Two hosts find it at once: one of them owns it.
      for (let host = 0; host < 2; host++) {
        const scope = yield* Effect.scope
        yield* Effect.forkIn(
          Effect.scoped(
            Effect.provide(Effect.andThen(Hosting.make(effects), Effect.never), SessionStoreSql.layer({ directory }))
          ),
          scope
        )
      }
      yield* until(Effect.map(lastOf(store, sessionId), (text) => text === "heard 2"))
      assert.deepStrictEqual(effectsOf(effects), ["moon"])
      const bodies = (yield* store.entries(Session.SessionId.make(sessionId), 0, 1000)).map(({ body }) => body._tag)
      for (const tag of ["ApprovalAsked", "ApprovalDecided", "CallStarted", "CallEnded"] as const) {
        assert.strictEqual(bodies.filter((found) => found === tag).length, 1, tag)
      }
      assert.deepStrictEqual(yield* store.pendingApprovals(null), [])
      assert.deepStrictEqual(yield* store.inbox(Session.SessionId.make(sessionId)), [])
    }).pipe(Effect.scoped)
  )

  it.live(
    "names the address of the process that owns a session, if it has one, and sends there through the inbox",
    () =>
      Effect.gen(function* () {
        const { directory, effects } = yield* place
        const owning = yield* Layer.build(SessionStoreSql.layer({ directory, address: "http://10.0.0.7:8080" }))
        const store = Context.get(owning, SessionStore.SessionStore)
        const host = yield* Effect.provideContext(Hosting.make(effects), yield* freshStore(directory))
        const { sessionId } = yield* host.create(Hosting.facts)
        const silent = host.attach(sessionId, null).pipe(Stream.runDrain, Effect.flip)
        const attached = yield* Effect.forkChild(silent, { startImmediately: true })
        assert.isNull(yield* store.ownedElsewhere(sessionId))
        const lease = yield* store.acquire(sessionId)
        assert.isNull(yield* store.ownedElsewhere(sessionId), "it is this connection's own")
        for (const told of [yield* Fiber.join(attached), yield* silent]) {
          assert.strictEqual(told._tag === "TreeBusy" ? told.address : null, "http://10.0.0.7:8080")
          assert.include(told._tag === "TreeBusy" ? told.owner : "", String(process.pid))
        }
        const busy = yield* Effect.flip(host.run(sessionId, { text: "hello", media: [] }))
        assert.strictEqual(busy._tag === "TreeBusy" ? busy.address : null, "http://10.0.0.7:8080")
        assert.isTrue((yield* host.send(sessionId, { text: "hello", media: [] })).inserted)
        assert.strictEqual((yield* store.inbox(sessionId)).length, 1)
        // Once the owner has released it, the host that found the row takes it.
        yield* store.release(lease)
        yield* until(Effect.map(lastOf(store, sessionId), (text) => text === "heard 1"))
        const gone = yield* Effect.flip(store.acquire(sessionId))
        assert.isTrue(gone._tag === "TreeBusy" && !("address" in gone), "the host has none")
      }).pipe(Effect.scoped)
  )

  it.live(
    "keeps 200 sessions with at most 16 loaded, through approvals and a second host",
    () =>
      Effect.gen(function* () {
        const { directory, effects } = yield* place
        const count = 200
        const launches = count / 10
        const half = launches / 2
        const other = yield* storeOf(directory)
        const ending = yield* Scope.make()
        const stores = SessionStoreSql.layer({ directory })
        const context = yield* Layer.buildWithScope(stores, ending)
        const first = yield* Scope.provide(Effect.provideContext(Hosting.make(effects), context), ending)
        const created = yield* Effect.forEach(
          Array.from({ length: count }, (_, index) => index),
          (index) => first.create({ ...Hosting.facts, key: `session ${index}` }),
          { concurrency: 20 }
        )
        let most = 0
        const watch = Effect.forever(
          Effect.andThen(
            Effect.map(first.loaded, (loaded) => (most = Math.max(most, loaded))),
            Effect.sleep(1)
          )
        )
        yield* Effect.forkIn(watch, ending)
        // Every tenth of them requests a launch, which waits for an approval; from this process and from another.
        yield* Effect.forEach(
          Array.from(created.entries()),
          ([index, { sessionId }]): Effect.Effect<unknown, unknown> => {
            const text = index % 10 === 0 ? `launch target${index}` : "hello"
            const command = { _tag: "SendMessage", sessionId, text, media: [] } as const
            return index % 3 === 0
              ? other.submit({ treeId: sessionId, dedupeKey: "first", command, principal: "grace" })
              : first.send(sessionId, { text, media: [] })
          },
          { concurrency: 20 }
        )
        const settled = (store: SessionStore.SessionStore["Service"], text: string) =>
          Effect.map(
            Effect.forEach(created, ({ sessionId }) => lastOf(store, sessionId)),
            (texts) => texts.every((found) => found === text)
          )
        yield* until(settled(other, "heard 1"))
        const requests = yield* other.pendingApprovals(null)
        assert.strictEqual(requests.length, launches)
        assert.isAtMost(most, 16)
        assert.deepStrictEqual(effectsOf(effects), [])
        // Half of the decisions come while the first host runs, half while none does.
        const decide = (some: typeof requests) =>
          Effect.forEach(some, (request) => other.submit(Inbox.toDecisionRow(request, approved)), { concurrency: 20 })
        yield* decide(requests.slice(0, half))
        yield* until(Effect.sync(() => effectsOf(effects).length === half))
        yield* Scope.close(ending, Exit.void)
        yield* decide(requests.slice(half))
        yield* Effect.scoped(
          Effect.provide(
            Effect.gen(function* () {
              yield* Hosting.make(effects)
              yield* until(Effect.map(other.work, (work) => work.every(({ newestRow }) => newestRow === null)))
              yield* until(Effect.map(other.pendingApprovals(null), ({ length }) => length === 0))
              yield* until(Effect.sync(() => effectsOf(effects).length >= launches))
            }),
            stores
          )
        )
        const expected = created.flatMap((_, index) => (index % 10 === 0 ? [`target${index}`] : [])).toSorted()
        assert.deepStrictEqual(effectsOf(effects), expected)
      }).pipe(Effect.scoped),
    thoroughOnly
  )
})

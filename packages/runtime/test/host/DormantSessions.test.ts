/** Dormant sessions of a host: idle ones of which the process keeps the lease alone. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { Host, SessionStore } from "../../src/index.ts"
import * as SessionCache from "../../src/session/SessionCache.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "../session/world.ts"
import * as Hosting from "./hosting.ts"

const test = <A, E>(name: string, body: () => Effect.Effect<A, E, World.Needs>) =>
  it.effect(name, () => Hosting.run(body()))

/** A host that counts how often each session is opened, and which are open. */
const counting = Effect.fnUntraced(function* ({
  refuses = () => false,
  replies = 12,
  serving = {},
  ...options
}: Partial<Host.HostOptions> & {
  readonly serving?: Partial<Host.ServedSession>
  readonly refuses?: (opened: number) => boolean
  readonly replies?: number
} = {}) {
  const world = World.makeWorld()
  const { model } = yield* ScriptedModel.make(
    Array.from({ length: replies }, (_, index) => Reply.text(`answer ${index}`))
  )
  const opened: Array<string> = []
  const open = new Set<string>()
  const host = yield* Hosting.make({
    world,
    model,
    maxLoaded: 8,
    maxIdleOpen: 1,
    restMillis: 0,
    serve: ({ sessionId, user, workspaceRoot }) =>
      Effect.gen(function* () {
        opened.push(sessionId)
        if (refuses(opened.length)) return yield* new Host.NotServed({ sessionId, message: "not now" })
        yield* Effect.acquireRelease(
          Effect.sync(() => open.add(sessionId)),
          () => Effect.sync(() => open.delete(sessionId))
        )
        return { agent: World.agentOf(world, { user, workspace: { root: workspaceRoot } }), ...serving }
      }),
    ...options
  })
  const create = Effect.map(host.create(Hosting.facts), ({ sessionId }) => sessionId)
  return { host, opened, open, create }
})

const untilOpen = (open: ReadonlySet<string>, count: number) => Hosting.until(Effect.sync(() => open.size === count))

const isOwned = Effect.fnUntraced(function* (sessionId: string) {
  const store = yield* SessionStore.SessionStore
  const { treeId } = yield* store.session(sessionId)
  const exit = yield* Effect.exit(store.acquire(treeId))
  if (Exit.isSuccess(exit)) yield* store.release(exit.value)
  return Exit.isFailure(exit)
})

describe("Host", () => {
  it.effect("reads no journal again for a message to an open session, however many are open", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      let reads = 0
      const entries: typeof store.entries = (...page) => Effect.suspend(() => ((reads += 1), store.entries(...page)))
      yield* Effect.gen(function* () {
        const many = SessionCache.defaultMaxLoaded + 4
        const { create, host } = yield* counting({ maxLoaded: many, maxIdleOpen: many, replies: 2 * many })
        const sessions = yield* Effect.forEach(Array.from({ length: many }), () => create)
        for (const sessionId of sessions) yield* host.run(sessionId, World.say("hello"))
        const before = reads
        for (const sessionId of sessions) yield* host.run(sessionId, World.say("again"))
        assert.strictEqual(reads - before, 0)
      }).pipe(Effect.provideService(SessionStore.SessionStore, { ...store, entries }), Effect.scoped)
    }).pipe(Effect.provide(World.stores))
  )

  test("closes idle sessions beyond its limit and keeps their leases, and a message opens one again", () =>
    Effect.gen(function* () {
      const { create, host, open, opened } = yield* counting()
      const sessions = [yield* create, yield* create, yield* create]
      for (const sessionId of sessions) yield* host.run(sessionId, World.say("hello"))
      yield* untilOpen(open, 1)
      assert.deepStrictEqual([...open], [sessions[2]], "the one used last stays open")
      assert.strictEqual(yield* host.loaded, 3)
      for (const sessionId of sessions) assert.isTrue(yield* isOwned(sessionId))
      assert.strictEqual((yield* host.run(sessions[0], World.say("again"))).text, "answer 3")
      assert.deepStrictEqual(opened, [...sessions, sessions[0]])
      assert.strictEqual((yield* host.run(sessions[0], World.say("at once"))).text, "answer 4")
      assert.strictEqual(opened.length, 4, "it is open now")
    }))

  test("keeps every session open for a while after its use, even beyond its limit", () =>
    Effect.gen(function* () {
      const { create, host, open, opened } = yield* counting({ maxIdleOpen: 0, restMillis: 20_000 })
      const sessions = [yield* create, yield* create]
      for (const sessionId of sessions) yield* host.run(sessionId, World.say("hello"))
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual(open.size, 2)
      yield* host.run(sessions[1], World.say("again"))
      assert.strictEqual(opened.length, 2)
      yield* TestClock.adjust("10 seconds")
      yield* untilOpen(open, 1)
      assert.deepStrictEqual([...open], [sessions[1]])
      yield* TestClock.adjust("15 seconds")
      yield* untilOpen(open, 0)
      assert.strictEqual(yield* host.dormant, 2)
    }))

  test("continues the numbers of a reader whose session was dormant, without a gap", () =>
    Effect.gen(function* () {
      const { create, host, open } = yield* counting({ maxIdleOpen: 0 })
      const sessionId = yield* create
      yield* host.run(sessionId, World.say("one"))
      const items = yield* Effect.forkChild(
        Stream.runCollect(
          Stream.takeUntil(
            host.attach(sessionId, null),
            (item) => item._tag === "Published" && item.event._tag === "TurnEnded" && item.event.turn === 3
          )
        )
      )
      for (const expected of ["answer 1", "answer 2"]) {
        yield* untilOpen(open, 0)
        yield* host.send(sessionId, World.say("more"))
        yield* Hosting.until(Effect.map(Hosting.answerOf(sessionId), (answer) => answer === expected))
      }
      const [gap, ...rest] = yield* Fiber.join(items)
      assert.strictEqual(gap._tag, "Gap")
      assert.deepStrictEqual(
        rest.map(({ number }) => number),
        rest.map((_, index) => gap.number + index + 1)
      )
      assert.strictEqual(new Set(rest.map(({ epoch }) => epoch)).size, 1)
    }))

  test("gives up a dormant session after its time, and for another one that needs its place", () =>
    Effect.gen(function* () {
      const { create, host, open } = yield* counting({ maxIdleOpen: 0, maxLoaded: 2, idleMillis: 60_000 })
      const sessions = [yield* create, yield* create, yield* create]
      for (const sessionId of sessions) {
        yield* host.run(sessionId, World.say("hello"))
        yield* untilOpen(open, 0)
      }
      assert.strictEqual(yield* host.loaded, 2)
      assert.deepStrictEqual(yield* Effect.forEach(sessions, isOwned), [false, true, true])
      yield* TestClock.adjust("70 seconds")
      yield* Hosting.until(Effect.map(host.loaded, (loaded) => loaded === 0))
      assert.deepStrictEqual(yield* Effect.forEach(sessions, isOwned), [false, false, false])
    }))

  test("leaves a dormant session to the process that has taken its lease", () =>
    Effect.gen(function* () {
      const { create, host, open } = yield* counting({ maxIdleOpen: 0 })
      const sessionId = yield* create
      yield* host.run(sessionId, World.say("hello"))
      yield* untilOpen(open, 0)
      const store = yield* SessionStore.SessionStore
      const { treeId } = yield* store.session(sessionId)
      // The epoch of the only lease so far, as another process would find it expired.
      const { epoch } = yield* host.attach(sessionId, null).pipe(Stream.runHead, Effect.flatMap(Effect.fromOption))
      yield* store.release({ treeId, epoch })
      const theirs = yield* store.acquire(treeId)
      yield* Effect.flip(store.secure({ treeId, epoch }))
      yield* Hosting.until(Effect.map(host.loaded, (loaded) => loaded === 0))
      assert.strictEqual((yield* Effect.flip(host.run(sessionId, World.say("whose?"))))._tag, "TreeBusy")
      yield* store.release(theirs)
      assert.strictEqual((yield* host.run(sessionId, World.say("mine"))).text, "answer 1")
    }))

  test("releases the lease of a dormant session that cannot be opened again", () =>
    Effect.gen(function* () {
      const { create, host, open } = yield* counting({ maxIdleOpen: 0, refuses: (opened) => opened === 2 })
      const sessionId = yield* create
      yield* host.run(sessionId, World.say("hello"))
      yield* untilOpen(open, 0)
      assert.strictEqual((yield* Effect.flip(host.run(sessionId, World.say("again"))))._tag, "NotServed")
      assert.strictEqual(yield* host.loaded, 0)
      assert.isFalse(yield* isOwned(sessionId))
      assert.strictEqual((yield* host.run(sessionId, World.say("now"))).text, "answer 1")
    }))

  test("keeps an idle session open while it has state that its journal does not contain", () =>
    Effect.gen(function* () {
      let isHeld = true
      const { create, host, open } = yield* counting({
        maxIdleOpen: 0,
        serving: { wrap: (session) => ({ ...session, canUnload: () => !isHeld && session.canUnload() }) }
      })
      const [first, second] = [yield* create, yield* create]
      yield* host.run(first, World.say("hello"))
      yield* host.run(second, World.say("hello"))
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(open.size, 2)
      isHeld = false
      yield* TestClock.adjust("5 seconds")
      yield* untilOpen(open, 0)
      assert.strictEqual(yield* host.loaded, 2)
    }))
})

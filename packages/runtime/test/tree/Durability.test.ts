/**
 * The effect of a power cut: every batch that sessions of all kinds commit has its required durability, and the work
 * waits for it. `durability.ts` has the promise; `Durability.table` of the runtime is the implementation.
 */
import type { Approval, Batch, Entry } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { Durability, Fork, Journal, SessionStore, type Channel } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as SampleJournal from "../../src/testing/SampleJournal.ts"
import * as Durable from "../durability.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"
import * as Steady from "./steady.ts"

const { text, toolCall, toolCalls } = Reply

interface Recorded {
  readonly batches: Array<Batch.Batch>
  readonly store: SessionStore.SessionStore["Service"]
  /** The durable entries so far, in order. */
  readonly done: Array<Entry.Body>
}

/** The store, and its commits. A commit takes time, so that code that does not wait for it is seen. */
const recording = (inner: SessionStore.SessionStore["Service"]): Recorded => {
  const batches: Array<Batch.Batch> = []
  const done: Array<Entry.Body> = []
  return {
    batches,
    done,
    store: {
      ...inner,
      commit: (batch) =>
        Effect.gen(function* () {
          batches.push(batch)
          for (let turn = 0; turn < 3; turn++) yield* Effect.yieldNow
          const committed = yield* inner.commit(batch)
          done.push(...batch.entries.map(({ body }) => body))
          return committed
        })
    }
  }
}

const recorded = <A, E>(body: (recorded: Recorded) => Effect.Effect<A, E, World.Needs>) =>
  Grove.run(
    Effect.gen(function* () {
      const inner = yield* SessionStore.SessionStore
      const all = recording(inner)
      yield* Effect.provideService(body(all), SessionStore.SessionStore, all.store)
      return all.batches
    })
  )

const check = (batches: ReadonlyArray<Batch.Batch>): void => {
  const wrongIn = Durable.makeCheck()
  for (const batch of batches) assert.isNull(wrongIn(batch))
}

const tagsOf = (batches: ReadonlyArray<Batch.Batch>): ReadonlySet<Entry.Body["_tag"]> =>
  new Set(batches.flatMap(({ entries }) => entries.map(({ body }) => body._tag)))

const always = { decision: { _tag: "Approved", rule: "launch target=moon" }, principal: "ada" } as const

const tree: Steady.Cast = {
  go: [
    toolCalls([
      { name: "look", arguments: { key: "a" } },
      { name: "append", arguments: { line: "1" } },
      { name: "put", arguments: { key: "k", value: "v" } },
      { name: "nothing", arguments: {} }
    ]),
    toolCalls([
      { name: "spawn_branch", arguments: { task: "branch" } },
      { name: "spawn_worker", arguments: { task: "worker" } },
      { name: "launch", arguments: { target: "moon" } }
    ]),
    toolCall("wait_for_sessions"),
    text("done")
  ],
  branch: [toolCall("launch", { target: "moon" }), toolCall("fail"), text("ok")],
  worker: [toolCall("look", { key: "a" }), text("ok")],
  chain: [
    toolCall("run_chain", {
      links: [
        { name: "first", tool: "look", arguments: { key: "a" } },
        { name: "second", tool: "append", arguments: { line: { $from: "first", at: "/value" } } },
        { name: "third", tool: "put", arguments: { key: "k", value: { $from: "second", at: "/value" } } },
        { name: "fourth", tool: "launch", arguments: { target: "moon" } },
        { name: "fifth", tool: "fail", arguments: {} }
      ]
    }),
    text("done")
  ],
  more: [toolCall("launch", { target: "mars" }), text("waits"), text("flew")]
}

describe("Every batch of the runtime", () => {
  it.effect("has the durability that its entries require: calls, approvals, rules and children", () =>
    Effect.gen(function* () {
      const batches = yield* recorded(() =>
        Effect.gen(function* () {
          const ask = () => Effect.succeed<Channel.ChannelAnswer>(always)
          const { session } = yield* Grove.openWith({ world: World.makeWorld(), model: Steady.make(tree), ask })
          assert.strictEqual((yield* session.run(World.say("go"))).status, "completed")
          yield* session.call("append", `{"line":"by hand"}`)
        })
      )
      check(batches)
      const tags = tagsOf(batches)
      for (const tag of ["SessionOpened", "ApprovalDecided", "ChildSpawned", "ChildEnded", "SessionEnded"] as const) {
        assert.isTrue(tags.has(tag), tag)
      }
    })
  )

  it.effect("is the same if calls are deferred, denied and interrupted, and if a process takes over", () =>
    Effect.gen(function* () {
      const batches = yield* recorded(({ done }) =>
        Effect.gen(function* () {
          const world = World.makeWorld()
          const sessionId = yield* Effect.scoped(
            Effect.gen(function* () {
              const { session } = yield* Grove.openWith({ world, model: Steady.make(tree) })
              yield* session.run(World.say("more"))
              return session.sessionId
            })
          )
          const store = yield* SessionStore.SessionStore
          const [request] = yield* store.pendingApprovals(null)
          const no: Approval.Decision = { _tag: "Denied", words: "no" }
          yield* Effect.scoped(
            Effect.gen(function* () {
              const ask = () => Effect.succeed<Channel.ChannelAnswer>({ decision: no, principal: "ada" })
              const { session } = yield* Grove.openWith({ world, model: Steady.make(tree), sessionId, ask })
              yield* session.resume
              const dwelling = Steady.make({ dwell: [toolCall("dwell", { key: "a" }), text("?")] })
              const other = yield* Grove.openWith({ world, model: dwelling })
              const running = yield* Effect.forkChild(other.session.run(World.say("dwell")))
              while (!done.some((body) => body._tag === "CallStarted" && body.tool === "dwell")) yield* Effect.yieldNow
              yield* Fiber.interrupt(running)
            })
          )
          assert.strictEqual(request.tool, "launch")
          yield* Fork.fork(sessionId, null)
        })
      )
      check(batches)
      const tags = tagsOf(batches)
      for (const tag of ["CallDeferred", "ApprovalAsked", "StateChanged"] as const) assert.isTrue(tags.has(tag), tag)
    })
  )

  it.effect("has the durability that each link of a chain requires, by the link's own tool and request", () =>
    Effect.gen(function* () {
      const batches = yield* recorded(() =>
        Effect.gen(function* () {
          const ask = () => Effect.succeed<Channel.ChannelAnswer>(World.approved)
          const { session } = yield* Grove.openWith({ world: World.makeWorld(), model: Steady.make(tree), ask })
          assert.strictEqual((yield* session.run(World.say("chain"))).status, "completed")
        })
      )
      check(batches)
      const ended = batches.flatMap(({ durability, entries }) =>
        entries.flatMap(({ body }) => (body._tag === "CallEnded" ? [[body.tool, durability]] : []))
      )
      assert.deepStrictEqual(ended, [
        ["look", "Relaxed"],
        ["append", "Full"],
        ["put", "Full"],
        ["launch", "Full"],
        ["fail", "Relaxed"],
        ["run_chain", "Relaxed"]
      ])
    })
  )

  it("names every kind of entry", () => {
    for (const tag of Durable.alwaysFull) assert.strictEqual(Durability.table[tag], "Full")
  })

  it.effect("a request is shown when it is durable, and an effect happens when its intent is", () =>
    recorded(({ done }) =>
      Effect.gen(function* () {
        const world = World.makeWorld()
        const shown: Array<boolean> = []
        const ask = (request: Approval.Request) =>
          Effect.sync((): Channel.ChannelAnswer => {
            shown.push(
              done.some((body) => body._tag === "ApprovalAsked" && body.request.approvalId === request.approvalId)
            )
            return World.approved
          })
        const { events, session } = yield* Grove.openWith({ world, model: Steady.make(tree), ask })
        const push = world.log.push.bind(world.log)
        const intents: Array<boolean> = []
        world.log.push = (...lines) => {
          intents.push(done.some((body) => body._tag === "CallStarted"))
          return push(...lines)
        }
        yield* session.run(World.say("more"))
        assert.deepStrictEqual([shown, intents], [[true], [true]])
        assert.isTrue(events.some(({ _tag }) => _tag === "ApprovalAsked"))
      })
    )
  )
})

describe("A commit of two sessions", () => {
  it.effect("locks both: entries that either appends come before or after", () =>
    Grove.run(
      Effect.gen(function* () {
        const { store } = recording(yield* SessionStore.SessionStore)
        const lease = yield* SampleJournal.openTree(1)
        const parent = yield* Journal.open({ store, lease }, lease.treeId)
        const child = yield* Journal.open({ store, lease }, SampleJournal.freshId("child"))
        const { treeId: parentId } = lease
        yield* child.append({ bodies: [SampleJournal.opened({ kind: "Branch", parentId })] })
        const message = (name: string) => SampleJournal.message(name)
        const both = Journal.commitBoth(parent, child, () =>
          Result.succeed({ parent: { bodies: [message("both")] }, child: { bodies: [message("both")] } })
        )
        const alone = [parent, child].map((journal) => journal.append({ bodies: [message("alone")] }))
        yield* Effect.all([both, ...alone, both, ...alone], { concurrency: "unbounded" })
        for (const { sessionId } of [parent, child]) {
          const entries = yield* store.entries(sessionId, 0, 100)
          const userMessages = entries.flatMap(({ body }) => (body._tag === "UserMessage" ? [body.text] : []))
          assert.deepStrictEqual(
            ["both", "alone"].map((name) => userMessages.filter((text) => text === name).length),
            [2, 2]
          )
        }
      })
    )
  )
})

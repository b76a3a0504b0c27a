/** Trees that wait for a user: for as long as users take, without repeating work, each independently. */
import { type Approval, Inbox } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { SessionStore } from "../../src/index.ts"
import type { ScriptsByRole } from "../../src/testing/CastModel.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as World from "../session/world.ts"
import * as Grove from "../tree/grove.ts"

const { text, toolCall, toolCalls } = Reply
const launch = (target: string) => toolCall("launch", { target })
const branch = (task: string) => ({ name: "spawn_branch", arguments: { task } })

/** One process: opens the tree, works until it ends or waits, and ends. */
const workOn = (world: World.World, cast: ScriptsByRole, sessionId?: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { session } = yield* Grove.open({ world, cast, ...(sessionId === undefined ? {} : { sessionId }) })
      const result = sessionId === undefined ? yield* session.run(World.say("go")) : yield* session.resume
      return { sessionId: session.sessionId, result }
    })
  )

const pending = Effect.flatMap(SessionStore.SessionStore, (store) => store.pendingApprovals(null))

const approve = Effect.fnUntraced(function* (request: Approval.Request) {
  const store = yield* SessionStore.SessionStore
  const { inserted } = yield* store.submit(Inbox.toDecisionRow(request, World.approved))
  return inserted
})

const asking = {
  go: [toolCall("spawn_branch", { task: "work" }), text("started")],
  work: [launch("moon"), text("I wait")]
}

describe("a tree that waits for a user", () => {
  for (const [when, time] of [
    ["the next morning", "14 hours"],
    ["after a long weekend", "4 days"],
    ["on the last of seven days", "167 hours"]
  ] as const) {
    it.effect(`finds no approval expired ${when}, and continues from there in another process`, () =>
      Effect.gen(function* () {
        const world = World.makeWorld()
        const { sessionId } = yield* workOn(world, asking)
        yield* TestClock.adjust(time)
        const [request] = yield* pending
        assert.isTrue(yield* approve(request))
        const { result } = yield* workOn(world, { go: [text("ok")], work: [text("done")] }, sessionId)
        assert.strictEqual(result?.status, "completed")
        assert.deepStrictEqual([world.log, yield* pending], [["launch moon"], []])
      }).pipe(Effect.provide(World.stores))
    )
  }

  it.effect("accepts no decision after the deadline, and tells its agent that the approval expired", () =>
    Effect.gen(function* () {
      const world = World.makeWorld()
      const { sessionId } = yield* workOn(world, asking)
      yield* TestClock.adjust("169 hours")
      const [request] = yield* pending
      const refusal = yield* Effect.flip(approve(request))
      assert.strictEqual(refusal._tag, "ApprovalClosed")
      const deniedStep = { expect: { toolResult: /no decision in time/ }, reply: text("then not") }
      const { result } = yield* workOn(world, { go: [text("ok")], work: [deniedStep] }, sessionId)
      assert.strictEqual(result?.status, "completed")
      assert.deepStrictEqual([world.log, yield* pending], [[], []])
    }).pipe(Effect.provide(World.stores))
  )

  it.effect("repeats no work that was done beside the pending call, whichever is decided first", () =>
    Effect.gen(function* () {
      const world = World.makeWorld()
      const tasks = ["north", "south"]
      const { sessionId } = yield* workOn(world, {
        go: [toolCalls([branch("done"), ...tasks.map(branch)]), text("ok"), text("ok")],
        done: [toolCall("append", { line: "once" }), text("finished")],
        north: [
          toolCalls([
            { name: "append", arguments: { line: "n" } },
            { name: "launch", arguments: { target: "n" } }
          ]),
          text("I wait")
        ],
        south: [
          toolCalls([
            { name: "append", arguments: { line: "s" } },
            { name: "launch", arguments: { target: "s" } }
          ]),
          text("I wait")
        ]
      })
      assert.deepStrictEqual(world.log.toSorted(), ["append n", "append once", "append s"])
      const requests = yield* pending
      const south = requests.find((request) => request.arguments.includes('"s"'))
      assert.isDefined(south)
      yield* approve(south)
      yield* workOn(world, { go: [text("ok"), text("ok")], south: [text("done")], north: [] }, sessionId)
      const [north] = yield* pending
      yield* approve(north)
      yield* workOn(world, { go: [text("ok")], north: [text("done")] }, sessionId)
      assert.deepStrictEqual(world.log.toSorted(), ["append n", "append once", "append s", "launch n", "launch s"])
      assert.strictEqual(world.log.at(-1), "launch n")
    }).pipe(Effect.provide(World.stores))
  )
})

describe("conversations beside each other in one process", () => {
  it.effect("learn only of their own children, in whatever order these end", () =>
    Grove.run(
      Effect.gen(function* () {
        const names = ["ada", "ben", "cem", "dan"]
        const results = yield* Effect.forEach(
          names,
          Effect.fnUntraced(function* (name, at) {
            const pause = (names.length - at) * 100
            const { cast, session } = yield* Grove.open({
              cast: {
                go: [
                  toolCalls([branch("work"), { name: "wait_for_sessions", arguments: {} }]),
                  { expect: { user: `the word of ${name}` }, reply: text(`${name} has heard`) }
                ],
                work: [Reply.slowly(text(`the word of ${name}`), pause)]
              }
            })
            const { text: said } = yield* session.run(World.say("go"))
            yield* cast.assertDone
            const [{ childId }] = yield* Grove.bodies(session.sessionId, "ChildSpawned")
            const store = yield* SessionStore.SessionStore
            const entries = [session.sessionId, childId].map((id) => store.entries(id, 0, 1_000))
            return { name, said, journal: JSON.stringify(yield* Effect.all(entries)) }
          }),
          { concurrency: "unbounded" }
        ).pipe(
          Effect.forkChild,
          Effect.tap(() => TestClock.adjust("5 seconds")),
          Effect.flatMap(Fiber.join)
        )
        for (const { journal, name, said } of results) {
          assert.strictEqual(said, `${name} has heard`)
          for (const other of names) assert.strictEqual(journal.includes(`the word of ${other}`), other === name)
        }
      })
    )
  )
})

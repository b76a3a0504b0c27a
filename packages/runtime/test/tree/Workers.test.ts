/** A Worker's state after its process has died. */
import { Inbox } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { type Agent, SessionStore } from "../../src/index.ts"
import type { ScriptsByRole } from "../../src/testing/CastModel.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as Crash from "../session/crash.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

const { text, toolCall } = Reply
const starts = toolCall("spawn_worker", { task: "errand" })

/** A process that works on the cast for a second of the clock, and dies at that write; 0: a user stops it. */
const dies = Effect.fnUntraced(function* (cast: ScriptsByRole, at: number) {
  const store = yield* SessionStore.SessionStore
  const crashing = Crash.make(store, at, "after")
  const made = yield* Effect.scoped(
    Effect.gen(function* () {
      const { session } = yield* Grove.open({ cast })
      const fiber = yield* Effect.forkChild(Effect.exit(session.run(World.say("go"))))
      yield* TestClock.adjust("1 second")
      const writes = crashing.writes()
      yield* crashing.isDead() ? Fiber.join(fiber) : Fiber.interrupt(fiber)
      return { sessionId: session.sessionId, writes }
    })
  ).pipe(Effect.provideService(SessionStore.SessionStore, crashing.store))
  yield* crashing.bury
  return made
})

describe("a Worker whose process has died", () => {
  it.effect("has failed if it was running, and its parent is told why and continues", () =>
    Effect.gen(function* () {
      const cast = { go: [starts, text("waiting")], errand: [toolCall("look", { key: "a" }), Reply.hang()] }
      const { writes } = yield* Effect.provide(dies(cast, 0), World.stores)
      yield* Effect.gen(function* () {
        const { sessionId } = yield* dies(cast, writes)
        const failedStep = { expect: { user: /failed \(the process that ran it ended\)/ }, reply: text("then without") }
        const { cast: script, session } = yield* Grove.open({ sessionId, cast: { go: [failedStep] } })
        assert.strictEqual((yield* session.resume)?.text, "then without")
        yield* script.assertDone
        const [{ result }] = yield* Grove.bodies(sessionId, "ChildEnded")
        assert.deepStrictEqual([result.status, result.reason], ["Failed", "the process that ran it ended"])
      }).pipe(Effect.scoped, Effect.provide(World.stores))
    })
  )

  it.effect("continues if it waited for an approval that has been decided since", () =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const policy: Agent.Agent["policy"] = {
          rules: [{ effect: "ask", tool: "look", fields: [], text: "ask look" }],
          approve: "ask"
        }
        const sessionId = yield* Effect.scoped(
          Effect.gen(function* () {
            const { session } = yield* Grove.open({
              world,
              policy,
              cast: { go: [starts, text("waiting")], errand: [toolCall("look", { key: "moon" }), text("I wait")] }
            })
            assert.strictEqual((yield* session.run(World.say("go"))).status, "suspended")
            return session.sessionId
          })
        )
        const store = yield* SessionStore.SessionStore
        const [request] = yield* store.pendingApprovals(sessionId)
        yield* store.submit(Inbox.toDecisionRow(request, World.approved))
        world.values.set("moon", "is full")
        const { session } = yield* Grove.open({
          world,
          sessionId,
          policy,
          cast: { go: [text("ok")], errand: [text("seen")] }
        })
        assert.strictEqual((yield* session.resume)?.status, "completed")
        const [{ childId, result }] = yield* Grove.bodies(sessionId, "ChildEnded")
        assert.deepStrictEqual([result.status, result.summary], ["Completed", "seen"])
        const [{ outcome }] = yield* Grove.bodies(childId, "CallEnded")
        assert.include(JSON.stringify(outcome), "is full")
      })
    )
  )

  it.effect("runs its own tools, and no code of any other tool of the program", () =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const { session } = yield* Grove.open({
          world,
          cast: {
            go: [starts, text("waiting"), text("ok")],
            errand: [
              toolCall("append", { line: "mallory" }),
              toolCall("launch", { target: "moon" }),
              toolCall("lanch", {}),
              toolCall("look", { key: "a" }),
              text("I cannot")
            ]
          },
          ask: World.approve
        })
        yield* session.run(World.say("go"))
        assert.deepStrictEqual(world.log, [])
        const [{ childId }] = yield* Grove.bodies(session.sessionId, "ChildSpawned")
        const outcomes = (yield* Grove.bodies(childId, "CallEnded")).map(({ outcome }) => JSON.stringify(outcome))
        assert.match(
          outcomes[0],
          /PermissionDenied.*"Workspace".*does not hold append: held by another kind of session/
        )
        assert.match(outcomes[1], /PermissionDenied.*"Elevated".*does not hold launch: held by another kind of session/)
        assert.include(outcomes[2], 'unknown tool \\"lanch\\""')
        assert.include(outcomes[3], "Succeeded")
        assert.deepStrictEqual(yield* Grove.bodies(childId, "ApprovalAsked"), [])
      })
    )
  )
})

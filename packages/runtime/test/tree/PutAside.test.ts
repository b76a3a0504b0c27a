/** Deferred calls in a tree: every request is shown at the Main, and no session is blocked by it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { SessionStore } from "../../src/index.ts"
import type * as CastModel from "../../src/testing/CastModel.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as Person from "../../src/testing/ScriptedPerson.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

const { text, toolCall, toolCalls } = Reply
const launch = (target: string) => toolCall("launch", { target })
const waitsFor = toolCall("wait_for_sessions", {})

const graceMillis = 1000

const begin = Effect.fnUntraced(function* (cast: CastModel.ScriptsByRole) {
  const person = Person.make()
  const opened = yield* Grove.open({ cast, ask: person.ask, limits: { approvalGraceMillis: graceMillis } })
  const running = yield* Effect.forkChild(opened.session.run(World.say("go")))
  yield* TestClock.adjust(1)
  return { ...opened, person, running }
})

const passGrace = TestClock.adjust(graceMillis)

describe("a deferred call in a tree", () => {
  it.effect("blocks neither its Branch nor the Main, and runs once when the user approves it", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, person, running, session, world } = yield* begin({
          go: [toolCall("spawn_branch", { task: "work" }), waitsFor, text("ok")],
          work: [launch("moon"), toolCall("append", { line: "meanwhile" }), text("I wait"), text("it flew")]
        })
        yield* passGrace
        assert.deepStrictEqual(world.log, ["append meanwhile"])
        assert.lengthOf(person.open, 1)
        assert.deepStrictEqual(person.asked[0].sessionPath.length, 2)
        yield* person.answer(Person.yes)
        yield* Fiber.join(running)
        yield* cast.assertDone
        assert.deepStrictEqual(world.log, ["append meanwhile", "launch moon"])
        const [{ result }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.deepStrictEqual([result.status, result.summary], ["Completed", "it flew"])
      })
    )
  )

  it.effect("is taken up at once by a session that waits for another one", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, person, running, world } = yield* begin({
          go: [
            toolCalls([
              { name: "spawn_branch", arguments: { task: "slow" } },
              { name: "launch", arguments: { target: "moon" } }
            ]),
            waitsFor,
            { expect: { user: /deferred call launch/ }, reply: text("it flew") },
            text("ok")
          ],
          slow: [Reply.slowly(text("slept"), 60_000)]
        })
        yield* passGrace
        yield* person.answer(Person.yes)
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(world.log, ["launch moon"])
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual((yield* Fiber.join(running)).text, "ok")
        yield* cast.assertDone
      })
    )
  )

  it.effect("is withdrawn when its Branch is cancelled: the request is closed, and a late approval has no effect", () =>
    Grove.run(
      Effect.gen(function* () {
        const { person, running, session, world } = yield* begin({
          go: [toolCall("spawn_branch", { task: "work" }), waitsFor, text("ok")],
          work: [launch("moon"), text("I wait")]
        })
        yield* passGrace
        const [{ approvalId }] = person.asked
        const [{ childId }] = yield* Grove.bodies(session.sessionId, "ChildSpawned")
        const store = yield* SessionStore.SessionStore
        const submission = { treeId: session.sessionId, principal: "grace" }
        yield* store.submit({
          ...submission,
          dedupeKey: "cancel",
          command: { _tag: "CancelSession", sessionId: childId, reason: "enough" }
        })
        assert.strictEqual((yield* Fiber.join(running)).text, "ok")
        assert.lengthOf(person.open, 0)
        assert.deepStrictEqual(yield* store.pendingApprovals(null), [])
        const late = yield* store.submit({
          ...submission,
          dedupeKey: "late",
          command: { _tag: "DecideApproval", approvalId, decision: Person.yes }
        })
        assert.isFalse(late.inserted)
        assert.deepStrictEqual(world.log, [])
        const [{ result }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.strictEqual(result.status, "Cancelled")
      })
    )
  )

  it.effect("of several sessions are answered in any order, each independently", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, person, running, world } = yield* begin({
          go: [
            toolCalls([
              { name: "spawn_branch", arguments: { task: "a" } },
              { name: "spawn_branch", arguments: { task: "b" } }
            ]),
            waitsFor,
            text("ok"),
            text("ok")
          ],
          a: [launch("moon"), text("I wait"), text("a done")],
          b: [launch("mars"), text("I wait"), text("b done")]
        })
        yield* passGrace
        assert.lengthOf(person.open, 2)
        yield* person.answer(Person.no(null))
        yield* TestClock.adjust(1)
        yield* person.answer(Person.yes)
        yield* Fiber.join(running)
        assert.lengthOf(world.log, 1)
        yield* cast.scripts.get("a")!.assertDone
        yield* cast.scripts.get("b")!.assertDone
      })
    )
  )
})

/** Children: started once, limited, waited for; their results reach the parent. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as Reply from "../../src/testing/Reply.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

const { text, toolCall, toolCalls } = Reply

describe("children", () => {
  it.effect("a Worker's result reaches a parent that waits, before its next step", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, session } = yield* Grove.open({
          cast: {
            go: [
              toolCalls([
                { name: "spawn_worker", arguments: { task: "look" } },
                { name: "wait_for_sessions", arguments: {} }
              ]),
              { expect: { user: /result of session ses_\w+: completed\]\nseen/ }, reply: text("done") }
            ],
            look: [toolCall("look", { key: "a" }), text("seen")]
          }
        })
        const result = yield* session.run(World.say("go"))
        assert.strictEqual(result.text, "done")
        yield* cast.assertDone
        const [ended] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.strictEqual(ended.result.usage.steps, 2)
        const [last] = yield* Grove.bodies(ended.childId, "SessionEnded")
        assert.deepStrictEqual(last.result, ended.result)
      })
    )
  )

  it.effect("a parent that does not wait continues, and gets the result when it would stop", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, session } = yield* Grove.open({
          cast: {
            go: [
              toolCall("spawn_branch", { task: "work" }),
              text("started"),
              { expect: { user: "finished" }, reply: text("all done") }
            ],
            work: [toolCall("append", { line: "x" }), text("finished")]
          }
        })
        assert.strictEqual((yield* session.run(World.say("go"))).text, "all done")
        yield* cast.assertDone
      })
    )
  )

  it.effect("children work in parallel, and one that hangs delays no other", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* Grove.open({
          cast: {
            go: [
              toolCalls([
                { name: "spawn_worker", arguments: { task: "hang" } },
                { name: "spawn_worker", arguments: { task: "quick" } },
                { name: "wait_for_sessions", arguments: { until: "any" } }
              ]),
              { expect: { user: "here" }, reply: text("one is enough") },
              { expect: { user: /expired \(its time is over\)/ }, reply: text("and the other is late") }
            ],
            hang: [Reply.hang()],
            quick: [text("here")]
          }
        })
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust("5 minutes")
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual((yield* Fiber.join(fiber)).text, "and the other is late")
      })
    )
  )
})

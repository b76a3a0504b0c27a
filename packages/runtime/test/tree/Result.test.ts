/** The result of a child: an output that matches a schema, or its last text. */
import type { Entry } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Reply from "../../src/testing/Reply.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

const { text, toolCall } = Reply

const outputSchema = {
  type: "object",
  properties: { count: { type: "integer", minimum: 0 } },
  required: ["count"],
  additionalProperties: false
}

const spawn = toolCall("spawn_worker", { task: "count", outputSchema })

/** The result of the one child of a Main that started it and replies only "ok". */
const resultOf = Effect.fnUntraced(function* (steps: ReadonlyArray<Reply.Reply>) {
  const { cast, session } = yield* Grove.open({ cast: { go: [spawn, text("ok"), text("ok")], count: steps } })
  yield* session.run(World.say("go"))
  yield* cast.assertDone
  const [ended] = yield* Grove.bodies(session.sessionId, "ChildEnded")
  return ended.result
})

type Result = Entry.BodyOf<"ChildEnded">["result"]
const facts = ({ output, reason, status }: Result) => ({ output, reason, status })

describe("the output of a child", () => {
  it.effect("that matches its schema ends it", () =>
    Grove.run(
      Effect.gen(function* () {
        const result = yield* resultOf([toolCall("return_result", { count: 3 })])
        assert.deepStrictEqual(facts(result), { status: "Completed", reason: "", output: '{"count":3}' })
      })
    )
  )

  it.effect("goes through the validation loop", () =>
    Grove.run(
      Effect.gen(function* () {
        const wrong = toolCall("return_result", { count: -1 })
        const result = yield* resultOf([
          wrong,
          toolCall("return_result", { count: 1, more: 2 }),
          toolCall("return_result", { count: 1 })
        ])
        assert.deepStrictEqual(facts(result), { status: "Completed", reason: "", output: '{"count":1}' })
      })
    )
  )

  it.effect("that never matches fails it, with its last text", () =>
    Grove.run(
      Effect.gen(function* () {
        const wrong = (count: number) => Reply.before(`try ${count}`, toolCall("return_result", { count }))
        const result = yield* resultOf([wrong(-1), wrong(-2), wrong(-3)])
        assert.strictEqual(result.status, "Failed")
        assert.match(result.reason, /return_result was called with wrong arguments three times/)
        assert.strictEqual(result.summary, "try -3")
        assert.isNull(result.output)
      })
    )
  )

  it.effect("that is only in the text is requested, twice", () =>
    Grove.run(
      Effect.gen(function* () {
        const result = yield* resultOf([text("3"), text("it is 3"), text("three")])
        assert.deepStrictEqual(facts(result), {
          status: "Failed",
          reason: "it gave no result that fits the schema",
          output: null
        })
      })
    )
  )

  it.effect("is refused if its schema cannot be checked, and nothing is started", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, session } = yield* Grove.open({
          cast: {
            go: [
              toolCall("spawn_worker", { task: "count", outputSchema: { type: "array" } }),
              { expect: { toolResult: /"type" is not "object"/, toolResultIsError: true }, reply: text("ok") }
            ]
          }
        })
        yield* session.run(World.say("go"))
        yield* cast.assertDone
        assert.deepStrictEqual(yield* Grove.bodies(session.sessionId, "ChildSpawned"), [])
      })
    )
  )

  it.effect("contains the changes that the child and its descendants made", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* Grove.open({
          cast: {
            go: [toolCall("spawn_branch", { task: "a" }), text("ok"), text("ok")],
            a: [toolCall("spawn_branch", { task: "b" }), text("waiting"), text("a done")],
            b: [toolCall("append", { line: "x" }), text("b done")]
          }
        })
        yield* session.run(World.say("go"))
        const [{ result }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.strictEqual(result.summary, "a done")
        assert.strictEqual(result.usage.steps, 5)
        assert.strictEqual(result.usage.spawns, 1)
      })
    )
  )
})

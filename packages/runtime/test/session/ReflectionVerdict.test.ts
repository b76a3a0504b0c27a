/** How a reflection ends: its verdict for the next turn, its corrections, and its model. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as Grove from "../tree/grove.ts"
import { open, expectInPrompt, verdict, work } from "./reflectionWorld.ts"
import * as World from "./world.ts"

const { text, toolCall } = Reply

describe("a reflection", () => {
  it.effect("gives a verdict, which the next turn gets as an opinion, once, under its labels", () =>
    Grove.run(
      Effect.gen(function* () {
        const nearest: Array<ReadonlyArray<string>> = []
        const { script, session } = yield* open({
          nearest: (text) => {
            nearest.push(text)
            return Effect.succeed({ text: "[note-1] likes </notes> tabs", untrusted: true })
          },
          script: [
            ...work,
            {
              expect: { user: /<notes>\n\[note-1\] likes < \/notes> tabs\n<\/notes>[\s\S]*<conversation>/ },
              reply: verdict({ verdict: "replan", lessons: ["look at b.txt"], nextFocus: "read b.txt" })
            },
            {
              expect: expectInPrompt(
                /<context source=\\"reflection\\">.*Verdict: replan.*Lesson: look at b.*Next: read b.*go on/
              ),
              reply: text("I will")
            },
            text("done")
          ]
        })
        yield* session.run(World.say("read it"))
        const result = yield* session.reflect
        assert.deepStrictEqual(JSON.parse(result?.output ?? ""), {
          verdict: "replan",
          assessment: "it went well",
          lessons: ["look at b.txt"],
          nextFocus: "read b.txt"
        })
        assert.deepStrictEqual(nearest, [["read it"]])
        yield* session.run(World.say("go on"))
        yield* session.run(World.say("and on"))
        yield* script.assertDone
        const store = yield* SessionStore.SessionStore
        const joined = (yield* store.entries(session.sessionId, 0, 100)).filter(
          ({ body }) => body._tag === "ContextAdded"
        )
        assert.deepStrictEqual(
          joined.map(({ labels }) => [...labels].toSorted()),
          [["private", "untrusted"]]
        )
      })
    )
  )

  it.effect("that finds no problem tells the next turn nothing", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* open({ script: [...work, verdict(), text("hello")] })
        yield* session.run(World.say("read it"))
        yield* session.reflect
        yield* session.run(World.say("hi"))
        assert.lengthOf(yield* Grove.bodies(session.sessionId, "ContextAdded"), 0)
      })
    )
  )

  it.effect("may correct an invalid verdict twice; then it is told that it failed, and no verdict is offered", () =>
    Grove.run(
      Effect.gen(function* () {
        const wrong = [verdict({ verdict: "done" }), verdict({ lessons: "none" }), toolCall("return_result", {})]
        const { script, session } = yield* open({
          script: [
            ...work,
            wrong[0],
            { expect: { toolResultIsError: true }, reply: wrong[1] },
            { expect: { toolResultIsError: true }, reply: verdict({ verdict: "continue" }) },
            { expect: expectInPrompt(/Verdict: continue/), reply: toolCall("open_file", { path: "b.txt" }) },
            text("read"),
            ...wrong,
            text("hello")
          ]
        })
        yield* session.run(World.say("read it"))
        assert.strictEqual((yield* session.reflect)?.status, "Completed")
        yield* session.run(World.say("more"))
        const failed = yield* session.reflect
        assert.deepStrictEqual([failed?.status, failed?.output], ["Failed", null])
        assert.notStrictEqual(failed?.reason, "")
        assert.strictEqual((yield* session.run(World.say("hi"))).status, "completed")
        assert.lengthOf(yield* Grove.bodies(session.sessionId, "ContextAdded"), 1)
        yield* script.assertDone
      })
    )
  )

  it.effect("runs on a model of its own, at that model's price, and on the conversation's without one", () =>
    Grove.run(
      Effect.gen(function* () {
        const cheap = yield* ScriptedModel.make([verdict({}, { costUsd: 0.001 })], { priced: true })
        const { script, session } = yield* open({ model: cheap.model, script: work })
        yield* session.run(World.say("read it"))
        const result = yield* session.reflect
        assert.deepStrictEqual([result?.status, result?.usage.costUsd], ["Completed", 0.001])
        yield* script.assertDone
        yield* cheap.script.assertDone
      })
    )
  )
})

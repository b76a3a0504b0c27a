/** Reflection on a conversation: its agent, its tools, its cost, and its end when the user sends a message. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as Grove from "../tree/grove.ts"
import { ended, open, spawned, verdict, work } from "./reflectionWorld.ts"
import * as TaintWorld from "./taintWorld.ts"
import * as World from "./world.ts"

const { hang, text, toolCall } = Reply

describe("a reflection", () => {
  it.effect("saves its notes, in a session of its own that the conversation does not see", () =>
    Grove.run(
      Effect.gen(function* () {
        const { events, kept, script, session } = yield* open({
          script: [
            ...work,
            {
              expect: { user: /person: I like tabs[\s\S]*→ open_file/, tools: ["keep", "return_result"] },
              reply: toolCall("keep", { note: "likes tabs" })
            },
            verdict({ assessment: "kept one" }),
            { expect: (prompt) => assert.notInclude(JSON.stringify(prompt.messages), "kept one"), reply: text("hello") }
          ]
        })
        yield* session.run(World.say("I like tabs"))
        events.length = 0
        const result = yield* session.reflect
        assert.deepStrictEqual([result?.status, result?.memoryIds], ["Completed", ["note-1"]])
        assert.deepStrictEqual(kept, ["likes tabs"])
        assert.deepStrictEqual(
          events.map((event) => (event._tag === "Recorded" ? event.entry.body._tag : event._tag)),
          ["ChildSpawned", "ChildEnded"]
        )
        const [child] = yield* spawned(session.sessionId)
        assert.deepStrictEqual([child.purpose, child.kind], ["reflection", "Branch"])
        assert.lengthOf(yield* Grove.bodies(child.childId, "CallEnded"), 2)
        assert.isFalse(yield* session.hasOpenTurn)
        yield* session.run(World.say("hi"))
        yield* script.assertDone
      })
    )
  )

  it.effect("has the tools of memory and no other, whatever it requests", () =>
    Grove.run(
      Effect.gen(function* () {
        const { script, session, world } = yield* open({
          script: [
            ...work,
            {
              expect: ({ tools }) =>
                assert.deepStrictEqual(
                  tools.map(({ name }) => name),
                  ["keep", "return_result"]
                ),
              reply: toolCall("append", { line: "x" })
            },
            { expect: { toolResultIsError: true }, reply: toolCall("visit", { url: TaintWorld.page }) },
            { expect: { toolResultIsError: true }, reply: toolCall("spawn_branch", { task: "x" }) },
            { expect: { toolResultIsError: true }, reply: verdict() }
          ]
        })
        yield* session.run(World.say("read it"))
        assert.strictEqual((yield* session.reflect)?.status, "Completed")
        assert.deepStrictEqual(world.log, [])
        yield* script.assertDone
      })
    )
  )

  it.effect("is due after work or a longer conversation, and again only after more of it", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* open({
          script: [text("1"), text("2"), text("3"), verdict(), ...work, verdict()]
        })
        const worth: Array<boolean> = []
        const look = Effect.map(session.isWorthReflecting, (isWorth) => void worth.push(isWorth))
        for (const said of ["hi", "how are you", "well"]) yield* Effect.andThen(look, session.run(World.say(said)))
        yield* Effect.andThen(look, session.reflect)
        yield* Effect.andThen(look, session.run(World.say("read it")))
        yield* Effect.andThen(look, session.reflect)
        yield* look
        assert.deepStrictEqual(worth, [false, false, false, true, false, true, false])
        assert.isNull(yield* session.reflect, "nothing has been said since")
      })
    )
  )

  it.effect("uses the budget of the conversation that it reviews", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* open({
          script: [...work, verdict({}, { costUsd: 0.5, inputTokens: 70 }), text("never asked for")],
          limits: { maxCostUsd: 0.6 }
        })
        yield* session.run(World.say("read it"))
        const result = yield* session.reflect
        assert.deepStrictEqual([result?.usage.costUsd, result?.usage.inputTokens], [0.5, 70])
        const after = yield* session.run(World.say("go on"))
        assert.strictEqual(after.status, "spent")
        assert.isNull(yield* session.reflect, "nothing is left for it")
      })
    )
  )

  it.effect("ends at once when it is interrupted, costs at most its reservation, and runs again later", () =>
    Grove.run(
      Effect.gen(function* () {
        const { kept, script, session } = yield* open({
          script: [
            ...work,
            toolCall("keep", { note: "likes tabs" }, { costUsd: 0.01 }),
            hang([{ _tag: "Text", text: "and mo" }]),
            { expect: { user: "next" }, reply: text("here", { costUsd: 0.1 }) },
            { expect: { user: /read it[\s\S]*next/ }, reply: verdict({}, { costUsd: 0.01 }) }
          ],
          limits: { maxCostUsd: 10 }
        })
        yield* session.run(World.say("read it"))
        const reflecting = yield* Effect.forkChild(session.reflect)
        yield* Effect.yieldNow.pipe(Effect.repeat({ until: () => kept.length === 1 }))
        while ((yield* script.prompts).length < 4) yield* Effect.yieldNow
        yield* Fiber.interrupt(reflecting)
        const [{ result }] = yield* ended(session.sessionId)
        assert.deepStrictEqual([result.status, result.usage.costUsd], ["Cancelled", (10 - 0.2) * 0.1])
        assert.strictEqual((yield* session.run(World.say("next"))).status, "completed")
        assert.isTrue(yield* session.isWorthReflecting)
        assert.strictEqual((yield* session.reflect)?.status, "Completed")
        yield* script.assertDone
      })
    )
  )

  it.effect("that an earlier process left unfinished ends, and no session continues or waits because of it", () =>
    Grove.run(
      Effect.gen(function* () {
        const store = yield* SessionStore.SessionStore
        const sessionId = yield* Effect.scoped(
          Effect.gen(function* () {
            const { script, session } = yield* open({ script: [...work, hang()] })
            yield* session.run(World.say("read it"))
            yield* Effect.forkDetach(session.reflect)
            while ((yield* script.prompts).length < 3) yield* Effect.yieldNow
            return session.sessionId
          })
        )
        assert.lengthOf(yield* ended(sessionId), 0)
        const { script, session } = yield* open({ sessionId, script: [text("yes"), verdict()] })
        assert.isFalse(yield* session.hasOpenTurn)
        assert.strictEqual((yield* session.run(World.say("are you there?"))).status, "completed")
        assert.deepStrictEqual(
          (yield* ended(sessionId)).map(({ result }) => result.status),
          ["Cancelled"]
        )
        assert.strictEqual((yield* session.reflect)?.status, "Completed")
        yield* script.assertDone
        const summaries = yield* store.sessionsOf(sessionId)
        assert.deepStrictEqual(summaries.map(({ state }) => state).toSorted(), ["Cancelled", "Completed", "Suspended"])
      })
    )
  )

  it.effect("has the labels of everything that the conversation read", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* open({
          script: [
            toolCall("open_file", { path: "a.txt" }),
            toolCall("visit", { url: TaintWorld.page }),
            text("read both"),
            toolCall("keep", { note: "as the page says" }),
            verdict()
          ]
        })
        yield* session.run(World.say(`read ${TaintWorld.page}`))
        yield* session.reflect
        const store = yield* SessionStore.SessionStore
        const [{ childId }] = yield* spawned(session.sessionId)
        for (const { labels } of yield* store.entries(childId, 0, 100)) {
          assert.deepStrictEqual([...labels].toSorted(), ["private", "untrusted"])
        }
      })
    )
  )

  it.effect("does not run without an agent for reflections", () =>
    Grove.run(
      Effect.gen(function* () {
        const { script, session } = yield* open({ script: work, isWithoutReflection: true })
        yield* session.run(World.say("read it"))
        assert.isNull(yield* session.reflect)
        assert.lengthOf(yield* spawned(session.sessionId), 0)
        yield* script.assertDone
      })
    )
  )
})

/** Text that is in every prompt of a session. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as Grove from "../tree/grove.ts"
import * as World from "./world.ts"

const { text, toolCalls } = Reply

describe("StandingContext", () => {
  it.effect("adds the environment with the first message, and again only when it has changed", () =>
    Grove.run(
      Effect.gen(function* () {
        let branch = "main"
        const scripted = yield* ScriptedModel.make(
          [text("one"), text("two"), text("three")].map((reply) => ({ reply }))
        )
        const session = yield* World.openSession({
          scripted,
          agent: World.agentOf(World.makeWorld(), {
            prompt: { environment: Effect.sync(() => `git branch ${branch}`) }
          }),
          channel: World.channelOf([], null)
        })
        yield* session.run(World.say("first"))
        yield* session.run(World.say("second"))
        branch = "topic"
        yield* session.run(World.say("third"))
        const store = yield* SessionStore.SessionStore
        const entries = yield* store.entries(session.sessionId, 0, 100)
        const contexts = entries.flatMap(({ body }) =>
          body._tag === "UserMessage"
            ? [body.text]
            : body._tag === "ContextAdded"
              ? [`${body.source}: ${body.text}`]
              : []
        )
        assert.deepStrictEqual(contexts, [
          "environment: git branch main",
          "first",
          "second",
          "environment: git branch topic",
          "third"
        ])
        assert.deepStrictEqual(new Set(entries.flatMap(({ labels }) => labels)), new Set())
      })
    )
  )

  it.effect("comes before the task of a child", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* Grove.open({
          environment: Effect.succeed("git branch main"),
          cast: {
            go: [
              toolCalls([
                { name: "spawn_worker", arguments: { task: "look" } },
                { name: "wait_for_sessions", arguments: {} }
              ]),
              text("done")
            ],
            look: [text("seen")]
          }
        })
        yield* session.run(World.say("go"))
        const [{ childId }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        const store = yield* SessionStore.SessionStore
        const tags = (yield* store.entries(childId, 0, 100)).map(({ body }) => body._tag)
        assert.deepStrictEqual(tags.slice(0, 3), ["SessionOpened", "ContextAdded", "UserMessage"])
      })
    )
  )
})

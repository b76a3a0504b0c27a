/** The end of a call that an interruption stops while its handler runs, by the replay class of its tool. */
import { Tool, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

describe("an interrupted call", () => {
  it.effect.each([
    // A call that only reads and may be repeated leaves no record of its start.
    ["Safe", "NotRun"],
    ["Idempotent", "Unknown"],
    ["Unsafe", "Unknown"]
  ] as const)("of a tool that is %s ends as %s", ([replay, expected]) =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const halt = Tool.make("halt", {
        version: 1,
        description: "Never ends",
        tier: "ReadOnly",
        replay,
        capabilities: [],
        parameters: Schema.Struct({}),
        output: Schema.Struct({}),
        execute: () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      })
      const session = yield* World.openSession({
        scripted: yield* ScriptedModel.make([Reply.toolCall("halt", {})]),
        channel: World.channelOf([], null),
        agent: {
          ...World.agentOf(World.makeWorld()),
          tools: SampleAgent.toolsOf({ kind: "Main", pack: ToolPack.make(halt) })
        }
      })
      const running = yield* Effect.forkChild(session.run(World.say("go")))
      yield* TestClock.adjust(1)
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(running)
      const store = yield* SessionStore.SessionStore
      const ends = (yield* store.entries(session.sessionId, 0, 1000)).flatMap(({ body }) =>
        body._tag === "CallEnded" ? [body.outcome._tag] : []
      )
      assert.deepStrictEqual(ends, [expected])
    }).pipe(Effect.scoped, Effect.provide(World.stores))
  )
})

/** Tests of a user's calls of tools that appear while a session is open, and of those that do not. */
import type { Tool } from "@bough/tool"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

describe("live tools", () => {
  layer(World.stores)((it) => {
    it.effect("are called as soon as they appear, and until then the error has the reason", () =>
      Effect.gen(function* () {
        const world = World.makeWorld()
        const { look } = World.tools(world).tools
        const live = new Map<string, Tool.Any>()
        const session = yield* World.openSession({
          agent: World.agentOf(world, {
            tools: {
              live: { tools: () => live, revision: () => live.size },
              unavailable: (name) => (name === "shop__look" ? "the server shop did not start" : null)
            }
          }),
          scripted: yield* ScriptedModel.make([]),
          channel: World.channelOf([], null)
        })
        const outcome = Effect.map(session.call("shop__look", '{"key":"a"}'), (called) =>
          called._tag === "Ended" ? called.outcome : assert.fail(called._tag)
        )
        const before = yield* outcome
        assert.deepInclude(before._tag === "Failed" ? before.error : before, {
          message: "shop__look is not available: the server shop did not start"
        })
        live.set("shop__look", { ...look, name: "shop__look" })
        assert.strictEqual((yield* outcome)._tag, "Succeeded")
      }).pipe(Effect.scoped)
    )
  })
})

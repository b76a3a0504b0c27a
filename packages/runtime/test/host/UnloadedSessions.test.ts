/** The memory of a process after its host has unloaded sessions. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { Agent } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "../session/world.ts"
import * as Hosting from "./hosting.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

const count = 8

describe("Host", () => {
  it.effect("keeps nothing of a session that was unloaded in favour of another one", () =>
    Hosting.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const { model } = yield* ScriptedModel.make(Array.from({ length: count }, () => Reply.text("hello")))
        const agents: Array<WeakRef<Agent.Agent>> = []
        const host = yield* Hosting.make({
          world,
          model,
          maxLoaded: 2,
          serve: ({ user, workspaceRoot }) =>
            Effect.sync(() => {
              const agent = World.agentOf(world, { user, workspace: { root: workspaceRoot } })
              agents.push(new WeakRef(agent))
              return { agent }
            })
        })
        for (let made = 0; made < count; made++) {
          const { sessionId } = yield* host.create(Hosting.facts)
          yield* host.run(sessionId, World.say("hello"))
        }
        const held = (): number => agents.filter((agent) => agent.deref() !== undefined).length
        assert.lengthOf(agents, count)
        for (let times = 0; times < 50 && held() > 2; times++) {
          yield* turn
          collect()
        }
        assert.strictEqual(held(), yield* host.loaded)
      })
    )
  )
})

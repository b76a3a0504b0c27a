/** Two versions of a tool: the version of each tree, its record, and the version of a call after a crash. */
import { Experiment, Tool } from "@bough/tool"
import { Inside } from "@bough/tool/testing/SampleCapability"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as Steady from "../tree/steady.ts"
import * as World from "./world.ts"

const putVersion = (world: World.World, version: number) =>
  Tool.make("put", {
    version,
    description: `Set a value, the way of version ${version}`,
    tier: "Workspace",
    replay: "Idempotent",
    capabilities: [Inside],
    parameters: Schema.Struct({ key: Schema.String, value: Schema.String }),
    output: Schema.Struct({ value: Schema.String }),
    execute: ({ key, value }) =>
      Effect.sync(() => {
        world.log.push(`put ${key} by ${version}`)
        return Tool.result({ output: { value }, display: "Set" })
      })
  })

const experimentOn = (world: World.World, share: number) =>
  Experiment.make(putVersion(world, 1), putVersion(world, 2), { share })

const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) => Effect.scoped(body).pipe(Effect.provide(World.stores))
const put = Reply.toolCall("put", { key: "k", value: "v" })

describe("an experiment", () => {
  it("gives a tree the same version every time, and each version its share of trees", () => {
    const experiment = experimentOn(World.makeWorld(), 0.25)
    const trees = Array.from({ length: 4000 }, (_, index) => `ses_${index}`)
    const second = trees.filter((tree) => Experiment.assigned(experiment, tree).version === 2)
    assert.closeTo(second.length / trees.length, 0.25, 0.03)
    for (const tree of trees) {
      assert.strictEqual(Experiment.assigned(experiment, tree), Experiment.assigned(experiment, tree))
    }
    const [none, all] = [experimentOn(World.makeWorld(), 0), experimentOn(World.makeWorld(), 1)]
    assert.isTrue(trees.every((tree) => Experiment.assigned(none, tree).version === 1))
    assert.isTrue(trees.every((tree) => Experiment.assigned(all, tree).version === 2))
  })

  it("is of two versions of one tool with the same requirements", () => {
    const world = World.makeWorld()
    const one = putVersion(world, 1)
    assert.throws(() => Experiment.make(one, putVersion(world, 1)), /both have version 1/)
    assert.throws(() => Experiment.make(one, putVersion(world, 2), { share: 2 }), /share must be from 0 to 1/)
    assert.throws(() => Experiment.make({ ...one, capabilities: [] }, putVersion(world, 2)), /version 2 needs/)
    assert.throws(() => Experiment.make(one, { ...putVersion(world, 2), tier: "System" }), /different tiers/)
    assert.throws(() => Experiment.make(one, { ...putVersion(world, 2), name: "set" }), /different names/)
  })

  it.effect("declares and runs the version of the tree, and counts invalid arguments for it", () =>
    run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const misfit = Reply.toolCall("put", { kee: "k" })
        const declared: Array<string> = []
        const model = Steady.make({ go: [misfit, put, Reply.text("done")] })
        const session = yield* World.openWith({
          agent: World.agentOf(world, { tools: { experiments: [experimentOn(world, 1)] } }),
          model: {
            ...model,
            stream: (prompt) => {
              declared.push(...prompt.tools.map(({ description }) => description))
              return model.stream(prompt)
            }
          },
          channel: World.channelOf([], null)
        })
        yield* session.run(World.say("go"))
        assert.include(declared, "Set a value, the way of version 2")
        assert.deepStrictEqual(world.log, ["put k by 2"])
        const store = yield* SessionStore.SessionStore
        const entries = yield* store.entries(session.sessionId, 0, 100)
        assert.deepStrictEqual(
          entries.flatMap(({ body }) =>
            body._tag === "CallEnded" ? [[body.outcome._tag, body.version ?? null, body.receipt?.version ?? null]] : []
          ),
          [
            ["Failed", 2, null],
            ["Succeeded", null, 2]
          ]
        )
      })
    )
  )

  it.effect("lets a started call continue with its version, whatever the share is now", () =>
    run(
      Effect.gen(function* () {
        const inner = yield* SessionStore.SessionStore
        const world = World.makeWorld()
        let dead = false
        let lease: SessionStore.Lease | null = null
        const dying: typeof inner = {
          ...inner,
          acquire: (treeId) => Effect.tap(inner.acquire(treeId), (held) => Effect.sync(() => (lease = held))),
          release: (held) => (dead ? Effect.void : inner.release(held)),
          commit: (batch) =>
            Effect.suspend(() => {
              dead ||= batch.entries.some(({ body }) => body._tag === "CallEnded")
              return dead ? Effect.die("killed") : inner.commit(batch)
            })
        }
        const process = (store: typeof inner, sessionId: string | null, share: number) =>
          Effect.gen(function* () {
            const session = yield* World.openWith({
              agent: World.agentOf(world, { tools: { experiments: [experimentOn(world, share)] } }),
              model: Steady.make({ go: [put, Reply.text("done")] }),
              channel: World.channelOf([], null),
              sessionId
            })
            yield* sessionId === null ? session.run(World.say("go")) : session.resume
          }).pipe(Effect.scoped, Effect.provideService(SessionStore.SessionStore, store))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(process(dying, null, 1))))
        if (lease !== null) yield* inner.release(lease)
        const [{ sessionId }] = yield* inner.list({ workspaceRoot: null, limit: 1 })
        yield* process(inner, sessionId, 0)
        assert.deepStrictEqual(world.log, ["put k by 2", "put k by 2"])
        const ended = (yield* inner.entries(sessionId, 0, 100)).flatMap(({ body }) =>
          body._tag === "CallEnded" ? [[body.outcome._tag, body.receipt?.version, body.receipt?.attempt]] : []
        )
        assert.deepStrictEqual(ended, [["Succeeded", 2, 2]])
      })
    )
  )
})

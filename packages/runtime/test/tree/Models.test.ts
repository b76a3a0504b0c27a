/** Kinds of session that run on models of their own: each is requested, counted and paid for as that model. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Channel, Model, Session, type Tree } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

const { text, toolCall, toolCalls } = Reply
const scripted = (name: string, replies: ReadonlyArray<Reply.Reply>, priced = true) =>
  ScriptedModel.make(replies, { name, priced })

/** A tree whose kinds run on the named models; a kind that is left out names no model. */
const open = Effect.fnUntraced(function* (models: {
  readonly service: Model.Model["Service"]
  readonly main?: Model.Model["Service"]
  readonly branch?: Model.Model["Service"]
  readonly worker?: Model.Model["Service"]
}) {
  const agentOf = Grove.agents(World.makeWorld(), {})
  const withModel = (kind: "Main" | "Branch" | "Worker", model: Model.Model["Service"] | undefined) => ({
    ...agentOf(kind),
    ...(model === undefined ? {} : { model })
  })
  const childAgent: Tree.ChildAgent = (kind) =>
    Effect.succeed(withModel(kind, kind === "Branch" ? models.branch : models.worker))
  return yield* Session.open({ agent: withModel("Main", models.main), sessionId: null, childAgent }).pipe(
    Effect.provideService(Channel.Channel, World.channelOf([], null)),
    Effect.provideService(Model.Model, models.service)
  )
})

const cost = (costUsd: number) => ({ inputTokens: 10, outputTokens: 1, costUsd })
const modelsOf = Effect.fnUntraced(function* (sessionId: Session.Session["sessionId"]) {
  const steps = yield* Grove.bodies(sessionId, "StepStarted")
  return [...new Set(steps.map(({ model }) => model))]
})

describe("models", () => {
  it.effect("a Branch and a Worker run on their own, and the tree pays each one's price", () =>
    Grove.run(
      Effect.gen(function* () {
        const main = yield* scripted("dear/main", [
          toolCalls(
            [
              { name: "spawn_branch", arguments: { task: "build" } },
              { name: "spawn_worker", arguments: { task: "look" } },
              { name: "wait_for_sessions", arguments: {} }
            ],
            cost(1)
          ),
          text("done", cost(1))
        ])
        const branch = yield* scripted("fair/branch", [text("built", cost(0.1))])
        const worker = yield* scripted("cheap/worker", [text("seen", cost(0.001))])
        const service = yield* scripted("never/asked", [])
        const session = yield* open({
          service: service.model,
          main: main.model,
          branch: branch.model,
          worker: worker.model
        })
        assert.strictEqual((yield* session.run(World.say("go"))).text, "done")
        assert.deepStrictEqual(yield* modelsOf(session.sessionId), ["dear/main"])
        const ended = yield* Grove.bodies(session.sessionId, "ChildEnded")
        const spawned = yield* Grove.bodies(session.sessionId, "ChildSpawned")
        const kinds = new Map(spawned.map(({ childId, kind }) => [childId, kind]))
        const costs = new Map(ended.map(({ childId, result }) => [kinds.get(childId), result.usage.costUsd]))
        assert.deepStrictEqual(
          [costs.get("Branch"), costs.get("Worker")].map((usd) => usd?.toFixed(4)),
          ["0.1000", "0.0010"]
        )
        for (const [childId, kind] of kinds) {
          assert.deepStrictEqual(yield* modelsOf(childId), [kind === "Branch" ? "fair/branch" : "cheap/worker"])
        }
        for (const { script } of [main, branch, worker, service]) yield* script.assertDone
      })
    )
  )

  it.effect("a kind that names none runs on its parent's, and a Main on the one that it was opened with", () =>
    Grove.run(
      Effect.gen(function* () {
        const service = yield* scripted("the/service", [
          toolCalls([
            { name: "spawn_branch", arguments: { task: "build" } },
            { name: "wait_for_sessions", arguments: {} }
          ]),
          text("done")
        ])
        const branch = yield* scripted("the/branch", [
          toolCalls([
            { name: "spawn_worker", arguments: { task: "look" } },
            { name: "wait_for_sessions", arguments: {} }
          ]),
          text("seen by the worker"),
          toolCall("look", { key: "a" }),
          text("built")
        ])
        const session = yield* open({ service: service.model, branch: branch.model })
        assert.strictEqual((yield* session.run(World.say("go"))).status, "completed")
        assert.deepStrictEqual(yield* modelsOf(session.sessionId), ["the/service"])
        const [{ childId }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        const [{ childId: workerId }] = yield* Grove.bodies(childId, "ChildEnded")
        assert.deepStrictEqual([yield* modelsOf(childId), yield* modelsOf(workerId)], [["the/branch"], ["the/branch"]])
      })
    )
  )
})

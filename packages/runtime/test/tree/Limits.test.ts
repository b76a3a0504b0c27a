/** Children are limited: in number, in depth, in budget, in time. Every limit is an error that names it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { Agent, type Model } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

const { text, toolCall, toolCalls } = Reply
const branch = (task: string, more: object = {}) => toolCall("spawn_branch", { task, ...more })
const worker = (task: string) => ({ name: "spawn_worker", arguments: { task } })

describe("limits at spawn", () => {
  it.effect("sessions go four deep, and the deepest is a Worker", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, session } = yield* Grove.open({
          cast: {
            go: [branch("a"), text("1"), text("2")],
            a: [branch("b"), text("1"), text("2")],
            b: [branch("c"), text("1"), text("2")],
            c: [
              branch("d"),
              {
                expect: { toolResult: /Branches go 3 deep, and this session is at depth 3/, toolResultIsError: true },
                reply: toolCalls([worker("d")])
              },
              text("1"),
              text("2")
            ],
            d: [text("here")]
          }
        })
        yield* session.run(World.say("go"))
        yield* cast.assertDone
      })
    )
  )

  it.effect("eight run at once; a slot is free again when one has ended", () =>
    Grove.run(
      Effect.gen(function* () {
        const hangs = Array.from({ length: 8 }, (_, index) => `hang ${index}`)
        const { cast, session } = yield* Grove.open({
          cast: {
            go: [
              toolCalls([...hangs.map(worker), worker("ninth")]),
              {
                expect: { toolResult: /8 child sessions of this session have not ended/ },
                reply: toolCall("wait_for_sessions")
              },
              toolCalls([worker("tenth")]),
              text("now"),
              text("done")
            ],
            ...Object.fromEntries(hangs.map((task) => [task, [Reply.hang()]])),
            tenth: [text("here")]
          }
        })
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust("5 minutes")
        yield* TestClock.adjust("30 seconds")
        assert.strictEqual((yield* Fiber.join(fiber)).text, "done")
        yield* cast.assertDone
      })
    )
  )

  it.effect("a Worker starts no sessions: it does not have the tool", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, session } = yield* Grove.open({
          cast: {
            go: [toolCalls([worker("greedy")]), text("ok"), text("ok")],
            greedy: [
              toolCalls([worker("more")]),
              {
                expect: { toolResult: /does not hold spawn_worker/, toolResultIsError: true },
                reply: text("alone")
              }
            ]
          }
        })
        yield* session.run(World.say("go"))
        yield* cast.assertDone
      })
    )
  )
})

describe("the budget of a tree", () => {
  it.effect("is reserved for a child, and the unused rest returns", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* Grove.open({
          priced: true,
          limits: { maxCostUsd: 1 },
          cast: {
            go: [
              toolCall("spawn_branch", { task: "a", share: 0.5 }, { costUsd: 0.2 }),
              text("ok", { costUsd: 0 }),
              toolCall("spawn_branch", { task: "b", share: 1 }, { costUsd: 0 }),
              text("ok", { costUsd: 0 }),
              text("ok", { costUsd: 0 })
            ],
            a: [text("done", { costUsd: 0.1 })],
            b: [text("done", { costUsd: 0 })]
          }
        })
        yield* session.run(World.say("go"))
        const spawned = yield* Grove.bodies(session.sessionId, "ChildSpawned")
        const budgets = spawned.map(({ budget }) => budget.costUsd ?? 0)
        assert.closeTo(budgets[0], 0.4, 1e-9)
        assert.closeTo(budgets[1], 0.7, 1e-9)
      })
    )
  )

  it.effect("given away in full does not stop the parent, which waits for the unused rest", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, session } = yield* Grove.open({
          priced: true,
          limits: { maxCostUsd: 1 },
          cast: {
            go: [
              toolCall("spawn_branch", { task: "a", share: 1 }, { costUsd: 0.2 }),
              { expect: { user: "half of it" }, reply: text("all done", { costUsd: 0 }) }
            ],
            a: [Reply.slowly(text("half of it", { costUsd: 0.4 }), 1000)]
          }
        })
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust("5 seconds")
        const { status, text: said } = yield* Fiber.join(fiber)
        assert.deepStrictEqual([status, said], ["completed", "all done"])
        yield* cast.assertDone
      })
    )
  )

  it.effect("that is spent stops a child cleanly, and its parent learns which limit it met", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* Grove.open({
          priced: true,
          limits: { maxCostUsd: 1 },
          cast: {
            go: [
              toolCall("spawn_branch", { task: "a", share: 0.1 }, { costUsd: 0 }),
              text("ok", { costUsd: 0 }),
              text("ok", { costUsd: 0 })
            ],
            a: [toolCall("look", { key: "x" }, { costUsd: 0.1 })]
          }
        })
        yield* session.run(World.say("go"))
        const [{ result }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.deepStrictEqual([result.status, result.reason], ["Failed", "the cost limit of $0.1 is spent"])
      })
    )
  )

  it.effect("limits the length of a reply, and a reply that is cut off there ends the turn and runs nothing", () =>
    Grove.run(
      Effect.gen(function* () {
        const requests: Array<number | undefined> = []
        const world = World.makeWorld()
        const { session } = yield* Grove.openWith({
          world,
          limits: { maxCostUsd: 0.01 },
          model: {
            name: "test/priced",
            contextTokens: null,
            priced: true,
            outputPerMillionUsd: 10,
            stream: ({ maxOutputTokens }) => {
              requests.push(maxOutputTokens)
              const isFirst = requests.length === 1
              return Stream.fromIterable<Model.ModelPart>([
                { _tag: "ToolCallStart", callId: "c", name: "append" },
                { _tag: "ToolCallArguments", callId: "c", text: isFirst ? '{"line":"a"}' : '{"line":"b' },
                {
                  _tag: "End",
                  reason: isFirst ? "toolCalls" : "length",
                  inputTokens: 0,
                  cachedInputTokens: 0,
                  outputTokens: isFirst ? 400 : 600,
                  costUsd: isFirst ? 0.004 : 0.006
                }
              ])
            }
          }
        })
        const { reason, status } = yield* session.run(World.say("go"))
        assert.deepStrictEqual([status, reason], ["spent", "the cost limit of $0.01 is spent"])
        assert.deepStrictEqual(requests, [1000, 600])
        assert.deepStrictEqual(world.log, ["append a"])
        const ended = yield* Grove.bodies(session.sessionId, "CallEnded")
        assert.deepStrictEqual(
          ended.map(({ outcome }) => outcome._tag),
          ["Succeeded", "NotRun"]
        )
      })
    )
  )

  it.effect.each([
    ["inputTokens", 26_000, "26000 input tokens", 2],
    ["outputTokens", 25, "25 output tokens", 2],
    ["steps", 2, "2 steps", 2]
  ] as const)("includes %s too, of all sessions together", ([dimension, most, name, allowed]) =>
    Grove.run(
      Effect.gen(function* () {
        const { treeBudget } = Agent.defaultLimits
        const { session, world } = yield* Grove.open({
          limits: { treeBudget: { ...treeBudget, [dimension]: most } },
          cast: {
            go: Array.from({ length: 4 }, (_, at) => toolCall("append", { line: String(at) }, { inputTokens: 10_000 }))
          }
        })
        const { reason, status } = yield* session.run(World.say("go"))
        assert.strictEqual(status, "spent")
        assert.include(reason, `the limit of ${name}`)
        assert.lengthOf(world.log, allowed)
      })
    )
  )

  it.effect("includes the working time of sessions, and a child has its share of it", () =>
    Grove.run(
      Effect.gen(function* () {
        const { treeBudget } = Agent.defaultLimits
        const { session } = yield* Grove.open({
          limits: { treeBudget: { ...treeBudget, activeMillis: 40_000 } },
          cast: {
            go: [branch("a"), text("ok"), text("ok")],
            a: Array.from({ length: 9 }, (_, at) => Reply.slowly(toolCall("look", { key: String(at) }), 1000))
          }
        })
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        for (let seconds = 0; seconds < 60; seconds++) yield* TestClock.adjust("1 second")
        yield* Fiber.join(fiber)
        const [{ result }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.strictEqual(result.reason, "the limit of 10 s of work is spent")
      })
    )
  )

  it.effect("limits the steps of a child", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* Grove.open({
          cast: {
            go: [branch("a", { maxSteps: 2 }), text("ok"), text("ok")],
            a: [toolCall("look", { key: "x" }), toolCall("look", { key: "y" })]
          }
        })
        yield* session.run(World.say("go"))
        const [{ result }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.deepStrictEqual([result.status, result.reason], ["Failed", "the step limit of 2 is reached"])
      })
    )
  )
})

describe("the time of a child", () => {
  it.effect("is its working time: it is told to finish, and may", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, session } = yield* Grove.open({
          cast: {
            go: [branch("a", { minutes: 1 }), text("ok"), text("ok")],
            a: [
              Reply.slowly(toolCall("look", { key: "x" }), 25_000),
              { expect: { user: /You are to end now \(its time is over\)/ }, reply: text("half of it") }
            ]
          }
        })
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        for (let elapsed = 0; elapsed < 90; elapsed += 5) yield* TestClock.adjust("5 seconds")
        yield* Fiber.join(fiber)
        yield* cast.assertDone
        const [{ result }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.deepStrictEqual([result.status, result.summary], ["Expired", "half of it"])
        assert.isAtLeast(result.usage.activeMillis, 60_000)
      })
    )
  )

  it.effect("does not pass while it waits for a user", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* Grove.open({
          ask: () => Effect.delay(World.approve(), "3 days"),
          cast: {
            go: [branch("a"), text("ok"), text("ok")],
            a: [toolCall("launch", { target: "moon" }), text("I wait"), text("flown")]
          }
        })
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust("1 second")
        yield* TestClock.adjust("3 days")
        yield* Fiber.join(fiber)
        const [{ result }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.deepStrictEqual([result.status, result.summary], ["Completed", "flown"])
        assert.isBelow(result.usage.activeMillis, 1000)
      })
    )
  )
})

/** The time that the sessions of a tree may work: running work is stopped at its end, and its output so far is kept. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Agent } from "../../src/index.ts"
import * as CastModel from "../../src/testing/CastModel.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

const { text, toolCall, toolCalls } = Reply
const branch = (task: string, more: object = {}) => ({ name: "spawn_branch", arguments: { task, ...more } })

const limited = (activeMillis: number): Partial<Agent.Limits> => ({
  treeBudget: { ...Agent.defaultLimits.treeBudget, activeMillis }
})

/** Any result within that time. */
const within = Effect.fnUntraced(function* <A, E>(seconds: number, work: Effect.Effect<A, E>) {
  const fiber = yield* Effect.forkChild(work)
  for (let passed = 0; passed < seconds && fiber.pollUnsafe() === undefined; passed += 1) {
    yield* TestClock.adjust("1 second")
  }
  assert.isDefined(fiber.pollUnsafe(), `it came to its end within ${seconds} s`)
  return yield* Fiber.join(fiber)
})

/** The facts that the entries of a session record. */
const activeTimes = Effect.fnUntraced(function* (session: Parameters<typeof Grove.bodies>[0]) {
  const of = [...(yield* Grove.bodies(session, "ModelReplied")), ...(yield* Grove.bodies(session, "StateChanged"))]
  return of.reduce((sum, { activeMillis = 0 }) => sum + activeMillis, 0)
})

describe("the time that a tree may work", () => {
  it.effect("stops an answer that does not come, and keeps its text so far", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* Grove.open({
          limits: limited(4500),
          cast: { go: [Reply.slowly(toolCall("append", { line: "a" }), 1000), Reply.hang(text("half of it"))] }
        })
        const { reason, status, text: said, usage } = yield* within(5, session.run(World.say("go")))
        assert.deepStrictEqual([status, reason, said], ["spent", "the limit of 4.5 s of work is spent", "half of it"])
        const replies = yield* Grove.bodies(session.sessionId, "ModelReplied")
        assert.deepStrictEqual(
          replies.map(({ completion }) => completion),
          ["complete", "interrupted"]
        )
        // A stopped reply counts, with the prompt as it was reserved.
        const [, reserved] = yield* Grove.bodies(session.sessionId, "StepStarted")
        assert.strictEqual(usage.inputTokens, 10 + reserved.reservedTokens)
        const [{ state }] = yield* Grove.bodies(session.sessionId, "StateChanged")
        assert.strictEqual(state, "Suspended")
        assert.strictEqual(yield* activeTimes(session.sessionId), 4500)
      })
    )
  )

  it.effect("stops a tool that never ends, and runs nothing after it", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session, world } = yield* Grove.open({
          limits: limited(2000),
          cast: {
            go: [
              toolCalls([
                { name: "dwell", arguments: { key: "x" } },
                { name: "append", arguments: { line: "before" } }
              ]),
              text("never asked for")
            ]
          }
        })
        const { status } = yield* within(3, session.run(World.say("go")))
        assert.strictEqual(status, "spent")
        assert.deepStrictEqual(world.log, ["append before"])
        const ended = yield* Grove.bodies(session.sessionId, "CallEnded")
        const outcomes = ended.map(({ outcome, tool }) => [tool, outcome._tag] as const)
        assert.deepStrictEqual(outcomes, [
          ["append", "Succeeded"],
          ["dwell", "Unknown"]
        ])
        const last = ended[1].outcome
        assert.strictEqual(
          last._tag === "Unknown" ? last.message : "",
          "outcome unknown: dwell was stopped before it finished (the limit of 2 s of work is spent), and it may have taken effect; check before doing it again"
        )
        assert.isNotNull(ended[1].receipt)
        assert.strictEqual(yield* activeTimes(session.sessionId), 2000)
      })
    )
  )

  it.effect("persists across processes, and with more of it the session continues", () =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const open = (seconds: number, cast: Parameters<typeof Grove.open>[0]["cast"], sessionId?: string) =>
          Grove.open({
            world,
            limits: limited(seconds * 1000),
            cast,
            ...(sessionId === undefined ? {} : { sessionId })
          })
        const first = yield* Effect.scoped(
          Effect.gen(function* () {
            const { session } = yield* open(3, { go: [toolCall("dwell", { key: "x" })] })
            yield* within(4, session.run(World.say("go")))
            return session.sessionId
          })
        )
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { session } = yield* open(3, { "and now": [] }, first)
            assert.strictEqual((yield* session.run(World.say("and now"))).status, "spent")
          })
        )
        const { session } = yield* open(4, { "at last": [Reply.slowly(text("done"), 400)] }, first)
        const { status, text: said } = yield* within(2, session.run(World.say("at last")))
        assert.deepStrictEqual([status, said], ["completed", "done"])
        assert.strictEqual(yield* activeTimes(session.sessionId), 3800)
      })
    )
  )

  it.effect("stops a child at its share, and leaves its parent the rest", () =>
    Grove.run(
      Effect.gen(function* () {
        const cast = yield* CastModel.make(
          {
            go: [
              toolCalls([branch("a"), { name: "wait_for_sessions", arguments: {} }], { costUsd: 0.2 }),
              text("done", { costUsd: 0 })
            ],
            a: [Reply.hang()]
          },
          { priced: true }
        )
        const { session } = yield* Grove.openWith({
          world: World.makeWorld(),
          limits: { ...limited(40_000), maxCostUsd: 1 },
          model: { ...cast.model, inputPerMillionUsd: 1, outputPerMillionUsd: 1 }
        })
        const { status } = yield* within(11, session.run(World.say("go")))
        assert.strictEqual(status, "completed")
        const [{ result }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.deepStrictEqual([result.status, result.reason], ["Failed", "the limit of 10 s of work is spent"])
        assert.strictEqual(result.usage.activeMillis, 10_000)
        // The child's answer was cut off: the request counts at the price of the model, up to the child's budget.
        assert.isAbove(result.usage.costUsd ?? 0, 0)
        assert.isBelow(result.usage.costUsd ?? 1, 0.2)
      })
    )
  )

  it.effect("does not pass while a session waits, for a user or for its children", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* Grove.open({
          ask: () => Effect.delay(World.approve(), "20 seconds"),
          limits: limited(8000),
          cast: {
            go: [
              toolCalls([branch("a", { share: 0.5 }), { name: "wait_for_sessions", arguments: {} }]),
              toolCall("launch", { target: "moon" }),
              text("done")
            ],
            a: [Reply.slowly(text("half"), 900)]
          }
        })
        const { status } = yield* within(30, session.run(World.say("go")))
        assert.strictEqual(status, "completed")
        assert.strictEqual(yield* activeTimes(session.sessionId), 0)
      })
    )
  )

  it.effect("given away in full does not stop the parent, which ends the step and waits for the unused rest", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, session } = yield* Grove.open({
          limits: limited(20_000),
          cast: {
            go: [toolCalls([branch("a", { share: 1 }), { name: "wait_for_sessions", arguments: {} }]), text("done")],
            a: [Reply.slowly(text("half of it"), 900)]
          }
        })
        assert.strictEqual((yield* within(5, session.run(World.say("go")))).text, "done")
        const [{ budget }] = yield* Grove.bodies(session.sessionId, "ChildSpawned")
        assert.strictEqual(budget.activeMillis, 19_000)
        yield* cast.assertDone
      })
    )
  )

  it.effect("counts the parent's work so far when it is shared out", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* Grove.open({
          limits: limited(10_000),
          cast: {
            go: [Reply.slowly(toolCalls([branch("a", { share: 1 })]), 1000), text("ok"), text("ok")],
            a: [Reply.hang()]
          }
        })
        yield* within(11, session.run(World.say("go")))
        const [{ budget }] = yield* Grove.bodies(session.sessionId, "ChildSpawned")
        assert.isAtMost(budget.activeMillis ?? Infinity, 10_000 - 3000 - 1000)
      })
    )
  )

  it.effect("shrinks for running work as soon as a child has its share", () =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const dwell = { name: "dwell", arguments: { key: "x" } }
        const append = { name: "append", arguments: { line: "a" } }
        const { session } = yield* Grove.open({
          world,
          limits: limited(20_000),
          cast: {
            go: [toolCalls([dwell, append, branch("a", { share: 0.9 })]), text("done")],
            a: [Reply.slowly(text("half of it"), 5000)]
          }
        })
        yield* world.gate.close
        yield* Effect.forkChild(Effect.delay(world.gate.open, "1 second"))
        const { status } = yield* within(30, session.run(World.say("go")))
        assert.strictEqual(status, "completed")
        const [{ result }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.strictEqual(result.status, "Completed")
        assert.strictEqual(yield* activeTimes(session.sessionId), 20_000 - 17_100)
      })
    )
  )

  it.effect("a call that is approved after the time is spent runs once there is more", () =>
    Grove.run(
      Effect.gen(function* () {
        const world = World.makeWorld()
        const limits = { ...limited(5000), approvalGraceMillis: 1000 }
        const sessionId = yield* Effect.scoped(
          Effect.gen(function* () {
            const { session } = yield* Grove.open({
              world,
              limits,
              ask: () => Effect.delay(World.approve(), "60 seconds"),
              cast: { go: [toolCall("launch", { target: "moon" }), toolCall("dwell", { key: "x" })] }
            })
            assert.strictEqual((yield* within(10, session.run(World.say("go")))).status, "spent")
            yield* TestClock.adjust("2 minutes")
            assert.strictEqual((yield* session.run(World.say("well?"))).status, "spent")
            return session.sessionId
          })
        )
        assert.deepStrictEqual(world.log, [])
        const { session } = yield* Grove.open({
          world,
          limits: limited(60_000),
          ask: () => Effect.never,
          sessionId,
          cast: { go: [text("flown")], "well?": [text("flown")] }
        })
        assert.strictEqual((yield* within(5, session.resume))?.text, "flown")
        assert.deepStrictEqual(world.log, ["launch moon"])
      })
    )
  )
})

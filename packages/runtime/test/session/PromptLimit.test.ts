/** A prompt's size is bounded before it is sent: one that exceeds a limit is not sent. */
import { Budget, type Entry, type Event } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Agent, type Session, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

const { text, toolCall } = Reply
const look = (key: string, usage?: Reply.Usage) => toolCall("look", { key }, usage)

const begin = Effect.fnUntraced(function* (
  steps: ReadonlyArray<Reply.Reply>,
  inputTokens: number,
  options: ScriptedModel.ScriptedModelOptions = {}
) {
  const world = World.makeWorld()
  // The maximum of a tool's answer: 16 KiB, of three bytes a character.
  for (const key of ["long", "longer"]) world.values.set(key, "漢".repeat(10_000))
  const scripted = yield* ScriptedModel.make(steps, options)
  const events: Array<Event.Event> = []
  const { defaultLimits } = Agent
  const limits = { ...defaultLimits, treeBudget: { ...defaultLimits.treeBudget, inputTokens } }
  const agent = World.agentOf(world, { limits })
  const session = yield* World.openSession({ agent, scripted, channel: World.channelOf(events, null) })
  return { events, scripted, session }
})

const bodiesOf = Effect.fnUntraced(function* <Tag extends Entry.Body["_tag"]>(
  { sessionId }: Session.Session,
  tag: Tag
) {
  const store = yield* SessionStore.SessionStore
  const entries = yield* store.entries(sessionId, 0, 1000)
  return entries.flatMap(({ body }) => (isOf(body, tag) ? [body] : []))
})

const isOf = <Tag extends Entry.Body["_tag"]>(body: Entry.Body, tag: Tag): body is Entry.BodyOf<Tag> =>
  body._tag === tag

const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) => Effect.scoped(body).pipe(Effect.provide(World.stores))

const noticesOf = (events: ReadonlyArray<Event.Event>) =>
  events.flatMap((event) => (event._tag === "Notice" ? [event.message] : []))

describe("a limit of input tokens", () => {
  it.effect("prevents a prompt that may exceed the remainder", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin([look("long", { inputTokens: 700 })], 16_000)
        const { reason, status } = yield* session.run(World.say("go"))
        assert.strictEqual(status, "spent")
        assert.match(
          reason,
          /^the limit of 16000 input tokens has too little left for a step, whose prompt may have up to 1[67],\d\d\d tokens$/
        )
        yield* scripted.script.assertDone
        assert.lengthOf(yield* bodiesOf(session, "StepStarted"), 1)
      })
    )
  )

  it.effect("uses the provider's count of a prompt in place of its bytes", () =>
    run(
      Effect.gen(function* () {
        const steps = [
          look("long", { inputTokens: 700 }),
          look("b", { inputTokens: 10_000 }),
          text("done", { inputTokens: 10_020 })
        ]
        const { events, session } = yield* begin(steps, 60_000)
        assert.strictEqual((yield* session.run(World.say("go"))).status, "completed")
        const [, whole, counted] = yield* bodiesOf(session, "StepStarted")
        assert.isAbove(whole.reservedTokens, 16_000)
        assert.isBelow(counted.reservedTokens, 10_200)
        assert.deepStrictEqual(noticesOf(events), [])
      })
    )
  )

  it.effect("reports a provider that counts more than was thought possible", () =>
    run(
      Effect.gen(function* () {
        const { events, session } = yield* begin([text("done", { inputTokens: 90_000 })], 100_000)
        yield* session.run(World.say("go"))
        const [{ reservedTokens }] = yield* bodiesOf(session, "StepStarted")
        const [notice] = noticesOf(events)
        assert.include(notice, `counted 90000 tokens in a prompt that was taken to have ${reservedTokens} at most`)
      })
    )
  )

  it.effect("holds for a summary too: one that does not fit is not requested", () =>
    run(
      Effect.gen(function* () {
        const steps = [
          look("long", { inputTokens: 700 }),
          look("longer", { inputTokens: 9000 }),
          look("b", { inputTokens: 20_500 })
        ]
        const { events, scripted, session } = yield* begin(steps, 51_200, { contextTokens: 25_000 })
        const { reason, status } = yield* session.run(World.say("go"))
        assert.strictEqual(status, "spent")
        const [, most] = /up to ([\d,]+) tokens$/u.exec(reason) ?? []
        assert.isAbove(Number(most.replace(",", "")), 21_000)
        yield* scripted.script.assertDone
        assert.deepStrictEqual(noticesOf(events), [])
        assert.lengthOf(yield* bodiesOf(session, "StepStarted"), 3)
      })
    )
  )
})

describe("the limits that a session runs under", () => {
  it.effect("are in its journal once, and again if they have changed", () =>
    run(
      Effect.gen(function* () {
        const first = yield* Effect.scoped(
          Effect.gen(function* () {
            const { session } = yield* begin([look("a"), text("one"), text("two")], 50_000)
            yield* session.run(World.say("go"))
            yield* session.run(World.say("and?"))
            return session
          })
        )
        const agent = World.agentOf(World.makeWorld())
        const again = [text("three"), text("four")]
        const scripted = yield* ScriptedModel.make(again)
        const { sessionId } = first
        const session = yield* World.openSession({ agent, scripted, channel: World.channelOf([], null), sessionId })
        yield* session.run(World.say("more"))
        yield* session.run(World.say("and more"))
        const limits = (yield* bodiesOf(session, "StepStarted")).map(({ limit }) => limit ?? null)
        const common = { ...Budget.unlimited, spawns: Agent.defaultLimits.maxSpawns }
        assert.deepStrictEqual(limits, [{ ...common, inputTokens: 50_000 }, null, null, common, null])
      })
    )
  )
})

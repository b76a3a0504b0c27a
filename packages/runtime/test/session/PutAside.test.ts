/** A call that waits for an attached user: after a while it is deferred and the work continues until the decision. */
import { Inbox, type Session } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Agent, SessionStore } from "../../src/index.ts"
import type * as Reply from "../../src/testing/Reply.ts"
import { text, toolCall, toolCalls } from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as Person from "../../src/testing/ScriptedPerson.ts"
import * as Grove from "../tree/grove.ts"
import * as World from "./world.ts"

const launch = toolCall("launch", { target: "moon" })
const appends = (line: string) => toolCall("append", { line })

const graceMillis = 1000

const begin = Effect.fnUntraced(function* (
  steps: ReadonlyArray<ScriptedModel.Step | Reply.Reply>,
  limits: Partial<Agent.Limits> = {}
) {
  const world = World.makeWorld()
  const person = Person.make()
  const scripted = yield* ScriptedModel.make(steps)
  const agent = World.agentOf(world, {
    limits: { ...Agent.defaultLimits, approvalGraceMillis: graceMillis, ...limits }
  })
  const channel = World.channelOf([], person.ask)
  const session = yield* World.openSession({ agent, scripted, channel })
  const running = yield* Effect.forkChild(session.run(World.say("go")))
  yield* TestClock.adjust(1)
  return { world, person, scripted, session, running }
})

const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) => Effect.scoped(body).pipe(Effect.provide(World.stores))

const passGrace = TestClock.adjust(graceMillis)

const pending = Effect.flatMap(SessionStore.SessionStore, (store) => store.pendingApprovals(null))

const lastOf = Effect.fnUntraced(function* ({ script }: ScriptedModel.ModelWithScript) {
  const last = (yield* script.prompts).at(-1)?.messages.at(-1)
  return last?._tag === "User" ? last.text : ""
})

const decisions = (sessionId: Session.SessionId) =>
  Effect.map(Grove.bodies(sessionId, "ApprovalDecided"), (all) => all.map(({ decision }) => decision._tag))

describe("A call that waits for a user", () => {
  it.effect("is deferred after a while: the next steps continue, and it runs once when the user approves it", () =>
    run(
      Effect.gen(function* () {
        const all = toolCalls([
          { name: "launch", arguments: { target: "moon" } },
          { name: "append", arguments: { line: "after" } },
          { name: "look", arguments: { key: "a" } }
        ])
        const { person, running, scripted, session, world } = yield* begin([
          all,
          appends("meanwhile"),
          text("I wait"),
          text("it flew")
        ])
        assert.deepStrictEqual(world.log, [])
        yield* passGrace
        assert.deepStrictEqual(world.log, ["append meanwhile"])
        const results = (yield* scripted.script.prompts)[1].messages.flatMap((message) =>
          message._tag === "ToolResult" ? [message.output] : []
        )
        assert.strictEqual(results.filter((output) => /Waiting for a person's approval/.test(output)).length, 1)
        assert.strictEqual(results.filter((output) => output === "deferred: not run, ask again").length, 1)
        assert.lengthOf(person.open, 1)
        yield* person.answer(Person.yes)
        const result = yield* Fiber.join(running)
        assert.deepStrictEqual([result.status, result.text], ["completed", "it flew"])
        assert.deepStrictEqual(world.log, ["append meanwhile", "launch moon"])
        assert.match(yield* lastOf(scripted), /^\[result of the deferred call launch\] \{"value":"moon"\}/)
        assert.lengthOf(yield* Grove.bodies(session.sessionId, "CallDeferred"), 1)
        assert.lengthOf(person.asked, 1)
      })
    )
  )

  it.effect("is not deferred if the user decides soon", () =>
    run(
      Effect.gen(function* () {
        const { person, running, session, world } = yield* begin([launch, text("it flew")])
        yield* TestClock.adjust(graceMillis - 2)
        yield* person.answer(Person.yes)
        assert.strictEqual((yield* Fiber.join(running)).text, "it flew")
        assert.deepStrictEqual(world.log, ["launch moon"])
        assert.deepStrictEqual(yield* Grove.bodies(session.sessionId, "CallDeferred"), [])
      })
    )
  )

  it.effect("runs between two steps if the approval comes during a step", () =>
    run(
      Effect.gen(function* () {
        const { person, running, scripted, world } = yield* begin([
          launch,
          toolCall("look", { key: "a" }),
          appends("next"),
          text("done")
        ])
        yield* Effect.sync(() => world.gate.closeUnsafe())
        yield* passGrace
        yield* person.answer(Person.yes)
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(world.log, [])
        yield* world.gate.open
        assert.strictEqual((yield* Fiber.join(running)).text, "done")
        assert.deepStrictEqual(world.log, ["launch moon", "append next"])
        // The result of the deferred call comes after the results that the provider expects.
        const tags = (yield* scripted.script.prompts)[2].messages.slice(-3).map(({ _tag }) => _tag)
        assert.deepStrictEqual(tags, ["Assistant", "ToolResult", "User"])
      })
    )
  )

  it.effect("is denied with the user's reason, also late", () =>
    run(
      Effect.gen(function* () {
        const { person, running, scripted, session, world } = yield* begin([launch, text("I wait"), text("I see")])
        yield* passGrace
        yield* person.answer(Person.no("wrong moon"))
        assert.strictEqual((yield* Fiber.join(running)).text, "I see")
        assert.deepStrictEqual(world.log, [])
        assert.match(yield* lastOf(scripted), /deferred call launch.*wrong moon/)
        assert.deepStrictEqual(yield* decisions(session.sessionId), ["Denied"])
      })
    )
  )

  it.effect("is requested again if the shown facts have changed meanwhile", () =>
    run(
      Effect.gen(function* () {
        const { person, running, session, world } = yield* begin([launch, text("I wait"), text("it flew")])
        yield* passGrace
        world.values.set("aim", "elsewhere")
        yield* person.answer(Person.yes)
        yield* TestClock.adjust(1)
        assert.deepStrictEqual(world.log, [])
        assert.lengthOf(person.open, 1)
        yield* person.answer(Person.yes)
        assert.strictEqual((yield* Fiber.join(running)).text, "it flew")
        assert.deepStrictEqual(world.log, ["launch moon"])
        assert.deepStrictEqual(yield* decisions(session.sessionId), ["Lapsed", "Approved"])
      })
    )
  )

  it.effect("runs when another user decides; the approval here is closed, and a second answer has no effect", () =>
    run(
      Effect.gen(function* () {
        const { person, running, session, world } = yield* begin([launch, text("I wait"), text("it flew")])
        yield* passGrace
        const [request] = person.asked
        const store = yield* SessionStore.SessionStore
        const decide = (decision: typeof Person.yes, principal: string) =>
          store.submit(Inbox.toDecisionRow(request, { decision, principal }))
        yield* decide(Person.yes, "grace")
        yield* Effect.exit(decide(Person.no(null), "eve"))
        assert.strictEqual((yield* Fiber.join(running)).text, "it flew")
        assert.lengthOf(person.open, 0)
        assert.deepStrictEqual(world.log, ["launch moon"])
        const [decided] = yield* Grove.bodies(session.sessionId, "ApprovalDecided")
        assert.strictEqual(decided.principal, "grace")
      })
    )
  )

  it.effect("does not delay a message to the model", () =>
    run(
      Effect.gen(function* () {
        const { person, running, session, world } = yield* begin([
          launch,
          text("I wait"),
          { expect: { user: /^and now\?$/ }, reply: text("still waiting") },
          text("it flew")
        ])
        yield* passGrace
        yield* session.steer("and now?")
        yield* TestClock.adjust(1)
        assert.lengthOf(person.open, 1)
        yield* person.answer(Person.yes)
        assert.strictEqual((yield* Fiber.join(running)).text, "it flew")
        assert.deepStrictEqual(world.log, ["launch moon"])
        assert.lengthOf(person.asked, 1)
      })
    )
  )

  it.effect("that a user made is waited for as long as it takes", () =>
    run(
      Effect.gen(function* () {
        const { person, running, session, world } = yield* begin([text("hello")])
        yield* Fiber.join(running)
        const call = yield* Effect.forkChild(session.call("launch", '{"target":"moon"}'))
        yield* TestClock.adjust("1 hour")
        yield* person.answer(Person.yes)
        assert.strictEqual((yield* Fiber.join(call))._tag, "Ended")
        assert.deepStrictEqual(world.log, ["launch moon"])
      })
    )
  )
})

describe("The end of a deferred call", () => {
  it.effect("an interruption: the request is closed, and a later decision has no effect", () =>
    run(
      Effect.gen(function* () {
        const { person, running, session, world } = yield* begin([launch, text("I wait"), text("fine")])
        yield* passGrace
        yield* Fiber.interrupt(running)
        assert.lengthOf(person.open, 0)
        assert.deepStrictEqual(yield* pending, [])
        assert.deepStrictEqual(yield* decisions(session.sessionId), ["Withdrawn"])
        assert.strictEqual((yield* session.run(World.say("next"))).text, "fine")
        assert.deepStrictEqual(world.log, [])
      })
    )
  )

  const cancel = Effect.fnUntraced(function* (sessionId: Session.SessionId) {
    const store = yield* SessionStore.SessionStore
    yield* store.submit({
      treeId: sessionId,
      dedupeKey: "cancel",
      command: { _tag: "CancelSession", sessionId, reason: "enough" },
      principal: "grace"
    })
  })

  it.effect("a cancel during a step", () =>
    run(
      Effect.gen(function* () {
        const { person, running, session, world } = yield* begin([launch, toolCall("look", { key: "a" })])
        yield* Effect.sync(() => world.gate.closeUnsafe())
        yield* passGrace
        yield* cancel(session.sessionId)
        yield* world.gate.open
        const result = yield* Fiber.join(running)
        assert.deepStrictEqual([result.status, result.reason], ["stopped", "cancelled"])
        assert.lengthOf(person.open, 0)
        assert.deepStrictEqual(yield* pending, [])
        assert.deepStrictEqual(world.log, [])
      })
    )
  )

  it.effect("a cancellation while no other work runs", () =>
    run(
      Effect.gen(function* () {
        const { person, running, session, world } = yield* begin([launch, text("I wait"), text("fine")])
        yield* passGrace
        yield* cancel(session.sessionId)
        const result = yield* Fiber.join(running)
        assert.deepStrictEqual([result.status, result.reason], ["stopped", "cancelled"])
        assert.lengthOf(person.open, 0)
        assert.deepStrictEqual(yield* pending, [])
        assert.strictEqual((yield* session.run(World.say("next"))).text, "fine")
        assert.deepStrictEqual(world.log, [])
      })
    )
  )

  it.effect(
    "the user's decision, also after the turn was stopped: the call runs, and the model is not called again",
    () =>
      run(
        Effect.gen(function* () {
          const { person, running, scripted, world } = yield* begin([launch, appends("one")], { maxSteps: 2 })
          yield* passGrace
          assert.isUndefined(running.pollUnsafe())
          yield* person.answer(Person.yes)
          const result = yield* Fiber.join(running)
          assert.deepStrictEqual([result.status, result.reason], ["stopped", "the step limit of 2 is reached"])
          assert.deepStrictEqual(world.log, ["append one", "launch moon"])
          assert.lengthOf(yield* scripted.script.prompts, 2)
        })
      )
  )
})

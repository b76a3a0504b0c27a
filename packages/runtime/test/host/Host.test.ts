/** A host: each input is processed once, by one of its processes, without a manual resume. */
import { type Approval, Inbox } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { type Host, Model, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "../session/world.ts"
import * as Hosting from "./hosting.ts"

const { text, toolCall } = Reply
const yes: Approval.Decision & { readonly _tag: "Approved" } = { _tag: "Approved", rule: null }
const launch = toolCall("launch", { target: "moon" })

const test = <A, E>(name: string, body: () => Effect.Effect<A, E, World.Needs>) =>
  it.effect(name, () => Hosting.run(body()))

/** A session whose call waits for an approval. */
const parked = Effect.fnUntraced(function* (
  replies: ReadonlyArray<Reply.Reply>,
  options: Partial<Host.HostOptions> = {}
) {
  const world = World.makeWorld()
  const { model, script } = yield* ScriptedModel.make([launch, text("waiting"), ...replies])
  const host = yield* Hosting.make({ world, model, ...options })
  const { sessionId } = yield* host.create(Hosting.facts)
  yield* host.send(sessionId, World.say("go"))
  const { event } = yield* Hosting.event(host, sessionId, ({ _tag }) => _tag === "ApprovalAsked")
  if (event._tag !== "ApprovalAsked") throw new Error("another event was asked for")
  return { host, sessionId, script, world, request: event.request, approvalId: event.request.approvalId }
})

describe("Host", () => {
  test("answers a message that was sent", () =>
    Effect.gen(function* () {
      const { model } = yield* ScriptedModel.make([text("hello"), text("hello again")])
      const host = yield* Hosting.make({ model })
      const { sessionId } = yield* host.create(Hosting.facts)
      assert.deepStrictEqual(yield* host.send(sessionId, World.say("hi"), { key: "1" }), { inserted: true })
      yield* Hosting.until(Effect.map(Hosting.answerOf(sessionId), (answer) => answer === "hello"))
      assert.deepStrictEqual(yield* host.send(sessionId, World.say("hi"), { key: "1" }), { inserted: false })
      assert.strictEqual((yield* host.run(sessionId, World.say("once more"))).text, "hello again")
    }))

  test("continues with a call once a user has decided, and runs it once", () =>
    Effect.gen(function* () {
      const { approvalId, host, sessionId, world } = yield* parked([text("launched")])
      assert.deepStrictEqual(world.log, [])
      assert.deepStrictEqual(yield* host.decide(approvalId, yes, "grace"), { inserted: true })
      const { event } = yield* Hosting.event(host, sessionId, ({ _tag }) => _tag === "ApprovalEnded")
      assert.deepInclude(event, { approvalId, decision: "Approved", principal: "grace" })
      yield* Hosting.until(Effect.map(Hosting.answerOf(sessionId), (answer) => answer === "launched"))
      assert.deepStrictEqual(yield* host.decide(approvalId, yes, "ada"), { inserted: false })
      assert.deepStrictEqual(world.log, ["launch moon"])
    }))

  test("continues with a decision that only the store reports", () =>
    Effect.gen(function* () {
      const { host, request, sessionId, world } = yield* parked([text("not launched")])
      const store = yield* SessionStore.SessionStore
      const answer = { decision: { _tag: "Denied", words: "no" } as const, principal: "grace" }
      yield* store.submit(Inbox.toDecisionRow(request, answer))
      yield* Hosting.until(Effect.map(Hosting.answerOf(sessionId), (text) => text === "not launched"))
      assert.deepStrictEqual(world.log, [])
      assert.strictEqual(yield* host.loaded, 1)
    }))

  test("continues the work of an earlier process: messages, decisions, unfinished turns", () =>
    Effect.gen(function* () {
      const world = World.makeWorld()
      const ending = yield* Scope.make()
      const first = yield* ScriptedModel.make([launch, text("waiting"), Reply.hang(Reply.text("half"))])
      const before = yield* Scope.provide(Hosting.make({ world, model: first.model }), ending)
      const asking = yield* before.create({ ...Hosting.facts, key: "asking" })
      const talking = yield* before.create({ ...Hosting.facts, key: "talking" })
      const silent = yield* before.create({ ...Hosting.facts, key: "silent" })
      yield* before.send(asking.sessionId, World.say("go"))
      const { event } = yield* Hosting.event(before, asking.sessionId, ({ _tag }) => _tag === "ApprovalAsked")
      yield* Hosting.until(Effect.map(Hosting.answerOf(asking.sessionId), (answer) => answer === "waiting"))
      yield* before.send(talking.sessionId, World.say("talk"))
      yield* Hosting.event(before, talking.sessionId, ({ _tag }) => _tag === "TextDelta")
      yield* Scope.close(ending, Exit.void)
      // No user is attached now.
      const store = yield* SessionStore.SessionStore
      if (event._tag === "ApprovalAsked") {
        yield* store.submit(Inbox.toDecisionRow(event.request, { decision: yes, principal: "grace" }))
      }
      const command = { _tag: "SendMessage", sessionId: silent.sessionId, text: "hello", media: [] } as const
      yield* store.submit({ treeId: silent.sessionId, dedupeKey: "k", command, principal: "grace" })
      const echo = yield* echoing
      yield* Hosting.make({ world, model: echo })
      for (const [{ sessionId }, answer] of [
        [asking, "result of the deferred call launch"],
        [talking, "talk"],
        [silent, "hello"]
      ] as const) {
        yield* Hosting.until(Effect.map(Hosting.answerOf(sessionId), (text) => text?.includes(answer) === true))
      }
      assert.deepStrictEqual(world.log, ["launch moon"])
      assert.isFalse((yield* Hosting.tagsOf(talking.sessionId)).includes("StateChanged"), "nobody stopped it")
    }))

  test("records that a deadline has passed while no process had the session open, and continues", () =>
    Effect.gen(function* () {
      const ending = yield* Scope.make()
      const world = World.makeWorld()
      const { model } = yield* ScriptedModel.make([launch, text("waiting"), text("nobody decided")])
      const before = yield* Scope.provide(Hosting.make({ world, model }), ending)
      const { sessionId } = yield* before.create(Hosting.facts)
      yield* before.send(sessionId, World.say("go"))
      yield* Hosting.until(Effect.map(Hosting.answerOf(sessionId), (answer) => answer === "waiting"))
      yield* Scope.close(ending, Exit.void)
      yield* TestClock.adjust("8 days")
      yield* Hosting.make({ world, model })
      yield* Hosting.until(Effect.map(Hosting.answerOf(sessionId), (answer) => answer === "nobody decided"))
      const store = yield* SessionStore.SessionStore
      assert.deepStrictEqual(yield* store.pendingApprovals(sessionId), [])
      assert.deepStrictEqual(world.log, [])
    }))

  test("unloads idle sessions after its timeout", () =>
    Effect.gen(function* () {
      const host = yield* Hosting.make({ model: yield* echoing, idleMillis: 60_000 })
      const { sessionId } = yield* host.create(Hosting.facts)
      yield* host.run(sessionId, World.say("one"))
      yield* TestClock.adjust("50 seconds")
      assert.strictEqual(yield* host.loaded, 1)
      yield* TestClock.adjust("20 seconds")
      yield* Hosting.until(Effect.map(host.loaded, (loaded) => loaded === 0))
      assert.strictEqual((yield* host.run(sessionId, World.say("two"))).text, "two")
    }))

  test("unloads idle sessions beyond its limit, and readers continue at their position", () =>
    Effect.gen(function* () {
      const host = yield* Hosting.make({ model: yield* echoing, maxLoaded: 2 })
      const created = yield* Effect.forEach(Array.from({ length: 5 }), () => host.create(Hosting.facts))
      const [{ sessionId }] = created
      const items = yield* Effect.forkChild(
        Stream.runCollect(
          host.attach(sessionId, null).pipe(
            Stream.filter((item) => item._tag === "Gap" || item.event._tag === "TurnEnded"),
            Stream.take(3)
          )
        )
      )
      yield* host.run(sessionId, World.say("one"))
      for (const other of created) yield* host.run(other.sessionId, World.say("other"))
      assert.isAtMost(yield* host.loaded, 2)
      const store = yield* SessionStore.SessionStore
      const owned = yield* Effect.forEach(created, (one) => Effect.exit(store.acquire(one.sessionId)))
      assert.strictEqual(owned.filter(Exit.isSuccess).length, 3, "who is let go is nobody's")
      const [gap, ...ended] = yield* Fiber.join(items)
      assert.strictEqual(gap._tag, "Gap")
      assert.deepStrictEqual(
        ended.map((item) => item.epoch),
        [gap.epoch, gap.epoch]
      )
      assert.isAbove(ended[1].number, ended[0].number)
    }))

  test("continues after its caller disconnects, and returns the same to a repeated request", () =>
    Effect.gen(function* () {
      const world = World.makeWorld()
      const { model, script } = yield* ScriptedModel.make([toolCall("look", { key: "a" }), text("seen")])
      const host = yield* Hosting.make({ world, model })
      const { sessionId } = yield* host.create(Hosting.facts)
      yield* world.gate.close
      const caller = yield* Effect.forkChild(host.run(sessionId, World.say("go"), { key: "1" }))
      yield* Hosting.event(host, sessionId, ({ _tag }) => _tag === "ToolStarted")
      yield* Fiber.interrupt(caller)
      const again = yield* Effect.forkChild(host.run(sessionId, World.say("go"), { key: "1" }))
      yield* world.gate.open
      assert.deepInclude(yield* Fiber.join(again), { text: "seen", status: "completed", inserted: false })
      assert.strictEqual((yield* script.prompts).length, 2)
    }))

  test("reports a turn that failed, and continues with the next message", () =>
    Effect.gen(function* () {
      const error = new Model.ModelError({
        reason: "ServerFailed",
        model: "scripted/model",
        message: "no",
        hint: "",
        retryable: false,
        retryAfterMillis: null
      })
      const { model, script } = yield* ScriptedModel.make([[{ _tag: "Fail", error }], text("better")])
      const host = yield* Hosting.make({ model })
      const { sessionId } = yield* host.create(Hosting.facts)
      const failed = yield* Effect.forkChild(Stream.runHead(host.failures), { startImmediately: true })
      yield* Hosting.nextTick
      yield* host.send(sessionId, World.say("go"))
      const failure = yield* Fiber.join(failed)
      assert.strictEqual(failure._tag, "Some")
      if (failure._tag === "Some") {
        assert.deepStrictEqual([failure.value.sessionId, failure.value.error._tag], [sessionId, "ModelError"])
      }
      for (let tick = 0; tick < 20; tick++) yield* Hosting.nextTick
      assert.strictEqual((yield* script.prompts).length, 1, "nobody tries again unasked")
      assert.strictEqual((yield* host.run(sessionId, World.say("again"))).text, "better")
    }))

  test("retries a failed session by the program's schedule, and notifies watchers each time", () =>
    Effect.gen(function* () {
      const error = new Model.ModelError({
        reason: "Unreachable",
        model: "scripted/model",
        message: "nobody there",
        hint: "",
        retryable: true,
        retryAfterMillis: null
      })
      const down: Reply.Reply = [{ _tag: "Fail", error }]
      const { model, script } = yield* ScriptedModel.make([down, down, down, text("late"), down, text("at once")])
      const received: Array<string> = []
      const host = yield* Hosting.make({
        model,
        retry: Schedule.exponential("10 seconds").pipe(
          Schedule.setInputType<Host.SessionFailure>(),
          Schedule.while(({ attempt, input }) => {
            received.push(input.error._tag)
            return attempt <= 3
          })
        )
      })
      const { sessionId } = yield* host.create(Hosting.facts)
      const delays: Array<number | null> = []
      const failures: Array<number | null> = []
      yield* host.failures.pipe(
        Stream.runForEach(({ retryInMillis }) => Effect.sync(() => void failures.push(retryInMillis))),
        Effect.forkScoped({ startImmediately: true })
      )
      yield* host.attach(sessionId, null).pipe(
        Stream.runForEach((item) =>
          Effect.sync(() => {
            if (item._tag === "Published" && item.event._tag === "TurnFailed") {
              assert.deepInclude(item.event, { sessionId, error: "ModelError", message: "nobody there" })
              delays.push(item.event.retryInMillis)
            }
          })
        ),
        Effect.forkScoped({ startImmediately: true })
      )
      yield* host.send(sessionId, World.say("go"))
      const promptCount = Effect.map(script.prompts, ({ length }) => length)
      for (const [seconds, tries] of [
        [0, 1],
        [9, 1],
        [2, 2],
        [18, 2],
        [3, 3],
        [37, 3],
        [5, 4]
      ] as const) {
        for (let second = 0; second <= seconds; second++) {
          if (second > 0) yield* TestClock.adjust("1 second")
          for (let tick = 0; tick < 10; tick++) yield* Hosting.nextTick
        }
        assert.strictEqual(yield* promptCount, tries, `${seconds} s later`)
      }
      assert.strictEqual(yield* Hosting.answerOf(sessionId), "late")
      assert.deepStrictEqual(failures, [10_000, 20_000, 40_000])
      assert.deepStrictEqual(delays, failures)
      assert.deepStrictEqual(new Set(received), new Set(["ModelError"]))
      // The next failure is a first one again; a new message does not wait for the clock.
      yield* host.send(sessionId, World.say("and again"))
      yield* Hosting.until(Effect.map(promptCount, (tries) => tries === 5))
      yield* Hosting.until(Effect.sync(() => failures.length === 4))
      assert.strictEqual(failures.at(-1), 10_000)
      yield* host.send(sessionId, World.say("now"))
      yield* Hosting.until(Effect.map(Hosting.answerOf(sessionId), (answer) => answer === "at once"))
    }))

  test("ignores sessions that it does not serve", () =>
    Effect.gen(function* () {
      let askCount = 0
      const { model } = yield* ScriptedModel.make([])
      const host = yield* Hosting.make({
        model,
        serve: () =>
          Effect.sync(() => {
            askCount += 1
            return null
          })
      })
      const { sessionId } = yield* host.create(Hosting.facts)
      yield* host.send(sessionId, World.say("go"))
      for (let tick = 0; tick < 50; tick++) yield* Hosting.nextTick
      assert.strictEqual(askCount, 1)
      const refused = yield* Effect.flip(host.run(sessionId, World.say("go")))
      assert.strictEqual(refused._tag, "NotServed")
      const store = yield* SessionStore.SessionStore
      assert.strictEqual((yield* store.inbox(sessionId)).length, 1)
    }))

  test("reads a command only from a permitted sender", () =>
    Effect.gen(function* () {
      const requested: Array<string> = []
      const { approvalId, host, sessionId } = yield* parked([], {
        authorise: (principal, command, tree) =>
          Effect.sync(() => {
            requested.push(`${principal} ${command._tag} ${tree.user}`)
            return principal !== "mallory"
          })
      })
      const from = { principal: "mallory" }
      const refusals = yield* Effect.all([
        Effect.flip(host.send(sessionId, World.say("x"), from)),
        Effect.flip(host.run(sessionId, World.say("x"), from)),
        Effect.flip(host.steer(sessionId, "x", from)),
        Effect.flip(host.cancel(sessionId, "x", from)),
        Effect.flip(host.revoke(sessionId, "allow launch", from)),
        Effect.flip(host.decide(approvalId, yes, "mallory"))
      ])
      assert.deepStrictEqual(
        refusals.map(({ _tag }) => _tag),
        Array.from({ length: 6 }, () => "NotAuthorised")
      )
      const tags = ["SendMessage", "SendMessage", "SteerSession", "CancelSession", "RevokeRule", "DecideApproval"]
      assert.deepStrictEqual(requested, ["ada SendMessage ada", ...tags.map((tag) => `mallory ${tag} ada`)])
      const store = yield* SessionStore.SessionStore
      assert.deepStrictEqual(yield* store.inbox(sessionId), [])
      for (const principal of [":runtime", "session:x", "deadline"]) {
        const refused = yield* Effect.flip(host.decide(approvalId, yes, principal))
        assert.strictEqual(refused._tag, "PrincipalRefused")
      }
      const unknown = yield* Effect.flip(host.send("ses_none", World.say("x"), from))
      assert.strictEqual(unknown._tag, "SessionNotFound")
    }))
})

describe("cancelling the work of a Main", () => {
  test("ends the running turn, at once, and leaves the next message alone", () =>
    Effect.gen(function* () {
      const { model } = yield* ScriptedModel.make([Reply.hang(Reply.text("half")), text("next")])
      const host = yield* Hosting.make({ model })
      const { sessionId } = yield* host.create(Hosting.facts)
      yield* host.send(sessionId, World.say("go"))
      yield* Hosting.event(host, sessionId, ({ _tag }) => _tag === "TextDelta")
      assert.isTrue((yield* host.cancel(sessionId, "enough")).inserted)
      yield* Hosting.event(host, sessionId, Hosting.isRecorded("StateChanged"))
      assert.strictEqual((yield* host.run(sessionId, World.say("go on"))).text, "next")
      const store = yield* SessionStore.SessionStore
      assert.deepStrictEqual(yield* store.inbox(sessionId), [])
    }))

  test("withdraws pending approvals, although no process has it loaded", () =>
    Effect.gen(function* () {
      const { approvalId, host, sessionId, world } = yield* parked([text("next")], { maxLoaded: 1 })
      yield* Hosting.until(Effect.map(Hosting.answerOf(sessionId), (answer) => answer === "waiting"))
      const other = yield* host.create(Hosting.facts)
      const store = yield* SessionStore.SessionStore
      yield* host.cancel(sessionId, "enough", { principal: "grace" })
      yield* Hosting.until(Effect.map(store.pendingApprovals(sessionId), ({ length }) => length === 0))
      yield* Hosting.until(Effect.map(store.inbox(sessionId), ({ length }) => length === 0))
      assert.deepStrictEqual(yield* host.decide(approvalId, yes, "ada"), { inserted: false })
      assert.deepStrictEqual(world.log, [])
      assert.notStrictEqual(other.sessionId, sessionId)
      assert.strictEqual((yield* host.run(sessionId, World.say("go on"))).text, "next")
    }))

  test("records the messages before it, and answers those after it", () =>
    Effect.gen(function* () {
      const { model, script } = yield* ScriptedModel.make([text("second")])
      const store = yield* SessionStore.SessionStore
      const ending = yield* Scope.make()
      const before = yield* Scope.provide(Hosting.make({ model, serve: () => Effect.succeed(null) }), ending)
      const { sessionId } = yield* before.create(Hosting.facts)
      yield* before.send(sessionId, World.say("one"))
      yield* before.cancel(sessionId, "not that")
      yield* before.send(sessionId, World.say("two"))
      yield* Scope.close(ending, Exit.void)
      yield* Hosting.make({ model })
      yield* Hosting.until(Effect.map(Hosting.answerOf(sessionId), (answer) => answer === "second"))
      assert.strictEqual((yield* script.prompts).length, 1)
      assert.deepStrictEqual(
        (yield* Hosting.tagsOf(sessionId)).filter((tag) => tag === "UserMessage" || tag === "StateChanged"),
        ["UserMessage", "StateChanged", "UserMessage"]
      )
      assert.deepStrictEqual(yield* store.inbox(sessionId), [])
    }))
})

/** Replies with the user's last message. */
const echoing = Effect.sync((): Model.Model["Service"] => ({
  name: "echo/model",
  contextTokens: null,
  priced: false,
  stream: ({ messages }) => {
    const userMessages = messages.flatMap((message) => (message._tag === "User" ? [message.text] : []))
    const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null }
    return Stream.make({ _tag: "Text", text: userMessages.at(-1) ?? "" }, { _tag: "End", reason: "stop", ...usage })
  }
}))

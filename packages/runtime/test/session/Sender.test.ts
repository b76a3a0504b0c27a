/** The sender of a message, and repeated requests. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Session, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

const opened = Effect.fnUntraced(function* (replies: ReadonlyArray<Parameters<typeof ScriptedModel.make>[0][number]>) {
  const scripted = yield* ScriptedModel.make(replies)
  const session = yield* World.openSession({
    agent: World.agentOf(World.makeWorld()),
    scripted,
    channel: World.channelOf([], null)
  })
  const store = yield* SessionStore.SessionStore
  const userMessages = Effect.map(store.entries(session.sessionId, 0, 100), (entries) =>
    entries.flatMap(({ body }) => (body._tag === "UserMessage" ? [`${body.principal}: ${body.text}`] : []))
  )
  return { session, store, said: userMessages, script: scripted.script }
})

const test = <A, E>(name: string, body: () => Effect.Effect<A, E, World.Needs>) =>
  it.effect(name, () => Effect.provide(Effect.scoped(body()), World.stores))

describe("the sender of a message", () => {
  test("is recorded, and is the agent's user if none is named", () =>
    Effect.gen(function* () {
      const { said, session } = yield* opened([Reply.text("one"), Reply.text("two"), Reply.text("three")])
      yield* session.run(World.say("a"))
      yield* session.run(World.say("b"), { principal: "grace hopper" })
      yield* session.steer("c", [], { principal: "josé@example.org" })
      yield* session.resume
      assert.deepStrictEqual(yield* said, ["ada: a", "grace hopper: b", "josé@example.org: c"])
    }))

  test("is untrusted if it is not the user of the session", () =>
    Effect.gen(function* () {
      const { session, store } = yield* opened([Reply.text("one"), Reply.text("two")])
      const labels = Effect.map(store.entries(session.sessionId, 0, 100), (entries) => entries.at(-1)?.labels)
      yield* session.run(World.say("a"))
      assert.deepStrictEqual(yield* labels, [])
      yield* session.run(World.say("b"), { principal: "grace" })
      assert.deepStrictEqual(yield* labels, ["untrusted"])
    }))

  test("is untrusted in a running turn too", () =>
    Effect.gen(function* () {
      const { session, store } = yield* opened([Reply.text("one")])
      yield* session.steer("a")
      yield* session.steer("b", [], { principal: "grace" })
      yield* session.resume
      const entries = yield* store.entries(session.sessionId, 0, 100)
      assert.deepStrictEqual(
        entries.flatMap(({ body, labels }) => (body._tag === "UserMessage" ? [[body.text, ...labels]] : [])),
        [["a"], ["b", "untrusted"]]
      )
    }))

  test("is a user: other names are refused, and nothing is stored", () =>
    Effect.gen(function* () {
      const { session, store } = yield* opened([])
      for (const principal of [
        ":runtime",
        "session:ses_1",
        "a:b",
        "",
        "  ",
        "deadline",
        "session",
        "a\u202eb",
        "a\nb",
        "ada ",
        " ada",
        "ada\u00a0",
        "grace  hopper",
        "ada\u3164",
        "ada\u034f",
        "ada\u2800",
        "ada\ufe0f",
        "ada\u{e0041}",
        "ada\ud800",
        "a".repeat(257)
      ]) {
        const run = yield* Effect.flip(session.run(World.say("a"), { principal }))
        const steer = yield* Effect.flip(session.steer("a", [], { principal }))
        assert.deepStrictEqual([run._tag, steer._tag], ["PrincipalRefused", "PrincipalRefused"], principal)
      }
      assert.strictEqual((yield* Effect.flip(store.session(session.sessionId)))._tag, "SessionNotFound")
    }))
})

describe("a repeated request", () => {
  test("with its key is one message, and returns the state of the session", () =>
    Effect.gen(function* () {
      const { said, script, session } = yield* opened([Reply.text("one"), Reply.text("two")])
      const first = yield* session.run(World.say("a"), { key: "post-1" })
      assert.isTrue(first.inserted)
      const again = yield* session.run(World.say("a, in other words"), { key: "post-1" })
      assert.deepInclude(again, { inserted: false, status: "completed", reason: "", text: "one", pending: [] })
      assert.strictEqual((yield* script.prompts).length, 1)
      yield* session.run(World.say("b"), { key: "post-2" })
      assert.deepStrictEqual(yield* said, ["ada: a", "ada: b"])
      assert.deepStrictEqual(yield* session.steer("b", [], { key: "post-2" }), { inserted: false })
    }))

  test("at the same time is one message and one turn", () =>
    Effect.gen(function* () {
      const { said, script, session } = yield* opened([Reply.text("one")])
      const post = session.run(World.say("a"), { key: "post-1" })
      const results = yield* Effect.all([post, post, post], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        results.map(({ text }) => text),
        ["one", "one", "one"]
      )
      assert.strictEqual(results.filter(({ inserted }) => inserted).length, 1)
      assert.deepStrictEqual(yield* said, ["ada: a"])
      assert.strictEqual((yield* script.prompts).length, 1)
    }))

  test("while its call waits for an approval returns the pending request", () =>
    Effect.gen(function* () {
      const { session } = yield* opened([Reply.toolCall("launch", { target: "x" }), Reply.text("waiting")])
      const first = yield* session.run(World.say("go"), { key: "post-1" })
      const again = yield* session.run(World.say("go"), { key: "post-1" })
      assert.deepStrictEqual([again.status, again.inserted], ["suspended", false])
      assert.deepStrictEqual(again.pending, first.pending)
    }))

  test("after its turn was stopped returns the reason", () =>
    Effect.gen(function* () {
      const loop = Reply.toolCall("look", { key: "a" })
      const { session } = yield* opened([loop, loop, loop, loop, loop])
      const first = yield* session.run(World.say("go"), { key: "post-1" })
      assert.strictEqual(first.status, "stopped")
      const again = yield* session.run(World.say("go"), { key: "post-1" })
      assert.deepInclude(again, { inserted: false, status: "stopped", reason: first.reason })
    }))

  test("of two users with the same key is two messages", () =>
    Effect.gen(function* () {
      const { said, session } = yield* opened([Reply.text("one"), Reply.text("two")])
      for (const principal of ["ada", "grace"]) {
        assert.isTrue((yield* session.run(World.say("hello"), { key: "1", principal })).inserted)
      }
      assert.deepStrictEqual(yield* said, ["ada: hello", "grace: hello"])
    }))

  test("replaces no decision, whatever its key", () =>
    Effect.gen(function* () {
      const { session, store } = yield* opened([Reply.toolCall("launch", { target: "x" }), Reply.text("waiting")])
      const { pending } = yield* session.run(World.say("go"))
      const [{ approvalId }] = pending
      const treeId = session.sessionId
      const command = { _tag: "SteerSession", sessionId: treeId, text: "sneaky" } as const
      yield* store.submit({ treeId, dedupeKey: `approval:${approvalId}`, command, principal: "mallory" })
      const decision = { _tag: "Denied", words: null } as const
      const decided = { _tag: "DecideApproval", approvalId, decision } as const
      assert.isTrue((yield* store.submit({ treeId, dedupeKey: "any", command: decided, principal: "ada" })).inserted)
    }))
})

const facts = { name: "bough", user: "ada", workspaceRoot: "/w", channel: "web" }

describe("a Main that is created", () => {
  test("is stored, listed and opened without a message", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const { inserted, sessionId } = yield* Session.create(facts)
      assert.isTrue(inserted)
      const [entry, ...more] = yield* store.entries(sessionId, 0, 10)
      assert.deepStrictEqual(more, [])
      assert.deepInclude(entry.body, { _tag: "SessionOpened", user: "ada", agent: "bough", channel: "web" })
      const summary = yield* store.session(sessionId)
      assert.deepInclude(summary, { kind: "Main", state: "Suspended", title: "", workspaceRoot: "/w" })
      const scripted = yield* ScriptedModel.make([Reply.text("hello")])
      const session = yield* World.openSession({
        agent: World.agentOf(World.makeWorld()),
        scripted,
        channel: World.channelOf([], null),
        sessionId
      })
      assert.strictEqual((yield* session.run(World.say("a title"))).text, "hello")
      assert.strictEqual((yield* store.session(sessionId)).title, "a title")
    }))

  test("with a key is created once, also by concurrent callers, and also while it is open", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const post = Session.create({ ...facts, key: "post-1" })
      const created = yield* Effect.all(
        Array.from({ length: 20 }, () => post),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(new Set(created.map(({ sessionId }) => sessionId)).size, 1)
      assert.strictEqual(created.filter(({ inserted }) => inserted).length, 1)
      yield* store.acquire(created[0].sessionId)
      assert.deepStrictEqual(yield* post, { sessionId: created[0].sessionId, inserted: false })
      const others = yield* Effect.all([
        Session.create({ ...facts, key: "post-2" }),
        Session.create({ ...facts, user: "grace", key: "post-1" }),
        Session.create({ ...facts, user: null, key: "post-1" }),
        Session.create(facts),
        Session.create(facts)
      ])
      assert.strictEqual(new Set([created[0], ...others].map(({ sessionId }) => sessionId)).size, 6)
    }))

  test("is refused if its key or its user is invalid", () =>
    Effect.gen(function* () {
      const { sessionId } = yield* Session.create({ ...facts, key: "post-1" })
      const reused = yield* Effect.flip(Session.create({ ...facts, workspaceRoot: "/elsewhere", key: "post-1" }))
      assert.strictEqual(reused._tag, "KeyReused")
      assert.include(reused.message, sessionId)
      const refused = yield* Effect.flip(Session.create({ ...facts, user: ":runtime" }))
      assert.strictEqual(refused._tag, "PrincipalRefused")
    }))
})

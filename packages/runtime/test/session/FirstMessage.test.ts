/**
 * Rows that other processes put into the inbox of a Main whose journal is not created yet, and every way to continue
 * from there.
 */
import { Inbox, type Session as SessionData } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

const instructions = [{ source: "AGENTS.md", text: "be kind" }]

/** A Main that is open here and has no entry yet. */
const fresh = Effect.fnUntraced(function* (replies: ReadonlyArray<Parameters<typeof ScriptedModel.make>[0][number]>) {
  const scripted = yield* ScriptedModel.make(replies)
  const session = yield* World.openSession({
    agent: World.agentOf(World.makeWorld(), { prompt: { instructions } }),
    scripted,
    channel: World.channelOf([], null)
  })
  const store = yield* SessionStore.SessionStore
  const submit = (dedupeKey: string, command: Inbox.Command) =>
    store.submit({ treeId: session.sessionId, dedupeKey, command, principal: "grace" })
  return { session, store, submit, script: scripted.script }
})

const message = (sessionId: SessionData.SessionId, text: string): Inbox.Command => ({
  _tag: "SendMessage",
  sessionId,
  text,
  media: []
})

const tags = (store: SessionStore.SessionStore["Service"], sessionId: SessionData.SessionId) =>
  Effect.map(store.entries(sessionId, 0, 100), (entries) => entries.map(({ body }) => body._tag))

/** Waits until all fibers that can run now have run. */
const nextTick = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

const begun = ["SessionOpened", "ContextAdded", "UserMessage"]

const test = <A, E>(name: string, body: () => Effect.Effect<A, E, World.Needs>) =>
  it.effect(name, () => Effect.provide(Effect.scoped(body()), World.stores))

describe("a message before the first message", () => {
  test("opens the Main when it is resumed", () =>
    Effect.gen(function* () {
      const { session, store, submit } = yield* fresh([Reply.text("hello grace")])
      assert.isTrue((yield* submit("k", message(session.sessionId, "hello"))).inserted)
      assert.isTrue(yield* session.hasOpenTurn)
      assert.strictEqual((yield* session.resume)?.text, "hello grace")
      assert.deepStrictEqual((yield* tags(store, session.sessionId)).slice(0, 3), begun)
      assert.strictEqual((yield* store.session(session.sessionId)).title, "hello")
      assert.deepStrictEqual(yield* store.inbox(session.sessionId), [])
    }))

  test("may be steering", () =>
    Effect.gen(function* () {
      const { session, store, submit } = yield* fresh([Reply.text("yes")])
      yield* submit("k", { _tag: "SteerSession", sessionId: session.sessionId, text: "hurry" })
      assert.strictEqual((yield* session.resume)?.text, "yes")
      assert.deepStrictEqual((yield* tags(store, session.sessionId)).slice(0, 3), begun)
    }))

  test("comes before the messages of this process", () =>
    Effect.gen(function* () {
      const { script, session, submit } = yield* fresh([Reply.text("one"), Reply.text("two")])
      yield* submit("k", message(session.sessionId, "from afar"))
      assert.strictEqual((yield* session.run(World.say("from here"))).text, "two")
      const [first] = yield* script.prompts
      const texts = first.messages.flatMap((sent) => (sent._tag === "User" ? [sent.text] : []))
      assert.isTrue(texts.at(-1)?.includes("from afar"))
    }))

  test("leaves every other way to use the session open", () =>
    Effect.gen(function* () {
      const { session, store, submit } = yield* fresh([Reply.text("at last")])
      yield* submit("k", message(session.sessionId, "hello"))
      const { isShorter: wasShorter, usage: used } = yield* session.compact()
      assert.deepStrictEqual([wasShorter, used], [false, null])
      assert.isFalse(yield* session.isWorthReflecting)
      assert.isNull(yield* session.reflect)
      yield* session.steer("and quickly")
      assert.strictEqual((yield* session.call("look", '{"key":"a"}'))._tag, "Ended")
      assert.strictEqual((yield* session.resume)?.text, "at last")
      assert.strictEqual((yield* tags(store, session.sessionId)).filter((tag) => tag === "SessionOpened").length, 1)
    }))

  test("is neither a revocation of a rule nor a decision", () =>
    Effect.gen(function* () {
      const { session, store, submit } = yield* fresh([Reply.text("hello")])
      yield* submit("r", { _tag: "RevokeRule", rule: "allow look" })
      // The rows of rules are applied outside of the turns.
      for (let tick = 0; tick < 20; tick++) yield* nextTick
      assert.deepStrictEqual(yield* store.inbox(session.sessionId), [])
      const decision = { _tag: "Denied", words: null } as const
      const approvalId = "apr_none" as SessionData.ApprovalId
      const refused = yield* Effect.flip(submit("d", { _tag: "DecideApproval", approvalId, decision }))
      assert.strictEqual(refused._tag, "ApprovalClosed")
      assert.isNull(yield* session.resume)
      assert.deepStrictEqual(yield* tags(store, session.sessionId), [])
      yield* submit("k", message(session.sessionId, "hello"))
      assert.strictEqual((yield* session.resume)?.text, "hello")
    }))

  test("stores nothing if there is none", () =>
    Effect.gen(function* () {
      const { session, store } = yield* fresh([])
      assert.isNull(yield* session.resume)
      assert.isFalse(yield* session.hasOpenTurn)
      assert.strictEqual((yield* Effect.flip(store.session(session.sessionId)))._tag, "SessionNotFound")
    }))

  test("two concurrent first messages open it once", () =>
    Effect.gen(function* () {
      const { session, store } = yield* fresh([Reply.text("one"), Reply.text("two")])
      const both = yield* Effect.all([session.run(World.say("a")), session.run(World.say("b"))], {
        concurrency: "unbounded"
      })
      assert.sameMembers(
        both.map(({ status }) => status),
        ["completed", "completed"]
      )
      assert.strictEqual((yield* tags(store, session.sessionId)).filter((tag) => tag === "SessionOpened").length, 1)
      assert.strictEqual((yield* tags(store, session.sessionId)).filter((tag) => tag === "UserMessage").length, 2)
    }))
})

describe("turns of one session", () => {
  test("run one after another, and a waiting caller that leaves stops nothing", () =>
    Effect.gen(function* () {
      const { session } = yield* fresh([Reply.hang(), Reply.text("two")])
      const first = yield* Effect.forkChild(session.run(World.say("a")), { startImmediately: true })
      const second = yield* Effect.forkChild(session.resume, { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(second)
      assert.isUndefined(first.pollUnsafe())
      yield* Fiber.interrupt(first)
      assert.strictEqual((yield* session.run(World.say("b"))).text, "two")
    }))
})

/** A parent's, or a user's, control of running children; and the effect of a child's end on its descendants. */
import { Inbox } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

const { text, toolCall, toolCalls } = Reply
const spawn = (task: string, more: object = {}) => ({ name: "spawn_branch", arguments: { task, ...more } })

describe("a running child", () => {
  it.effect("reads its parent's message before its next step", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, session } = yield* Grove.open({
          cast: {
            go: [toolCalls([spawn("work")]), toolCall("list_sessions"), text("waiting"), text("done")],
            work: [
              Reply.slowly(toolCall("look", { key: "a" }), 1000),
              { expect: { user: "left, not right" }, reply: text("went left") }
            ]
          }
        })
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust("1 second")
        const [{ childId }] = yield* Grove.bodies(session.sessionId, "ChildSpawned")
        const store = yield* SessionStore.SessionStore
        yield* store.submit({
          treeId: session.sessionId,
          dedupeKey: "steer",
          command: { _tag: "SteerSession", sessionId: childId, text: "left, not right" },
          principal: "ada"
        })
        yield* TestClock.adjust("5 seconds")
        yield* Fiber.join(fiber)
        yield* cast.assertDone
      })
    )
  )

  it.effect("that is cancelled may finish its reply, and is stopped after 30 seconds", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, session } = yield* Grove.open({
          cast: {
            go: [
              toolCalls([spawn("polite"), spawn("deaf")]),
              text("waiting"),
              { expect: { user: /cancelled \(enough\)\]\nso far/ }, reply: text("one left") },
              { expect: { user: /cancelled \(enough\)\]\nhm/ }, reply: text("none left") }
            ],
            polite: [
              Reply.slowly(toolCall("look", { key: "a" }), 1000),
              { expect: { user: /You are to end now \(enough\)/ }, reply: text("so far") }
            ],
            deaf: [Reply.hang([{ _tag: "Text", text: "hm" }])]
          }
        })
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust("1 second")
        const store = yield* SessionStore.SessionStore
        for (const { childId } of yield* Grove.bodies(session.sessionId, "ChildSpawned")) {
          yield* store.submit({
            treeId: session.sessionId,
            dedupeKey: `cancel ${childId}`,
            command: { _tag: "CancelSession", sessionId: childId, reason: "enough" },
            principal: "ada"
          })
        }
        yield* TestClock.adjust("3 seconds")
        const early = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.deepStrictEqual(
          early.map(({ result }) => [result.status, result.reason, result.summary]),
          [["Cancelled", "enough", "so far"]]
        )
        yield* TestClock.adjust("30 seconds")
        yield* Fiber.join(fiber)
        const all = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.deepStrictEqual(
          all.map(({ result }) => result.status),
          ["Cancelled", "Cancelled"]
        )
        assert.deepStrictEqual(yield* store.inbox(session.sessionId), [])
        yield* cast.assertDone
      })
    )
  )

  it.effect("ends before its parent does, on every path", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* Grove.open({
          cast: {
            go: [toolCalls([spawn("a", { maxSteps: 1 })]), text("ok"), text("ok")],
            a: [toolCalls([spawn("b")])],
            b: [Reply.hang()]
          }
        })
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust("1 second")
        yield* TestClock.adjust("31 seconds")
        yield* Fiber.join(fiber)
        const [a] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.deepStrictEqual([a.result.status, a.result.reason], ["Failed", "the step limit of 1 is reached"])
        const [b] = yield* Grove.bodies(a.childId, "ChildEnded")
        assert.deepStrictEqual([b.result.status, b.result.reason], ["Cancelled", "the session above it has ended"])
      })
    )
  )

  it.effect("stops with everything when a user interrupts", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* Grove.open({
          cast: {
            go: [toolCalls([spawn("a"), { name: "wait_for_sessions", arguments: {} }])],
            a: [toolCalls([spawn("b"), { name: "wait_for_sessions", arguments: {} }])],
            b: [Reply.hang()]
          }
        })
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* TestClock.adjust("1 second")
        yield* Fiber.interrupt(fiber)
        const [a] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        const [b] = yield* Grove.bodies(a.childId, "ChildEnded")
        assert.deepStrictEqual([a.result.status, b.result.status], ["Cancelled", "Cancelled"])
        assert.isFalse(yield* session.hasOpenTurn)
      })
    )
  )

  it.effect("that is forked starts with its parent's knowledge before that reply, at no cost", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, session } = yield* Grove.open({
          cast: {
            go: [
              toolCall("look", { key: "a" }, { inputTokens: 1000 }),
              toolCalls([spawn("carry on", { fork: true })]),
              text("ok"),
              text("ok")
            ],
            "carry on": [
              {
                expect: ({ messages }) => {
                  assert.deepStrictEqual(
                    messages.map((message) => (message._tag === "User" ? message.text : message._tag)),
                    ["go", "Assistant", "ToolResult", "carry on"]
                  )
                },
                reply: toolCall("look", { key: "b" })
              },
              text("carried")
            ]
          }
        })
        yield* session.run(World.say("go"))
        yield* cast.assertDone
        const [{ result }] = yield* Grove.bodies(session.sessionId, "ChildEnded")
        assert.deepStrictEqual([result.usage.inputTokens, result.usage.steps], [20, 2])
      })
    )
  )
})

describe("approvals of children", () => {
  const launching = {
    go: [toolCalls([spawn("fly"), { name: "wait_for_sessions", arguments: {} }]), text("flown"), text("flown")],
    fly: [toolCalls([{ name: "launch", arguments: { target: "moon" } }]), text("landed")]
  }

  it.effect("are shown to the user at the Main, with the path of the session that asks", () =>
    Grove.run(
      Effect.gen(function* () {
        const paths: Array<ReadonlyArray<string>> = []
        const { session, world } = yield* Grove.open({
          cast: launching,
          ask: (request) => {
            paths.push(request.sessionPath)
            return World.approve()
          }
        })
        yield* session.run(World.say("go"))
        const [{ childId }] = yield* Grove.bodies(session.sessionId, "ChildSpawned")
        assert.deepStrictEqual(paths, [[session.sessionId, childId]])
        assert.deepStrictEqual(world.log, ["launch moon"])
      })
    )
  )

  it.effect("suspend the tree if no user is attached, and it continues once a user has decided", () =>
    Effect.gen(function* () {
      const world = World.makeWorld()
      const cast = {
        ...launching,
        go: [
          launching.go[0],
          { expect: { toolResult: /, waits for the approval of apr_/ }, reply: text("it waits for you") },
          text("flown")
        ]
      }
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const { session } = yield* Grove.open({ cast, world })
          const result = yield* session.run(World.say("go"))
          return { result, sessionId: session.sessionId }
        })
      )
      assert.strictEqual(first.result.status, "suspended")
      assert.strictEqual(first.result.pending.length, 1)
      const store = yield* SessionStore.SessionStore
      yield* store.submit(Inbox.toDecisionRow(first.result.pending[0], World.approved))
      assert.deepStrictEqual(world.log, [])
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { session } = yield* Grove.open({
            world,
            sessionId: first.sessionId,
            cast: { go: [text("flown")], fly: [text("landed")] }
          })
          const result = yield* session.resume
          assert.strictEqual(result?.status, "completed")
        })
      )
      assert.deepStrictEqual(world.log, ["launch moon"])
      assert.deepStrictEqual(yield* store.pendingApprovals(null), [])
    }).pipe(Effect.provide(World.stores))
  )
})

describe("a session that is closed while its turn waits for a child", () => {
  it.effect("can still be interrupted: no session waits for a child that has stopped", () =>
    Grove.run(
      Effect.gen(function* () {
        const fiber = yield* Effect.scoped(
          Effect.gen(function* () {
            const { session } = yield* Grove.open({
              cast: {
                go: [toolCalls([spawn("a"), { name: "wait_for_sessions", arguments: {} }])],
                a: [Reply.hang()]
              }
            })
            const running = yield* Effect.forkDetach(session.run(World.say("go")))
            yield* TestClock.adjust("1 second")
            return running
          })
        )
        const stopping = yield* Effect.forkChild(Fiber.interrupt(fiber))
        yield* TestClock.adjust("1 minute")
        assert.isDefined(stopping.pollUnsafe(), "it has come to rest")
      })
    )
  )
})

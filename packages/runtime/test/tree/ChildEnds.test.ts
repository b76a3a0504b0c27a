/** A child that is told to end: by which caller and how often, its last result, and its end. */
import type { Session } from "@bough/protocol"
import type { BackgroundCommands } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as World from "../session/world.ts"
import * as Grove from "./grove.ts"

const { text, toolCall } = Reply
const outputSchema = { type: "object", properties: { count: { type: "integer" } }, required: ["count"] }
const slow = Reply.slowly(toolCall("look", { key: "a" }), 1000)

const toldToEnd = /^You are to end now/

/** Waits for the only child of a session; the check of its result is loaded first, which no test clock advances. */
const childOf = (treeId: Session.SessionId): Effect.Effect<Session.SessionId, never, SessionStore.SessionStore> =>
  Effect.flatMap(Effect.orDie(Grove.bodies(treeId, "ChildSpawned")), ([spawned]) =>
    spawned === undefined
      ? Effect.andThen(TestClock.withLive(Effect.sleep("1 millis")), childOf(treeId))
      : Effect.succeed(spawned.childId)
  )

/** Cancels the only child of a session, with a reason. */
const cancel = Effect.fnUntraced(function* (treeId: Session.SessionId, reason: string) {
  const store = yield* SessionStore.SessionStore
  const childId = yield* childOf(treeId)
  const command = { _tag: "CancelSession", sessionId: childId, reason } as const
  yield* store.submit({ treeId, dedupeKey: `cancel ${reason}`, command, principal: "ada" })
  return childId
})

const ends = (sessionId: Session.SessionId) =>
  Effect.map(Grove.bodies(sessionId, "ChildEnded"), (all) =>
    all.map(({ result: { output, reason, status } }) => ({ status, reason, output }))
  )

/** The Main starts one child, which plays the replies. */
const open = (work: ReadonlyArray<Reply.Reply>, terms: object = {}, more: Partial<Grove.Options> = {}) =>
  Grove.open({
    cast: {
      go: [
        toolCall("outputSchema" in terms ? "spawn_worker" : "spawn_branch", { task: "work", ...terms }),
        text("waiting"),
        text("done")
      ],
      work
    },
    ...more
  })

describe("a child that is told to end", () => {
  it.effect("ends as it was told first, even if it is interrupted later", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* open([Reply.hang([{ _tag: "Text", text: "hm" }])])
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* childOf(session.sessionId)
        yield* TestClock.adjust("1 second")
        yield* cancel(session.sessionId, "enough")
        yield* TestClock.adjust("1 second")
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* ends(session.sessionId), [
          { status: "Cancelled", reason: "enough", output: null }
        ])
        // Rows for it, which nothing reads any more, end with it.
        assert.deepStrictEqual(yield* (yield* SessionStore.SessionStore).inbox(session.sessionId), [])
      })
    )
  )

  it.effect("is told once, however often it is cancelled", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* open([slow, text("so far")])
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* childOf(session.sessionId)
        yield* TestClock.adjust("100 millis")
        const childId = yield* cancel(session.sessionId, "enough")
        yield* TestClock.adjust("100 millis")
        yield* cancel(session.sessionId, "really")
        yield* TestClock.adjust("5 seconds")
        yield* Fiber.join(fiber)
        const userMessages = (yield* Grove.bodies(childId, "UserMessage")).filter((message) =>
          toldToEnd.test(message.text)
        )
        assert.deepStrictEqual(
          userMessages.map((message) => message.text.includes("enough")),
          [true]
        )
        assert.deepStrictEqual(yield* ends(session.sessionId), [
          { status: "Cancelled", reason: "enough", output: null }
        ])
      })
    )
  )

  it.effect("that owes a result is not reminded of it", () =>
    Grove.run(
      Effect.gen(function* () {
        const { cast, session } = yield* open([slow, text("so far")], { outputSchema })
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* childOf(session.sessionId)
        yield* TestClock.adjust("100 millis")
        const childId = yield* cancel(session.sessionId, "enough")
        yield* TestClock.adjust("5 seconds")
        yield* Fiber.join(fiber)
        const userMessages = (yield* Grove.bodies(childId, "UserMessage")).map((message) => message.text)
        assert.lengthOf(userMessages, 2)
        assert.match(userMessages[1], toldToEnd)
        assert.deepStrictEqual(yield* ends(session.sessionId), [
          { status: "Cancelled", reason: "enough", output: null }
        ])
        yield* cast.assertDone
      })
    )
  )

  it.effect("has completed when it returns its result all the same", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session } = yield* open([slow, toolCall("return_result", { count: 3 })], { outputSchema })
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* childOf(session.sessionId)
        yield* TestClock.adjust("100 millis")
        yield* cancel(session.sessionId, "enough")
        yield* TestClock.adjust("5 seconds")
        yield* Fiber.join(fiber)
        assert.deepStrictEqual(yield* ends(session.sessionId), [
          { status: "Completed", reason: "", output: '{"count":3}' }
        ])
      })
    )
  )

  it.effect("waits for no decision if its provider fails", () =>
    Grove.run(
      Effect.gen(function* () {
        const { session, world } = yield* open(
          [toolCall("launch", { target: "moon" }), Reply.cut(Reply.slowly(text("so far"), 1000))],
          {},
          { ask: () => Effect.never, limits: { approvalGraceMillis: 0 } }
        )
        const fiber = yield* Effect.forkChild(session.run(World.say("go")))
        yield* childOf(session.sessionId)
        yield* TestClock.adjust("100 millis")
        const childId = yield* cancel(session.sessionId, "enough")
        yield* TestClock.adjust("5 seconds")
        // Long before its time to finish is over.
        assert.deepStrictEqual(yield* ends(session.sessionId), [
          { status: "Cancelled", reason: "enough", output: null }
        ])
        yield* Fiber.join(fiber)
        const decisions = yield* Grove.bodies(childId, "ApprovalDecided")
        assert.deepStrictEqual(
          decisions.map(({ decision }) => decision._tag),
          ["Withdrawn"]
        )
        assert.deepStrictEqual(world.log, [])
      })
    )
  )

  it.effect("stops its background commands, and no others", () =>
    Grove.run(
      Effect.gen(function* () {
        const stopped: Array<readonly [Session.SessionId, string]> = []
        const commands: BackgroundCommands = {
          onEnded: () => Effect.void,
          reserveIds: () => {},
          refreshPorts: () => Effect.void,
          list: () => [],
          output: () => Effect.die("no command was started"),
          stop: () => Effect.die("no command was started"),
          leave: () => 0,
          stopSession: (sessionId, reason) => Effect.sync(() => void stopped.push([sessionId, reason]))
        }
        const { session } = yield* open([text("worked")], {}, { commands })
        yield* session.run(World.say("go"))
        const childId = yield* childOf(session.sessionId)
        assert.deepStrictEqual(stopped, [[childId, "when its session ended"]])
      })
    )
  )
})

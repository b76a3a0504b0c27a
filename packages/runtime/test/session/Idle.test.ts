/** Open and idle sessions: few stay loaded, without a difference for their users. */
import { Session as SessionData } from "@bough/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { sampled } from "../../../../test/thorough.ts"
import { type Channel, type Model, type Session, SessionStore } from "../../src/index.ts"
import * as SessionCache from "../../src/session/SessionCache.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

/** More than the cache holds. */
const many = 20

/** Answers with all messages of the user in this session. */
const echo: Model.Model["Service"] = {
  name: "echo/model",
  contextTokens: null,
  priced: false,
  stream: ({ messages }) => {
    const userMessages = messages.flatMap((message) => (message._tag === "User" ? [message.text] : []))
    const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costUsd: null }
    return Stream.make({ _tag: "Text", text: userMessages.join(" ") }, { _tag: "End", reason: "stop", ...usage })
  }
}

/**
 * The stores of `world`, with the sessions in the order in which their first entries were read. `pause`: before a read.
 */
const watched = (pause: Effect.Effect<void>) =>
  Effect.map(SessionStore.SessionStore, (store) => {
    const read: Array<string> = []
    const entries: typeof store.entries = (sessionId, fromSeq, limit) => {
      if (fromSeq === 0) read.push(sessionId)
      return Effect.andThen(pause, store.entries(sessionId, fromSeq, limit))
    }
    return { read, store: { ...store, entries } }
  })

const run = <A, E>(
  body: (
    read: Array<string>,
    open: (model: Model.Model["Service"], ask?: Channel.Channel["Service"]["ask"]) => ReturnType<typeof World.openWith>
  ) => Effect.Effect<A, E, World.Needs>,
  pause: Effect.Effect<void> = Effect.yieldNow
) =>
  Effect.flatMap(watched(pause), ({ read, store }) =>
    body(read, (model, ask = null) =>
      World.openWith({ agent: World.agentOf(World.makeWorld()), channel: World.channelOf([], ask), model })
    ).pipe(Effect.provideService(SessionStore.SessionStore, store))
  ).pipe(Effect.scoped, Effect.provide(World.stores))

const openMany = (open: Effect.Effect<Session.Session, unknown, World.Needs>) =>
  Effect.orDie(Effect.forEach(Array.from({ length: many }), () => open))

const answers = (session: Session.Session, text: string) =>
  Effect.map(session.run(World.say(text)), (result) => result.text)

/** Waits until all fibers that can run now have run. */
const nextTick = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

const order = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: many - 1 }))).check(
  Schema.isMinLength(many),
  Schema.isMaxLength(3 * many)
)

describe("idle sessions", () => {
  it.effect.prop(
    "know all their messages, in any order of use",
    [order],
    ([indexes]) =>
      run((_, open) =>
        Effect.gen(function* () {
          const sessions = yield* openMany(open(echo))
          const messagesBySession = sessions.map(() => [] as Array<string>)
          for (const [at, index] of indexes.entries()) {
            messagesBySession[index].push(`word${at}`)
            assert.strictEqual(yield* answers(sessions[index], `word${at}`), messagesBySession[index].join(" "))
          }
        })
      ),
    sampled({ arbitrary: { runs: 20, size: 60 } })
  )

  it.effect("are loaded again after many others were used since, and not after few", () =>
    run((read, open) =>
      Effect.gen(function* () {
        const sessions = yield* openMany(open(echo))
        for (const session of sessions) yield* answers(session, "hello")
        read.length = 0
        yield* answers(sessions[many - 1], "again")
        assert.deepStrictEqual(read, [])
        yield* answers(sessions[0], "again")
        assert.deepStrictEqual(read, [sessions[0].sessionId])
      })
    )
  )

  it.effect("stay loaded up to exactly the greatest number", () =>
    run((read, open) =>
      Effect.gen(function* () {
        const sessions = yield* openMany(open(echo))
        for (const session of sessions) yield* answers(session, "hello")
        read.length = 0
        const first = many - SessionCache.defaultMaxLoaded
        yield* answers(sessions[first], "again")
        assert.deepStrictEqual(read, [])
        yield* answers(sessions[first - 1], "again")
        assert.deepStrictEqual(read, [sessions[first - 1].sessionId])
      })
    )
  )

  it.effect("count as unused after a use that could not read them", () =>
    Effect.gen(function* () {
      const store = yield* SessionStore.SessionStore
      const opened: SessionCache.LoadedSession = {
        lease: { treeId: SessionData.SessionId.make("ses_1"), epoch: 1 },
        store,
        maxLoaded: 1,
        read: Effect.fail(new SessionStore.StoreFailed({ operation: "read", message: "no", hint: "" })),
        running: null,
        uses: 0
      }
      for (let count = 0; count < 2; count++) {
        assert.strictEqual((yield* Effect.flip(SessionCache.useSession(opened, () => Effect.void)))._tag, "StoreFailed")
      }
      assert.isTrue(SessionCache.isStored(opened))
    }).pipe(Effect.provide(World.stores))
  )

  it.effect("are not loaded again for inbox rows from before they were unloaded", () =>
    run(
      (read, open) =>
        Effect.gen(function* () {
          const sessions = yield* openMany(open(echo))
          yield* nextTick
          assert.deepStrictEqual(
            read,
            sessions.map(({ sessionId }) => sessionId)
          )
        }),
      Effect.void
    )
  )

  it.effect("are loaded once by all concurrent users", () =>
    run((read, open) =>
      Effect.gen(function* () {
        const sessions = yield* openMany(open(echo))
        for (const session of sessions) yield* answers(session, "hello")
        read.length = 0
        const [first] = sessions
        yield* Effect.all([first.steer("a"), first.steer("b"), first.hasOpenTurn], { concurrency: "unbounded" })
        assert.deepStrictEqual(read, [first.sessionId])
        assert.strictEqual((yield* first.resume)?.text, "hello a b")
      })
    )
  )

  it.effect("are not idle while a call waits for a decision", () =>
    run((read, open) =>
      Effect.gen(function* () {
        const { model } = yield* ScriptedModel.make([Reply.toolCall("launch", { target: "x" }), Reply.text("waiting")])
        const waiting = yield* open(model)
        assert.strictEqual((yield* waiting.run(World.say("go"))).status, "suspended")
        for (const session of yield* openMany(open(echo))) yield* answers(session, "hello")
        read.length = 0
        assert.isTrue(yield* waiting.hasOpenTurn)
        assert.deepStrictEqual(read, [])
      })
    )
  )
})

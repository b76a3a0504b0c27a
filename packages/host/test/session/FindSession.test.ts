/** A session is found by its id, a prefix of it, or as the newest conversation of its workspace. */
import { Channel, Model, Session } from "@bough/runtime"
import { BlobStoreMemory, Reply, SampleAgent, ScriptedModel, SessionStoreMemory } from "@bough/runtime/testing"
import { SessionKind, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import { tmpdir } from "node:os"
import * as FindSession from "../../src/session/FindSession.ts"

const stores = Layer.merge(SessionStoreMemory.layer, BlobStoreMemory.layer)
const channel = { name: "test", ask: null, publish: () => Effect.void }
const tools = SessionKind.Main.tools(ToolPack.make())
const gone = "/there/is/no/such/folder"

/** Stores a session without a message. */
const silent = (workspaceRoot: string) =>
  Effect.map(
    Session.create({ name: "tester", user: "ada", workspaceRoot, channel: "test" }),
    ({ sessionId }) => sessionId
  )

/** Stores a session with a message of the user. */
const spoken = (workspaceRoot: string) =>
  Effect.gen(function* () {
    const { model } = yield* ScriptedModel.make([Reply.text("hello")])
    const session = yield* Session.open({
      agent: SampleAgent.make(tools, { workspace: { root: workspaceRoot } }),
      sessionId: null
    }).pipe(Effect.provideService(Model.Model, model), Effect.provideService(Channel.Channel, channel))
    yield* session.run({ text: "hello", media: [] })
    yield* TestClock.adjust("1 second")
    return session.sessionId
  }).pipe(Effect.scoped)

const named = (session: string | null) => ({ session, continue: session === null })

const ours: FindSession.WantedAgent = { name: "tester", isChosen: false }

describe("FindSession", () => {
  it.effect("finds a session by its id and by any prefix that is unique", () =>
    Effect.gen(function* () {
      const ids = yield* Effect.forEach([1, 2, 3], () => silent(gone))
      for (const id of ids) {
        for (let length = 1; length <= id.length; length++) {
          const prefix = id.slice(0, length)
          const found = yield* Effect.result(FindSession.byId(prefix))
          const others = ids.filter((other) => other !== id && other.startsWith(prefix))
          if (others.length === 0) assert.deepStrictEqual(found, Result.succeed(id))
          else assert.strictEqual(Result.isFailure(found) && found.failure._tag, "HostFailure")
        }
      }
      const missing = yield* Effect.result(FindSession.byId("no such id"))
      assert.strictEqual(Result.isFailure(missing) && missing.failure._tag, "SessionNotFound")
    }).pipe(Effect.provide(stores))
  )

  it.effect("continues the newest conversation of the workspace, not a newer session without a message", () =>
    Effect.gen(function* () {
      const nothing = yield* Effect.result(FindSession.find(named(null), gone, ours))
      assert.strictEqual(Result.isFailure(nothing) && nothing.failure._tag, "HostFailure")
      yield* spoken(gone)
      const newest = yield* spoken(gone)
      yield* spoken(`${gone}/other`)
      yield* silent(gone)
      assert.strictEqual(yield* FindSession.find(named(null), gone, ours), newest)
      assert.isNull(yield* FindSession.find({ session: null, continue: false }, gone, ours))
    }).pipe(Effect.provide(stores))
  )

  it.effect("resumes a session in its own workspace, or in another one after its folder was removed", () =>
    Effect.gen(function* () {
      const here = yield* silent(tmpdir())
      const lost = yield* silent(gone)
      assert.strictEqual(yield* FindSession.find(named(here), tmpdir(), ours), here)
      assert.strictEqual(yield* FindSession.find(named(lost), tmpdir(), ours), lost)
      const elsewhere = yield* Effect.flip(FindSession.find(named(here), gone, ours))
      assert.include(elsewhere.message, `works in ${tmpdir()}`)
    }).pipe(Effect.provide(stores))
  )
})

/** A session keeps its mode in every app that continues it: one opens it directly, another serves stored sessions. */
import { DataPack } from "@bough/pack-data"
import { FilesPack } from "@bough/pack-files"
import type { Session } from "@bough/protocol"
import { Host, Model, SessionStore } from "@bough/runtime"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { SessionStoreSql } from "@bough/store-sqlite"
import { SessionKind, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as AgentHost from "../../src/AgentHost.ts"
import * as OpenSession from "../../src/session/OpenSession.ts"
import * as RecordedMode from "../../src/session/RecordedMode.ts"
import * as SessionMode from "../../src/session/SessionMode.ts"

const channel = { name: "terminal", readers: "owner", ask: null, publish: () => Effect.void } as const

const hostOf = (root: string): AgentHost.AgentHost => {
  mkdirSync(join(root, "work"))
  return AgentHost.make({
    name: "bough",
    environment: {
      variables: {},
      platform: process.platform,
      home: root,
      currentDirectory: join(root, "work"),
      user: "ada"
    },
    packs: {
      main: SessionKind.Main.tools(ToolPack.merge(FilesPack.all, DataPack.all)),
      worker: SessionKind.Worker.tools(FilesPack.readOnly)
    }
  })
}

const withHost = <A, E>(
  use: (host: AgentHost.AgentHost, written: () => boolean) => Effect.Effect<A, E, AgentHost.Stores>
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-mode-"))),
    (root) =>
      use(hostOf(root), () => existsSync(join(root, "work", "new.txt"))).pipe(
        Effect.provide(SessionStoreSql.layer({ directory: join(root, "data") }))
      ),
    (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
  )

const writing = [Reply.toolCall("write_file", { path: "new.txt", content: "x" }), Reply.text("done")]

interface Turn {
  readonly session: Session.SessionId | null
  readonly mode?: SessionMode.SessionMode
  readonly restoresMode?: boolean
  readonly replies: ReadonlyArray<Reply.Reply>
}

/** One turn of a session in a process of its own, as far as the host knows. */
const turn = (host: AgentHost.AgentHost, { replies, session, ...modes }: Turn) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { model, script } = yield* ScriptedModel.make(replies)
      const settings = yield* AgentHost.settings(host)
      const which = { session, continue: false }
      const opened = yield* OpenSession.open(host, settings, { which, kind: "Main", model, channel, ...modes })
      yield* opened.run({ text: "go on", media: [] })
      yield* script.assertDone
      return opened.sessionId
    })
  )

/** Chooses modes one after the other in a process that sends no message. */
const choosing = (host: AgentHost.AgentHost, session: Session.SessionId, modes: ReadonlyArray<SessionMode.Mode>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { model } = yield* ScriptedModel.make([])
      const mode = SessionMode.make()
      const which = { session, continue: false }
      const settings = yield* AgentHost.settings(host)
      yield* OpenSession.open(host, settings, { which, kind: "Main", model, channel, mode })
      for (const chosen of modes) mode.set(chosen)
    })
  )

describe("RecordedMode", () => {
  it.effect("keeps plan mode for an app without modes", () =>
    withHost((host, written) =>
      Effect.gen(function* () {
        const session = yield* turn(host, { session: null, mode: SessionMode.make("plan"), replies: writing })
        yield* turn(host, { session, replies: writing })
        assert.isFalse(written())
        assert.strictEqual(yield* RecordedMode.read(session), "plan")
      })
    )
  )

  it.effect("keeps plan mode in a session that is served", () =>
    withHost((host, written) =>
      Effect.gen(function* () {
        const session = yield* turn(host, { session: null, mode: SessionMode.make("plan"), replies: writing })
        const { model, script } = yield* ScriptedModel.make(writing)
        const served = yield* Host.make({
          channel: { name: "web" },
          serve: yield* AgentHost.serve(() => ({ host, model }))
        }).pipe(Effect.provideService(Model.Model, model))
        yield* served.run(session, { text: "go on", media: [] })
        yield* script.assertDone
        assert.isFalse(written())
        assert.strictEqual(yield* RecordedMode.read(session), "plan")
      }).pipe(Effect.scoped)
    )
  )

  it.effect("replaces the mode of a conversation that opens the session, and not a newer choice", () =>
    withHost((host, written) =>
      Effect.gen(function* () {
        const mode = SessionMode.make("plan")
        const session = yield* turn(host, { session: null, mode, replies: writing })
        const other = SessionMode.make()
        yield* turn(host, { session, mode: other, replies: writing })
        assert.deepStrictEqual([other.now(), written()], ["plan", false])
        other.set("auto")
        yield* turn(host, { session, mode: other, restoresMode: false, replies: writing })
        assert.deepStrictEqual([other.now(), written()], ["auto", true])
        assert.strictEqual(yield* RecordedMode.read(session), "auto")
      })
    )
  )

  it.effect("keeps a mode that was chosen without a message after it, except all", () =>
    withHost((host, written) =>
      Effect.gen(function* () {
        const session = yield* turn(host, { session: null, replies: [Reply.text("hello")] })
        yield* choosing(host, session, ["ask", "plan"])
        assert.strictEqual(yield* RecordedMode.read(session), "plan")
        yield* turn(host, { session, replies: writing })
        assert.isFalse(written())
        const store = yield* SessionStore.SessionStore
        assert.lengthOf(yield* store.inbox(session), 0)
        assert.strictEqual(yield* RecordedMode.read(session), "plan")
        yield* choosing(host, session, ["all"])
        assert.strictEqual(yield* RecordedMode.read(session), "auto")
      })
    )
  )

  it.effect("changes the mode of a served session, at once and in later processes", () =>
    withHost((host, written) =>
      Effect.gen(function* () {
        const session = yield* turn(host, { session: null, mode: SessionMode.make("plan"), replies: writing })
        const serving = (
          replies: ReadonlyArray<Reply.Reply>,
          use: (served: Host.Host["Service"]) => Effect.Effect<unknown, unknown>
        ) =>
          Effect.scoped(
            Effect.gen(function* () {
              const { model, script } = yield* ScriptedModel.make(replies)
              const serve = yield* AgentHost.serve(() => ({ host, model }))
              yield* use(
                yield* Host.make({ channel: { name: "web" }, serve }).pipe(Effect.provideService(Model.Model, model))
              )
              yield* script.assertDone
            })
          )
        yield* serving([...writing, ...writing], (served) =>
          Effect.gen(function* () {
            yield* served.run(session, { text: "write it", media: [] })
            assert.isFalse(written())
            yield* served.changeMode(session, "auto")
            yield* served.run(session, { text: "write it", media: [] })
            assert.isTrue(written())
            yield* served.changeMode(session, "ask")
          })
        )
        yield* serving([], () => Effect.void)
        assert.strictEqual(yield* RecordedMode.read(session), "ask")
      })
    )
  )

  it.effect("finds the mode before a turn of many entries", () =>
    withHost((host) =>
      Effect.gen(function* () {
        const calls = Reply.toolCalls(
          Array.from({ length: 40 }, () => ({ name: "list_files", arguments: { path: "." } }))
        )
        const mode = SessionMode.make("ask")
        const session = yield* turn(host, { session: null, mode, replies: [calls, calls, Reply.text("listed")] })
        const store = yield* SessionStore.SessionStore
        assert.isAbove((yield* store.session(session)).entries, 64)
        assert.strictEqual(yield* RecordedMode.read(session), "ask")
      })
    )
  )

  it.effect("has none for a session without a turn", () =>
    withHost((host) =>
      Effect.gen(function* () {
        const { model } = yield* ScriptedModel.make([])
        const served = yield* Host.make({
          channel: { name: "web" },
          serve: yield* AgentHost.serve(() => ({ host, model }))
        }).pipe(Effect.provideService(Model.Model, model))
        const workspaceRoot = host.environment.currentDirectory
        const { sessionId } = yield* served.create({ name: "bough", user: "ada", workspaceRoot })
        assert.isNull(yield* RecordedMode.read(sessionId))
      }).pipe(Effect.scoped)
    )
  )
})

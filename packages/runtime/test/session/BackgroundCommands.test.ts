/** Background commands of a session over a real sandbox: their ends in the journal, the prompt and a fork. */
import { Capability, ToolContext, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { requires } from "../../../../test/requirements.ts"
import { RunCommand, StartCommand } from "../../../pack-shell/src/index.ts"
import { BackgroundCommands, Sandbox } from "../../../sandbox/src/index.ts"
import { Fork, type Session, SessionStore } from "../../src/index.ts"
import * as Reply from "../../src/testing/Reply.ts"
import * as SampleAgent from "../../src/testing/SampleAgent.ts"
import * as ScriptedModel from "../../src/testing/ScriptedModel.ts"
import * as World from "./world.ts"

const bubblewrap = requires("linux", "bubblewrap")

const begin = Effect.fnUntraced(function* (steps: ReadonlyArray<Reply.Reply>, sessionId: string | null = null) {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "bough-test-")))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const commands = yield* BackgroundCommands.make
  const sandbox = yield* Sandbox.make({}, { PATH: "/usr/bin:/bin" })
  const provided = sandbox.provided({ root, writable: true, background: commands })
  const pack = ToolPack.make(StartCommand, RunCommand)
  const agent = World.agentOf(World.makeWorld(), {
    tools: SampleAgent.toolsOf({ kind: "Main", pack }),
    context: ToolContext.provide(ToolContext.empty("Main"), Capability.Execution, provided),
    workspace: { commands },
    config: { execution: "bubblewrap" }
  })
  const scripted = yield* ScriptedModel.make(steps)
  const session = yield* World.openSession({ agent, scripted, channel: World.channelOf([], null), sessionId })
  return { root, commands, scripted, session }
})

const run = <A, E>(body: Effect.Effect<A, E, World.Needs>) => Effect.scoped(body).pipe(Effect.provide(World.stores))

const endsOf = Effect.fnUntraced(function* (sessionId: Session.Session["sessionId"]) {
  const store = yield* SessionStore.SessionStore
  return (yield* store.entries(sessionId, 0, 1000)).flatMap(({ body }) => (body._tag === "CommandEnded" ? [body] : []))
})

const start = (command: string): Reply.Call => ({ name: "start_command", arguments: { command, waitMillis: 0 } })
const runs = (command: string): Reply.Call => ({ name: "run_command", arguments: { command } })

describe.skipIf(bubblewrap.skip)(`Background commands of a session${bubblewrap.suffix}`, () => {
  it.live("an end between the calls of a step comes after their results", () =>
    run(
      Effect.gen(function* () {
        const { scripted, session } = yield* begin([
          Reply.toolCalls([
            start("until [ -e go ]; do sleep 0.01; done; touch over; exit 4"),
            runs("touch go; until [ -e over ]; do sleep 0.01; done; sleep 0.2")
          ]),
          Reply.text("seen")
        ])
        yield* session.run(World.say("go"))
        assert.deepStrictEqual(
          (yield* endsOf(session.sessionId)).map(({ commandId, exitCode, reason }) => [commandId, exitCode, reason]),
          [["cmd-1", 4, "exit 4"]]
        )
        const { messages } = (yield* scripted.script.prompts)[1] ?? assert.fail("one prompt")
        assert.deepStrictEqual(
          messages.map(({ _tag }) => _tag),
          ["User", "Assistant", "ToolResult", "ToolResult", "User"]
        )
        const last = messages.at(-1)
        assert.strictEqual(last?._tag === "User" ? last.text : "", "[command cmd-1 ended: exit 4]")
      })
    )
  )

  it.live("an end between two turns is recorded as it comes", () =>
    run(
      Effect.gen(function* () {
        const { root, session } = yield* begin([
          Reply.toolCalls([start("until [ -e go ]; do sleep 0.01; done")]),
          Reply.text("one")
        ])
        yield* session.run(World.say("go"))
        writeFileSync(join(root, "go"), "")
        assert.isFalse(session.canUnload(), "a running command ends with the session")
        const [running] = yield* session.commands.list
        while ((yield* session.commands.list)[0]?.ended === null) yield* Effect.sleep(10)
        assert.isNull(running?.ended)
        while ((yield* endsOf(session.sessionId)).length === 0) yield* Effect.sleep(10)
        assert.strictEqual((yield* endsOf(session.sessionId))[0]?.reason, "exit 0")
      })
    )
  )

  it.live("none of them runs in a fork, or reuses an id", () =>
    run(
      Effect.gen(function* () {
        const first = yield* begin([Reply.toolCalls([start("sleep 60")]), Reply.text("it runs")])
        yield* first.session.run(World.say("serve"))
        const forkId = yield* Fork.fork(first.session.sessionId, null)
        assert.deepStrictEqual(yield* endsOf(forkId), [
          {
            _tag: "CommandEnded",
            commandId: "cmd-1",
            exitCode: null,
            reason: "does not run in this fork",
            command: "sleep 60"
          }
        ])
        const fork = yield* begin([Reply.toolCalls([start("sleep 60")]), Reply.text("another")], forkId)
        yield* fork.session.run(World.say("more"))
        assert.deepStrictEqual(
          (yield* fork.session.commands.list).map(({ commandId }) => commandId),
          ["cmd-2"]
        )
        assert.lengthOf(yield* endsOf(forkId), 1)
        assert.deepStrictEqual(yield* endsOf(first.session.sessionId), [])
      })
    )
  )
})

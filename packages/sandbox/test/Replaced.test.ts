/**
 * A user's editor and git save a file by replacing it, which removes the mount over it from every sandbox. A command
 * that runs meanwhile gains nothing by it.
 */
import { Session } from "@bough/protocol"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { someOf, thorough } from "../../../test/thorough.ts"
import { BackgroundCommands, Sandbox } from "../src/index.ts"
import { bubblewrap, environment, eventually, place } from "./Places.ts"

const replace = (path: string, text: string) => {
  writeFileSync(`${path}~`, text)
  renameSync(`${path}~`, path)
}

const session = Effect.fnUntraced(function* (backend: "bubblewrap" | "session" = "bubblewrap") {
  const { workspace } = yield* place()
  spawnSync("git", ["init", "-q", workspace])
  mkdirSync(join(workspace, ".vscode"))
  writeFileSync(join(workspace, ".env"), "A=hidden-one\n")
  writeFileSync(join(workspace, "AGENTS.md"), "rules\n")
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const sandbox = yield* Sandbox.make({ backend }, environment)
  const background = yield* Effect.provideService(BackgroundCommands.make, Scope.Scope, scope)
  const provided = sandbox.provided({ root: workspace, writable: true, background })
  const made = provided.make(SampleInvocation.make({ sessionId: Session.SessionId.make("a") }), () => {})
  return { workspace, run: made.run, ...(made.background ?? assert.fail("no command goes on")) }
})

/** Writes files that a user's programs obey, and prints the secrets, as soon as it can. */
const greedy = `echo begun; while :; do
  (printf '[core]\\n\\tfsmonitor = ./evil\\n' >> .git/config) 2>/dev/null
  (echo obey >> AGENTS.md) 2>/dev/null
  (echo obey > .vscode/tasks.json) 2>/dev/null
  grep -h hidden .env 2>/dev/null
  sleep 0.2
done`

const replacements: ReadonlyArray<readonly [name: string, replace: (workspace: string) => void]> = [
  [".git/config", (workspace) => spawnSync("git", ["-C", workspace, "config", "user.name", "ada"])],
  [".env", (workspace) => replace(join(workspace, ".env"), "A=hidden-two\n")],
  ["AGENTS.md", (workspace) => replace(join(workspace, "AGENTS.md"), "other rules\n")],
  [
    ".vscode",
    (workspace) => {
      renameSync(join(workspace, ".vscode"), join(workspace, "old"))
      mkdirSync(join(workspace, ".vscode"))
    }
  ]
]

describe.skipIf(bubblewrap.skip)(`A protected entry that a user replaces${bubblewrap.suffix}`, () => {
  it.live.each(someOf(replacements, 2))(
    "ends a command that continues, and stays protected: %s",
    ([name, change]) =>
      Effect.gen(function* () {
        const { read, start, workspace } = yield* session()
        const { commandId } = yield* start(greedy, {})
        yield* read(commandId, { fromOffset: 0, waitMillis: 20_000 })
        // Longer than the interval between two checks.
        yield* Effect.sleep(400)
        change(workspace)
        let seen = yield* read(commandId, { fromOffset: 0, waitMillis: 0 })
        for (let tries = 0; seen.ended === null && tries < 2400; tries++) {
          yield* Effect.sleep(50)
          seen = yield* read(commandId, { fromOffset: 0, waitMillis: 0 })
        }
        assert.include(seen.ended?.reason, `${join(workspace, name)} was replaced while the command ran`)
        assert.notInclude(spawnSync("git", ["-C", workspace, "config", "-l"], { encoding: "utf8" }).stdout, "evil")
      }),
    thorough
  )

  it.live("soon after its start is noticed too, also in a session's shell", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* session("session")
      yield* run("true")
      const running = yield* Effect.forkChild(Effect.flip(run("touch begun; sleep 60")))
      assert.isTrue(yield* eventually(() => spawnSync("test", ["-e", join(workspace, "begun")]).status === 0))
      replace(join(workspace, "AGENTS.md"), "other rules\n")
      const error = yield* Fiber.join(running)
      assert.match(error.message, /AGENTS\.md was replaced while the command ran/u)
      assert.strictEqual((yield* run("echo again; echo x >> AGENTS.md")).stdout, "again\n")
      assert.strictEqual(readFileSync(join(workspace, "AGENTS.md"), "utf8"), "other rules\n")
    })
  )

  it.live.each(someOf(["bubblewrap", "session"] as const, 1))(
    "moves with a directory that the command moves, and ends nothing: %s",
    (backend) =>
      Effect.gen(function* () {
        const { run, workspace } = yield* session(backend)
        mkdirSync(join(workspace, "deep"))
        writeFileSync(join(workspace, "deep/.env"), "A=hidden-one\n")
        const ran = yield* run("mv deep moved; mkdir deep; echo A=own > deep/.env; sleep 1.5; cat moved/.env deep/.env")
        assert.deepStrictEqual([ran.exitCode, ran.stdout], [0, "A=own\n"])
      }),
    thorough
  )

  it.live("elsewhere ends nothing", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* session()
      writeFileSync(join(workspace, "notes.md"), "one")
      const running = yield* Effect.forkChild(run("touch begun; until [ -e over ]; do sleep 0.05; done; cat notes.md"))
      assert.isTrue(yield* eventually(() => spawnSync("test", ["-e", join(workspace, "begun")]).status === 0))
      yield* Effect.sleep(400)
      replace(join(workspace, "notes.md"), "two")
      writeFileSync(join(workspace, "AGENTS.md"), "in place\n")
      spawnSync("git", ["-C", workspace, "add", "notes.md"])
      writeFileSync(join(workspace, "over"), "")
      assert.strictEqual((yield* Fiber.join(running)).stdout, "two")
    })
  )
})

/**
 * The tools for background commands, over a real sandbox: a server that another call requests, and an interactive
 * program.
 */
import { Capability, type Execution, Invocation, Progress } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { BackgroundCommands, Sandbox } from "../../sandbox/src/index.ts"
import * as CommandState from "../src/CommandState.ts"
import { ReadCommandOutput, StartCommand, StopCommand, WriteCommandInput } from "../src/index.ts"

const bubblewrap = requires("linux", "bubblewrap")
const invocation = SampleInvocation.make({ workspaceRoot: "/ws", config: { execution: "bubblewrap" } })

const provided =
  (execution: Execution.Execution["Service"]) =>
  <A, E>(effect: Effect.Effect<A, E, Execution.Execution | Invocation.Invocation | Progress.Progress>) =>
    effect.pipe(
      Effect.provideService(Capability.Execution, execution),
      Effect.provideService(Invocation.Invocation, invocation),
      Effect.provideService(Progress.Progress, { report: () => Effect.void })
    )

const decoded = <S extends Schema.ConstraintDecoder<unknown>>(parameters: S, input: unknown): S["Type"] =>
  Schema.decodeUnknownSync(parameters)(input)

const shell = Effect.gen(function* () {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "bough-test-")))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const sandbox = yield* Sandbox.make({}, { PATH: "/usr/bin:/bin" })
  const background = yield* BackgroundCommands.make
  return provided(sandbox.provided({ root, writable: true, background }).make(invocation, () => {}))
})

describe.skipIf(bubblewrap.skip)(`Tools of commands that continue${bubblewrap.suffix}`, () => {
  it.live("start one, write to it, read on and stop it", () =>
    Effect.gen(function* () {
      const within = yield* shell
      const start = decoded(StartCommand.parameters, {
        command: 'printf "name? "; read -r name; echo "hello $name"; sleep 60',
        waitMillis: 20_000
      })
      const { display, output: started } = yield* within(Effect.scoped(StartCommand.execute(start)))
      assert.match(display, /^\$ printf "name\? "; read -r name; .* · runs as cmd-1$/)
      assert.strictEqual(CommandState.format(started), "name? \n[cmd-1 running; continue with fromOffset 6]")
      const write = decoded(WriteCommandInput.parameters, { commandId: "cmd-1", text: "ada\n", waitMillis: 20_000 })
      const written = (yield* within(Effect.scoped(WriteCommandInput.execute(write)))).output
      assert.strictEqual(written.text, "hello ada\n")
      const read = decoded(ReadCommandOutput.parameters, { commandId: "cmd-1", fromOffset: 12 })
      assert.strictEqual((yield* within(Effect.scoped(ReadCommandOutput.execute(read)))).output.text, "ada\n")
      const stopped = (yield* within(Effect.scoped(StopCommand.execute({ commandId: "cmd-1" })))).output
      assert.strictEqual(CommandState.format(stopped), "name? hello ada\n[cmd-1 ended: stopped]")
    })
  )
})

describe("Tools of commands that continue", () => {
  it.effect("report that there are none if commands end with their call", () =>
    Effect.gen(function* () {
      const within = provided({ run: () => Effect.die("ran") })
      const error = yield* Effect.flip(within(Effect.scoped(StopCommand.execute({ commandId: "cmd-1" }))))
      assert.include(error.message, "need the sandbox")
    })
  )

  it.each([
    [{ running: true }, "[cmd-1 running; continue with fromOffset 3]"],
    [{ running: false, exitCode: 3 }, "[cmd-1 exit 3]"],
    [{ running: false, signal: "SIGKILL" }, "[cmd-1 ended by SIGKILL]"],
    [{ running: false, reason: "stopped" }, "[cmd-1 ended: stopped]"]
  ])("tell the model its state: %j", (state, expected) => {
    const output = { commandId: "cmd-1", text: "", fromOffset: 0, nextOffset: 3, ...state }
    assert.strictEqual(CommandState.format(output), expected)
  })
})

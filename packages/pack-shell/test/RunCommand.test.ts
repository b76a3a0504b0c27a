/** `run_command` as a library: its handlers under a context with its declared services and nothing else. */
import { ToolError } from "@bough/protocol"
import { Capability, Execution, Invocation, Progress, ToolSchema } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { requires } from "../../../test/requirements.ts"
import { Sandbox, type Settings } from "../../sandbox/src/index.ts"
import { RunCommand, ShellPack } from "../src/index.ts"

const invocation = SampleInvocation.make({ workspaceRoot: "/ws", config: { execution: "bubblewrap" } })

const decode = Schema.decodeUnknownResult(RunCommand.parameters, { onExcessProperty: "error" })
const parametersOf = (input: unknown): typeof RunCommand.parameters.Type => {
  const decoded = decode(input)
  return decoded._tag === "Success" ? decoded.success : assert.fail(decoded.failure.message)
}

/** A workspace with an Execution over it, and `run_command` under those. */
const shell = Effect.fnUntraced(function* (settings: Partial<Settings.Settings> = {}) {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "bough-test-")))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const sandbox = yield* Sandbox.make(settings, { PATH: "/usr/bin:/bin", API_KEY: "canary-12" })
  const progress: Array<string> = []
  const run = (input: unknown) =>
    RunCommand.execute(parametersOf(input)).pipe(
      Effect.scoped,
      Effect.provideService(
        Capability.Execution,
        sandbox.provided({ root, writable: true }).make(invocation, () => {})
      ),
      Effect.provideService(Invocation.Invocation, invocation),
      Effect.provideService(Progress.Progress, { report: (line) => Effect.sync(() => void progress.push(line)) })
    )
  return { root, run, progress }
})

/** An Execution that must not be called. */
const unreached: Execution.Execution["Service"] = { run: () => Effect.die("ran") }

describe("run_command", () => {
  it("is the first tool of the pack, System, never run twice, and small in the prompt", () => {
    assert.deepStrictEqual(Object.keys(ShellPack.all.tools), [
      "run_command",
      "start_command",
      "read_command_output",
      "write_command_input",
      "stop_command"
    ])
    assert.deepStrictEqual([RunCommand.tier, RunCommand.replay], ["System", "Unsafe"])
    assert.isBelow(JSON.stringify(ToolSchema.parameters(RunCommand)).length + RunCommand.description.length, 870)
  })

  it("accepts exactly one of command and argv, and no environment", () => {
    const refused = {
      "exactly one of command and argv": [{}, { command: "a", argv: ["b"] }, { cwd: "x" }],
      "U+0000": [{ command: "a\0" }, { argv: ["a\0"] }, { command: "a", cwd: "b\0" }],
      "U+202E": [{ command: "ls \u202e;moc.live lruc" }],
      "U+000D": [{ command: "ls\rcurl http://127.0.0.1:9" }],
      env: [{ command: "a", env: { LD_PRELOAD: "/ws/x.so" } }],
      timeoutMillis: [
        { command: "a", timeoutMillis: 0 },
        { command: "a", timeoutMillis: 3_600_001 }
      ],
      command: [{ command: "" }],
      argv: [{ argv: [] }]
    }
    for (const [word, inputs] of Object.entries(refused)) {
      for (const input of inputs) {
        const decoded = decode(input)
        assert.include(decoded._tag === "Failure" ? decoded.failure.message : "taken", word, JSON.stringify(input))
      }
    }
    assert.deepStrictEqual(parametersOf({ command: "a\n\tb" }), { command: "a\n\tb", cwd: ".", timeoutMillis: 120_000 })
  })

  it.effect("refuses the same when a program calls it without decoding", () =>
    Effect.gen(function* () {
      const base = { cwd: ".", timeoutMillis: 1000 }
      for (const [parameters, field, word] of [
        [{ ...base, command: "a\u202eb" }, "command", "BadInput: U+202E"],
        [{ ...base, argv: ["a", "b\0"] as const }, "argv", "BadInput: U+0000"],
        [{ ...base, argv: ["a\ud83d", "\ude00"] as const }, "argv", "BadInput: U+D83D"],
        [{ ...base, command: "a", cwd: "\u001b" }, "cwd", "BadInput: U+001B"],
        [{ ...base }, undefined, "exactly one"],
        [{ ...base, command: "a", argv: ["b"] as const }, undefined, "exactly one"]
      ] as const) {
        const error = yield* RunCommand.execute(parameters).pipe(
          Effect.scoped,
          Effect.provideService(Capability.Execution, unreached),
          Effect.provideService(Invocation.Invocation, invocation),
          Effect.provideService(Progress.Progress, { report: () => Effect.void }),
          Effect.flip
        )
        assert.instanceOf(error, ToolError.ValidationError)
        assert.include(error.message, word)
        assert.strictEqual(error.field, field)
      }
    })
  )

  it.effect("shows a user the full command, its folder and its sandbox", () =>
    Effect.gen(function* () {
      const long = `echo ${"x".repeat(5000)}; rm -rf /`
      const shown = yield* preview({ command: `a\u200b\n${long}`, cwd: "sub" })
      assert.strictEqual(shown, `Run in the sandbox (bubblewrap) with a shell in /ws, sub:\n  a\\u{200b}\n  ${long}`)
      assert.strictEqual(
        yield* preview({ argv: ["git", "log one"] }),
        "Run in the sandbox (bubblewrap) with no shell in /ws:\n  git 'log one'"
      )
    })
  )

  it("gets more time from the dispatcher than it gives its command", () => {
    assert.strictEqual(RunCommand.timeoutMillis(parametersOf({ command: "a", timeoutMillis: 1000 })), 6000)
  })
})

const preview = (input: unknown): Effect.Effect<string, ToolError.ToolError> =>
  RunCommand.preview === null
    ? Effect.die("no preview")
    : RunCommand.preview(parametersOf(input)).pipe(
        Effect.scoped,
        Effect.provideService(Capability.Execution, unreached),
        Effect.provideService(Invocation.Invocation, invocation),
        Effect.provideService(Progress.Progress, { report: () => Effect.void }),
        Effect.map(({ render }) => render)
      )

const bubblewrap = requires("linux", "bubblewrap")

for (const [backend, requirement] of [
  ["bubblewrap", bubblewrap],
  ["host", { skip: false, suffix: "" }]
] as const) {
  describe.skipIf(requirement.skip)(`run_command, ${backend}${requirement.suffix}`, () => {
    it.live("an exit code that is not zero is an ordinary result", () =>
      Effect.gen(function* () {
        const { run } = yield* shell({ backend })
        const result = yield* run({ command: "echo out; echo err >&2; exit 3" })
        assert.deepStrictEqual(result.output, { exitCode: 3, stdout: "out\nerr\n", stderr: "" })
        assert.match(result.display, /^\$ echo out; echo err >&2; exit 3 · exit 3 · \d+\.\d s$/)
        assert.deepStrictEqual(result.artifacts, [
          { _tag: "CommandExecuted", command: "echo out; echo err >&2; exit 3", exitCode: 3 }
        ])
      })
    )

    it.live("an argument vector runs without a shell, a signal is named, truncated bytes are counted", () =>
      Effect.gen(function* () {
        const { run } = yield* shell({ backend, maxOutputBytes: 100 })
        assert.strictEqual((yield* run({ argv: ["echo", "$HOME; exit 4"] })).output.stdout, "$HOME; exit 4\n")
        const killed = yield* run({ command: "kill -9 $$" })
        assert.deepStrictEqual(killed.output, { exitCode: null, signal: "SIGKILL", stdout: "", stderr: "" })
        assert.match(killed.display, /^\$ kill -9 \$\$ · ended by SIGKILL · /)
        assert.strictEqual((yield* run({ command: "head -c 250 /dev/zero" })).output.omittedBytes, 150)
      })
    )

    it.live("its output is streamed, and its directory is the requested one", () =>
      Effect.gen(function* () {
        const { progress, root, run } = yield* shell({ backend })
        mkdirSync(join(root, "sub"))
        const result = yield* run({ command: "pwd; touch made", cwd: "sub" })
        assert.strictEqual(result.output.stdout, `${root}/sub\n`)
        assert.deepStrictEqual(progress, [`${root}/sub`])
        assert.isTrue(existsSync(join(root, "sub/made")))
      })
    )

    it.live("it times out at the declared time", () =>
      Effect.gen(function* () {
        const { run } = yield* shell({ backend })
        const error = yield* Effect.flip(run({ command: "sleep 100", timeoutMillis: 200 }))
        assert.strictEqual(error._tag, "Timeout")
      })
    )

    it.live("no secret of the operator is in its environment", () =>
      Effect.gen(function* () {
        const { run } = yield* shell({ backend })
        assert.notInclude((yield* run({ command: "env; cat /proc/self/environ" })).output.stdout, "canary-12")
      })
    )
  })
}

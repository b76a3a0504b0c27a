/** A session's shell over the real bubblewrap: the state that lasts from one command to the next, and its limits. */
import { Session } from "@bough/protocol"
import type { Grant } from "@bough/tool"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { BackgroundCommands, Sandbox } from "../src/index.ts"
import { bubblewrap, environment, eventually, place, processesWith, sleeper } from "./Places.ts"
import * as ReachedLimit from "./ReachedLimit.ts"

const made = Effect.runSync(Effect.cached(Sandbox.make({ backend: "session" }, environment)))

const session = Effect.gen(function* () {
  const { directory, workspace } = yield* place()
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const sandbox = yield* made
  const background = yield* Effect.provideService(BackgroundCommands.make, Scope.Scope, scope)
  const variables: Record<string, string> = {}
  const provided = sandbox.provided({ root: workspace, writable: true, background, variablesOf: () => variables })
  const executionOf = (name: string, grants: ReadonlyArray<Grant.Grant> = []) =>
    provided.make(
      SampleInvocation.make({
        sessionId: Session.SessionId.make(name),
        sessionPath: [Session.SessionId.make(name)],
        grants
      }),
      () => {}
    )
  const { run } = executionOf("a")
  const output = (command: string) => Effect.map(run(command, { merged: true }), ({ stdout }) => stdout)
  return { directory, workspace, scope, background, variables, executionOf, run, output, sandbox }
})

const tree = Session.SessionId.make("a")
const isFresh = (stderr: string): boolean => stderr.includes("fresh shell")

describe.skipIf(bubblewrap.skip)(`The shell of a session${bubblewrap.suffix}`, () => {
  it.live("keeps folder, variables and functions from one command to the next, and each session has its own", () =>
    Effect.gen(function* () {
      const { executionOf, output, workspace } = yield* session
      mkdirSync(join(workspace, "packages/app"), { recursive: true })
      yield* output(
        'cd packages/app; export NAME=value; plain=1; greet() { echo "hello $1"; }; declare -A map; map[a]=b'
      )
      assert.strictEqual(
        yield* output("pwd; echo $NAME $plain; greet you; echo ${map[a]}; sh -c 'echo $NAME'"),
        `${join(workspace, "packages/app")}\nvalue 1\nhello you\nb\nvalue\n`
      )
      const other = yield* executionOf("b").run("pwd; echo [$NAME]; greet")
      assert.strictEqual(other.stdout, `${workspace}\n[]\n`)
      assert.strictEqual(other.exitCode, 127)
      assert.strictEqual((yield* executionOf("a").run("pwd", { cwd: "packages" })).stdout, `${workspace}/packages\n`)
    })
  )

  it.live("gives each command its exit code, its output in order, and no input", () =>
    Effect.gen(function* () {
      const { output, run } = yield* session
      assert.strictEqual((yield* run("(exit 42)")).exitCode, 42)
      assert.strictEqual((yield* run("false")).exitCode, 1)
      assert.strictEqual((yield* run("sh -c 'kill -9 $$'")).signal, "SIGKILL")
      assert.strictEqual((yield* run("if then")).exitCode, 2)
      assert.strictEqual(yield* output("echo 1; echo 2 >&2; echo 3; cat; echo 4"), "1\n2\n3\n4\n")
      const apart = yield* run("echo out; echo err >&2")
      assert.deepStrictEqual([apart.stdout, apart.stderr], ["out\n", "err\n"])
      const vector = yield* run({ argv: ["printf", "%s|", "a b", "$x", "'"] })
      assert.strictEqual(vector.stdout, "a b|$x|'|")
      assert.include(yield* output("break; continue 2; return 3; echo here"), "here\n")
    })
  )

  it.live("treats no output as the end of a command, whatever it says", () =>
    Effect.gen(function* () {
      const { output, run } = yield* session
      const ran = yield* run('echo "$__bough_status 0"; for i in 1 2 3; do echo "x $i"; done; echo x 0 >&4; (exit 9)', {
        merged: true
      })
      assert.strictEqual(ran.exitCode, 9)
      assert.include(ran.stdout, "x 3\n")
      // Written to the descriptor that the shell reserves for itself: at most a false report of the command's own end.
      yield* run("for fd in /proc/$$/fd/*; do echo 'x 0' >&${fd##*/}; done 2>/dev/null; true")
      assert.strictEqual(yield* output("echo next"), "next\n")
    })
  )

  it.live(
    "carries binary and huge output like any command",
    () =>
      Effect.gen(function* () {
        const { output, run } = yield* session
        const binary = yield* run("printf '\\000\\377\\001a'; head -c 100 /dev/zero")
        assert.strictEqual(binary.stdout, `\0\uFFFD\u0001a${"\0".repeat(100)}`)
        const huge = yield* run("head -c 30000000 /dev/zero | tr '\\0' x; echo end")
        assert.isAbove(huge.omittedBytes, 28_000_000)
        assert.isTrue(huge.stdout.endsWith("xend\n"))
        assert.strictEqual(yield* output("echo next"), "next\n")
      }),
    thoroughOnly
  )

  it.live("is not ended by failures, options, traps, closed descriptors or redirections of a command", () =>
    Effect.gen(function* () {
      const { output, run } = yield* session
      yield* run("marked=yes")
      for (const command of [
        "set -e; true",
        "false",
        "set -u; true",
        "exec </dev/null",
        "exec <&-",
        "exec >/dev/null 2>&1",
        "exec 7>&1",
        "exec 7>&-",
        "trap 'echo trapped' ERR DEBUG; true",
        "trap - ERR DEBUG",
        "set -o posix; true",
        ". /nonexistent",
        "IFS=,; set -f; shopt -s nullglob extglob",
        "unset HOME PATH; PATH=/usr/bin:/bin"
      ]) {
        const { stderr } = yield* run(command, { merged: true })
        assert.isFalse(isFresh(stderr), `${command}: ${stderr}`)
      }
      assert.strictEqual(yield* output("echo $marked"), "yes\n")
    })
  )

  it.live("is a fresh one after a command that ends it, which is reported with its exit code and folder", () =>
    Effect.gen(function* () {
      const { output, run, workspace } = yield* session
      mkdirSync(join(workspace, "sub"))
      for (const [command, exitCode, signal] of [
        ["exit 7", 7, null],
        ["set -e; false; echo not", 1, null],
        ["exec sh -c 'echo replaced; exit 3'", 3, null],
        ["kill -9 $$", null, "SIGKILL"]
      ] as const) {
        yield* run("cd sub 2>/dev/null; kept=no")
        const ran = yield* run(command)
        assert.deepStrictEqual([command, ran.exitCode, ran.signal], [command, exitCode, signal])
        assert.isTrue(isFresh(ran.stderr), ran.stderr)
        const next = yield* run("echo [$kept]; pwd")
        assert.deepStrictEqual([next.stdout, next.stderr], [`[]\n${workspace}/sub\n`, ""])
      }
      assert.strictEqual(yield* output("exec sh -c 'echo last'"), "last\n")
    })
  )

  it.live("is stopped between commands: processes that one left running are dead before its result is returned", () =>
    Effect.gen(function* () {
      const { output, run, workspace } = yield* session
      const [job, orphan] = [sleeper(), sleeper()]
      const ran = yield* run(
        `kept=1; sleep ${job} & (setsid sh -c 'sleep ${orphan}; :' &) ; (while :; do echo x >> grows; sleep 0.01; done) & until [ -s grows ]; do :; done`
      )
      assert.strictEqual(ran.exitCode, 0)
      assert.deepStrictEqual([processesWith(job), processesWith(orphan)], [0, 0])
      const size = readFileSync(join(workspace, "grows")).length
      assert.strictEqual(yield* output("echo $kept; jobs"), "1\n")
      assert.strictEqual(readFileSync(join(workspace, "grows")).length, size)
    })
  )

  it.live.skipIf(!existsSync("/usr/bin/python3"))(
    "a program that replaces the shell does nothing between two commands either",
    () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* session
        // The script learns the token from a function in place of `builtin`, reports an end as the shell would, and continues.
        const script = `import os, sys, threading, time
def work():
    while True:
        open("count", "a").write("x")
        if os.fork() == 0: os._exit(0)
for _ in range(4): threading.Thread(target=work, daemon=True).start()
while not os.path.exists("count"): pass
os.write(1, (sys.argv[1] + " 0\\n").encode())
while True: time.sleep(1000)
`
        writeFileSync(join(workspace, "evil.py"), script)
        const ran = yield* run(
          'builtin() { if [ "$1" = printf ]; then exec /usr/bin/python3 evil.py "$3"; fi; command builtin "$@"; }',
          { timeoutMillis: 240_000 }
        )
        assert.strictEqual(ran.exitCode, 0, ran.stderr)
        const size = () => readFileSync(join(workspace, "count")).length
        const before = size()
        yield* Effect.sleep(50)
        assert.strictEqual(size(), before)
        assert.strictEqual((yield* Effect.flip(run("echo next", { timeoutMillis: 300 })))._tag, "Timeout")
        assert.strictEqual((yield* run("echo next")).stdout, "next\n")
      })
  )

  it.live("a command that times out or is interrupted ends with the shell, and the next one is told", () =>
    Effect.gen(function* () {
      const { output, run } = yield* session
      const seconds = sleeper()
      yield* run("kept=1")
      let seen = ""
      const command = run(`echo begun; sleep ${seconds}; echo >> after`, {
        timeoutMillis: ReachedLimit.timeoutMillis,
        onOutput: (_stream, text) => Effect.sync(() => void (seen += text))
      })
      const error = yield* Effect.flip(ReachedLimit.when(() => seen.includes("begun"), command))
      assert.strictEqual(error._tag, "Timeout")
      assert.include("hint" in error ? error.hint : "", "begun")
      assert.strictEqual(processesWith(seconds), 0)
      const next = yield* run("echo [$kept]; ls")
      assert.strictEqual(next.stdout, "[]\n")
      assert.isTrue(isFresh(next.stderr))
      const fiber = yield* Effect.forkChild(run(`sleep ${seconds}`), { startImmediately: true })
      assert.isTrue(yield* eventually(() => processesWith(seconds) > 0))
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(processesWith(seconds), 0)
      assert.strictEqual(yield* output("echo fine"), "fine\n")
    })
  )

  it.live("reports in the timeout of a call that the shell has ended", () =>
    Effect.gen(function* () {
      const { run } = yield* session
      yield* run("true")
      const error = yield* Effect.flip(run("sleep 30", { timeoutMillis: 1000, atTimeLimit: "kill" }))
      assert.isTrue(isFresh("hint" in error ? (error.hint ?? "") : ""))
    })
  )

  it.live("continues with a command that is left running, and the next command has a fresh one", () =>
    Effect.gen(function* () {
      const { background, output, run, workspace } = yield* session
      yield* run("kept=1")
      const ran = yield* run("until [ -e go ]; do sleep 0.02; done; echo $kept > left", {
        timeoutMillis: 300,
        atTimeLimit: "leave"
      })
      assert.isDefined(ran.continuesAs)
      const next = yield* run("echo [$kept]; touch go", { atTimeLimit: "leave", timeoutMillis: 240_000 })
      assert.strictEqual(next.stdout, "[]\n")
      assert.isTrue(isFresh(next.stderr))
      assert.isTrue(yield* eventually(() => background.list(tree)[0]?.ended !== null))
      assert.strictEqual(readFileSync(join(workspace, "left"), "utf8"), "1\n")
      assert.strictEqual(yield* output("echo still"), "still\n")
    })
  )

  it.live("gets the session's variables when they are set, and no secret", () =>
    Effect.gen(function* () {
      const { output, variables } = yield* session
      yield* output("true")
      variables["GREETING"] = "it's"
      assert.strictEqual(yield* output("echo $GREETING; sh -c 'echo $GREETING'"), "it's\nit's\n")
      yield* output("export GREETING=own")
      assert.strictEqual(yield* output("echo $GREETING"), "own\n")
      variables["GREETING"] = "again"
      assert.strictEqual(yield* output("echo $GREETING"), "again\n")
      const seen = yield* output("env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; set")
      for (const word of ["canary-5e1f", "evil"]) assert.notInclude(seen, word)
    })
  )

  it.live("keeps the workspace's protected entries closed, also those that a user creates while it lasts", () =>
    Effect.gen(function* () {
      const { output, run, workspace } = yield* session
      yield* run("kept=1")
      assert.include(yield* output("mkdir .bough/x; echo x > .git/config"), "Read-only file system")
      // Like editors and git: written under another name, then renamed.
      writeFileSync(join(workspace, "AGENTS.md.new"), "rules")
      renameSync(join(workspace, "AGENTS.md.new"), join(workspace, "AGENTS.md"))
      const closed = yield* run("echo evil >> AGENTS.md")
      assert.notStrictEqual(closed.exitCode, 0)
      assert.isTrue(isFresh(closed.stderr))
      writeFileSync(join(workspace, ".env"), "TOKEN=secret-value")
      assert.notInclude(yield* output("cat .env"), "secret-value")
      assert.strictEqual(readFileSync(join(workspace, "AGENTS.md"), "utf8"), "rules")
      const held = yield* run("mkdir -p deep && cp /etc/hosts deep/CLAUDE.md")
      assert.include(held.stderr, "CLAUDE.md")
      assert.isFalse(existsSync(join(workspace, "deep/CLAUDE.md")))
    })
  )

  it.live("commits, and a user's git finds the commit while the shell lasts and afterwards", () =>
    Effect.gen(function* () {
      const { background, output, run, workspace } = yield* session
      const git = (...args: ReadonlyArray<string>) =>
        spawnSync("git", ["-C", workspace, ...args], { encoding: "utf8" }).stdout
      git("init", "-q", "-b", "main")
      git("-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-q", "--allow-empty", "-m", "first")
      yield* run(
        "kept=1; export GIT_AUTHOR_NAME=n GIT_AUTHOR_EMAIL=n@b.example GIT_COMMITTER_NAME=n GIT_COMMITTER_EMAIL=n@b.example"
      )
      const committed = yield* run("echo x > file && git add file && git commit -qm second; echo $kept", {
        merged: true
      })
      assert.strictEqual(committed.stdout, "1\n")
      assert.strictEqual(committed.stderr, "")
      assert.strictEqual(git("log", "-1", "--format=%s"), "second\n")
      assert.strictEqual(yield* output("git log --oneline | wc -l; echo $kept"), "2\n1\n")
      yield* background.stopSession(tree, "over")
      assert.deepStrictEqual(git("fsck", "--full"), "")
      assert.isFalse(existsSync(join(workspace, ".git/bough-objects")))
      assert.isFalse(readdirSync(workspace).includes(".bough"))
    })
  )

  it.live("a grant is for one command outside of the shell", () =>
    Effect.gen(function* () {
      const { executionOf, output, run, workspace } = yield* session
      writeFileSync(join(workspace, "AGENTS.md"), "rules")
      yield* run("kept=1")
      const granted = yield* executionOf("a", [{ _tag: "Write" }]).run("echo more > AGENTS.md; echo [$kept]")
      assert.strictEqual(granted.stdout, "[]\n")
      assert.strictEqual(readFileSync(join(workspace, "AGENTS.md"), "utf8"), "more\n")
      assert.include(yield* output("echo no > AGENTS.md; echo $kept"), "Read-only file system")
    })
  )

  it.live("ends with its session, and with the scope", () =>
    Effect.gen(function* () {
      const { background, executionOf, run, scope, workspace } = yield* session
      const shells = () => processesWith(workspace)
      yield* run("true")
      yield* executionOf("b").run("true")
      assert.isAbove(shells(), 0)
      yield* background.stopSession(tree, "over")
      const one = shells()
      assert.isAbove(one, 0)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(shells(), 0)
      assert.deepStrictEqual(readdirSync(workspace), [])
    })
  )
})

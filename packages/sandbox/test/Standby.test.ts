/** The sandbox that is prepared for a session's next command: its use, its limits, and its end. */
import { Session } from "@bough/protocol"
import { SampleInvocation } from "@bough/tool/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundled } from "../../../test/bundle.ts"
import { BackgroundCommands } from "../src/index.ts"
import { bubblewrap, eventually, fresh } from "./Places.ts"

const waitingAgent = await bundled(new URL("WaitingAgent.ts", import.meta.url))

/** The processes of bubblewrap with a sandbox over this workspace, by their numbers on the machine. */
const sandboxesOver = (workspace: string): ReadonlyArray<string> =>
  readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0")
      const [program = ""] = words
      return program.endsWith("bwrap") && words.includes(workspace)
    } catch {
      return false
    }
  })

/** True for the shell of a prepared sandbox, which reads the words of its command. */
const readsWords = (pid: number): boolean => {
  try {
    const [program = "", ...words] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")
    return !program.endsWith("bwrap") && words.some((word) => word.includes("bough_words"))
  } catch {
    return false
  }
}

/** True once the process is stopped by a signal. */
const isStopped = (pid: number): boolean => /\) T /u.test(readFileSync(`/proc/${pid}/stat`, "utf8"))

/** Stops all processes below; false: one is not stopped yet, or was started meanwhile. */
const stopAll = (pids: ReadonlyArray<string>): boolean => {
  for (const pid of pids.flatMap(descendants)) process.kill(pid, "SIGSTOP")
  return pids.flatMap(descendants).every(isStopped)
}

const session = Effect.fnUntraced(function* (folder = "") {
  const { directory, sandbox, workspace } = yield* fresh()
  mkdirSync(join(workspace, folder), { recursive: true })
  const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
  const background = yield* Effect.provideService(BackgroundCommands.make, Scope.Scope, scope)
  const provided = sandbox.provided({
    root: join(workspace, folder),
    repository: workspace,
    writable: true,
    background
  })
  const { run } = provided.make(SampleInvocation.make({ sessionId: Session.SessionId.make("ses_1") }), () => {})
  const close = Scope.close(scope, Exit.void)
  /** Waits until a prepared sandbox waits; returns its process number on the machine. */
  const waiting = Effect.map(
    eventually(() => sandboxesOver(workspace).length > 0),
    (isThere) => {
      assert.isTrue(isThere, "none waits")
      return sandboxesOver(workspace)
    }
  )
  return { background, close, directory, provided, run, waiting, workspace }
})

/** The processes below a process, at any depth. */
const descendants = (pid: number | string): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .flatMap((child) => (child === "" ? [] : [Number(child), ...descendants(child)]))

const merged = { merged: true }

/** The program that reads its words is among the arguments of the sandbox's init. */
const isStandby = "if tr '\\0' ' ' </proc/1/cmdline | grep -q bough_word[s]; then echo standby; else echo own; fi"

describe.skipIf(bubblewrap.skip)(`A sandbox that waits for its command${bubblewrap.suffix}`, () => {
  it.live("is the one in which the next command runs, and only that one", () =>
    Effect.gen(function* () {
      const { provided, run, waiting } = yield* session()
      yield* provided.prepare ?? Effect.void
      for (let round = 0; round < 3; round++) {
        const before = yield* waiting
        const { stdout } = yield* run(isStandby, merged)
        assert.strictEqual(stdout, "standby\n", `round ${round}`)
        const after = yield* waiting
        assert.deepStrictEqual(
          before.filter((pid) => after.includes(pid)),
          []
        )
      }
    }).pipe(Effect.scoped)
  )

  it.live("reserves the protected names from one command to the next, and releases them with its session", () =>
    Effect.gen(function* () {
      const { close, provided, run, waiting, workspace } = yield* session()
      const identity = () => {
        const { birthtimeNs, ino } = statSync(join(workspace, ".git"), { bigint: true })
        return `${ino}:${birthtimeNs}`
      }
      yield* provided.prepare ?? Effect.void
      yield* waiting
      const before = identity()
      for (let round = 0; round < 3; round++) {
        yield* run("true", merged)
        assert.strictEqual(identity(), before, `round ${round}`)
        yield* waiting
      }
      yield* run("true", merged)
      yield* close
      assert.deepStrictEqual(readdirSync(workspace), [])
    }).pipe(Effect.scoped)
  )

  const awkward: ReadonlyArray<readonly [name: string, argv: ReadonlyArray<string>]> = [
    ["quotes", ["printf", "%s|", "a'b", 'c"d', "'", "''", "\\", "\\'", "$HOME", "`id`", "$(id)"]],
    ["lines", ["printf", "%s|", "a\nb", "\n", "go", "\ngo\n", "+x", "a\n+go\nb\n\n"]],
    ["spaces", ["printf", "%s|", "", " ", "  a  ", "\n a", "*", "~", "-n", "--", ";", "&"]],
    ["other alphabets", ["printf", "%s|", "größe", "Á", "中", "\u0001\t", "\u0081\u0088"]],
    ["many words", ["printf", "%s|", ...Array.from({ length: 500 }, (_, at) => `word-${at}`)]],
    ["one long word", ["printf", "%s|", "x".repeat(100_000)]]
  ]
  it.live("passes a command its words unchanged", () =>
    Effect.gen(function* () {
      const { provided, run, waiting } = yield* session()
      yield* provided.prepare ?? Effect.void
      for (const [name, argv] of awkward) {
        yield* waiting
        const { stdout } = yield* run({ argv }, merged)
        assert.strictEqual(stdout, `${argv.slice(2).join("|")}|`, name)
      }
    }).pipe(Effect.scoped)
  )

  it.live("leaves no trace of its waiting in the command's variables, descriptors and limits", () =>
    Effect.gen(function* () {
      const { provided, run, waiting } = yield* session()
      const look =
        "env | sort; ls /proc/self/fd; ulimit -a; pwd; cat /proc/self/status | grep -E 'Seccomp|NoNewPrivs|CapEff|SigIgn|SigBlk'"
      const alone = yield* run(look, merged)
      yield* provided.prepare ?? Effect.void
      yield* waiting
      const { stdout } = yield* run(look, merged)
      assert.strictEqual(stdout, alone.stdout)
    }).pipe(Effect.scoped)
  )

  it.live("is not used if the command would see other files by now", () =>
    Effect.gen(function* () {
      const { directory, provided, run, waiting, workspace } = yield* session()
      yield* provided.prepare ?? Effect.void
      yield* waiting
      writeFileSync(join(workspace, ".env"), "TOKEN=secret")
      assert.strictEqual((yield* run(`cat .env; ${isStandby}`, merged)).stdout, "own\n")
      yield* waiting
      // Other directories by the same names.
      rmSync(join(workspace, ".env"))
      renameSync(workspace, join(directory, "old"))
      mkdirSync(workspace)
      writeFileSync(join(workspace, "new.txt"), "new")
      assert.strictEqual((yield* run(`ls; ${isStandby}`, merged)).stdout, "new.txt\nown\n")
    }).pipe(Effect.scoped)
  )

  it.live("is not used if its directory is another one by now", () =>
    Effect.gen(function* () {
      const { provided, run, waiting, workspace } = yield* session("sub")
      yield* provided.prepare ?? Effect.void
      yield* waiting
      renameSync(join(workspace, "sub"), join(workspace, "old"))
      mkdirSync(join(workspace, "sub"))
      writeFileSync(join(workspace, "sub/new.txt"), "new")
      assert.strictEqual((yield* run(`ls; ${isStandby}`, merged)).stdout, "new.txt\nown\n")
    }).pipe(Effect.scoped)
  )

  it.live("is not used if it was killed", () =>
    Effect.gen(function* () {
      const { provided, run, waiting } = yield* session()
      yield* provided.prepare ?? Effect.void
      const pids = yield* waiting
      for (const pid of pids) process.kill(Number(pid), "SIGKILL")
      assert.isTrue(yield* eventually(() => !pids.some((pid) => existsSync(`/proc/${pid}`))))
      assert.strictEqual((yield* run(isStandby, merged)).stdout, "own\n")
    }).pipe(Effect.scoped)
  )

  it.live("is replaced by another one if it ends after it was taken and before the command began", () =>
    Effect.gen(function* () {
      const { background, provided, run, waiting, workspace } = yield* session()
      yield* provided.prepare ?? Effect.void
      const pids = yield* waiting
      // The shell cannot read the words, so the command cannot begin.
      assert.isTrue(yield* eventually(() => pids.flatMap(descendants).some(readsWords)))
      assert.isTrue(yield* eventually(() => stopAll(pids)))
      const running = yield* Effect.forkChild(run(`echo x >> times; ${isStandby}`, merged), { startImmediately: true })
      assert.isTrue(yield* eventually(() => background.standby.current === null))
      for (const pid of pids) process.kill(Number(pid), "SIGKILL")
      const { exitCode, stdout } = yield* Fiber.join(running)
      assert.deepStrictEqual([exitCode, stdout], [0, "own\n"])
      assert.strictEqual(readFileSync(join(workspace, "times"), "utf8"), "x\n")
    }).pipe(Effect.scoped)
  )

  it.live("is not replaced once its command has begun", () =>
    Effect.gen(function* () {
      const { provided, run, waiting, workspace } = yield* session()
      yield* provided.prepare ?? Effect.void
      const pids = yield* waiting
      const running = yield* Effect.forkChild(Effect.result(run("echo x >> times; sleep 60", merged)), {
        startImmediately: true
      })
      assert.isTrue(yield* eventually(() => existsSync(join(workspace, "times"))))
      for (const pid of pids) process.kill(Number(pid), "SIGKILL")
      yield* Fiber.join(running)
      assert.strictEqual(readFileSync(join(workspace, "times"), "utf8"), "x\n")
    }).pipe(Effect.scoped)
  )

  it.live("protects entries that were created while it waited", () =>
    Effect.gen(function* () {
      const { provided, run, waiting, workspace } = yield* session()
      yield* provided.prepare ?? Effect.void
      yield* waiting
      // Removing its reserved names also removes the mounts on them.
      for (const name of [".git", ".bough"]) rmSync(join(workspace, name), { recursive: true })
      const { stdout } = yield* run("mkdir .git/hooks .bough/x; echo done", merged)
      assert.include(stdout, "done")
      assert.notInclude(readdirSync(workspace).join(), "hooks")
      yield* waiting
      mkdirSync(join(workspace, ".git", "hooks"), { recursive: true })
      yield* run("echo evil > .git/hooks/pre-commit; true", merged)
      assert.deepStrictEqual(readdirSync(join(workspace, ".git", "hooks")), [])
    }).pipe(Effect.scoped)
  )

  it.live("ends with its session, and removes its reservations", () =>
    Effect.gen(function* () {
      const { close, provided, waiting, workspace } = yield* session()
      yield* provided.prepare ?? Effect.void
      assert.isAbove((yield* waiting).length, 0)
      yield* close
      assert.deepStrictEqual(readdirSync(workspace), [])
      assert.isTrue(yield* eventually(() => sandboxesOver(workspace).length === 0))
    }).pipe(Effect.scoped)
  )

  it.live("ends with the process of its session when that is killed", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      const child = spawn(process.execPath, [waitingAgent, workspace], { stdio: ["ignore", "pipe", "inherit"] })
      yield* Effect.callback<void>((resume) => void child.stdout.once("data", () => resume(Effect.void)))
      assert.isTrue(yield* eventually(() => sandboxesOver(workspace).length > 0))
      child.kill("SIGKILL")
      // While the process exists, its names in the workspace are in use.
      yield* Effect.callback<void>((resume) => void child.once("exit", () => resume(Effect.void)))
      assert.isTrue(yield* eventually(() => sandboxesOver(workspace).length === 0))
      yield* run("true")
      assert.deepStrictEqual(readdirSync(workspace), [])
    }).pipe(Effect.scoped)
  )
})

/** Helper processes of adapters: their input, their results, and that none is left. */
import { ProcessRunner } from "@bough/tool"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundled } from "../../../test/bundle.ts"
import { ProcessRunnerNode } from "../src/index.ts"
import { eventually, linux, preparedShells, processesWith, sleeper } from "./Places.ts"

const running = (script: string, more: Partial<ProcessRunner.HelperCommand> = {}) =>
  Effect.flatMap(ProcessRunner.ProcessRunner, (runner) =>
    runner.run({
      program: "/bin/sh",
      args: ["-c", script],
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
      maxOutputBytes: 100_000,
      ...more
    })
  )

describe.skipIf(linux.skip)(`ProcessRunnerNode${linux.suffix}`, () => {
  layer(ProcessRunnerNode.layer, { excludeTestServices: true })((it) => {
    it.effect("bytes, errors and the exit code are returned unchanged", () =>
      Effect.gen(function* () {
        const ran = yield* running("printf '\\377\\0a'; echo problem >&2; exit 3")
        assert.deepStrictEqual([...ran.stdout], [255, 0, 97])
        assert.deepInclude(ran, { stderr: "problem\n", exitCode: 3, truncated: false })
      })
    )

    it.effect("the environment is the one given, and no more", () =>
      Effect.gen(function* () {
        const ran = yield* running("/usr/bin/env; pwd", { env: { ONLY: "this" }, cwd: "/usr" })
        assert.deepStrictEqual(new TextDecoder().decode(ran.stdout).trim().split("\n").toSorted(), [
          "/usr",
          "ONLY=this",
          "PWD=/usr"
        ])
      })
    )

    it.effect("the kernel ends it rather than its owner when memory runs out, also if it starts others at once", () =>
      Effect.gen(function* () {
        const ran = yield* running("cat /proc/self/oom_score_adj; exec cat /proc/self/oom_score_adj")
        const values = new TextDecoder().decode(ran.stdout).trim().split("\n").map(Number)
        assert.strictEqual(values.length, 2)
        assert.isAtLeast(Math.min(...values), 500)
        assert.isBelow(Number(readFileSync("/proc/self/oom_score_adj", "utf8")), Math.min(...values))
      })
    )

    it.effect("one that writes more than it may is ended, and the beginning is returned", () =>
      Effect.gen(function* () {
        const seconds = sleeper()
        const ran = yield* running(`yes | head -c 1000000; sleep ${seconds}`, { maxOutputBytes: 1000 })
        assert.deepStrictEqual([ran.stdout.length, ran.truncated, ran.exitCode], [1000, true, null])
        assert.isTrue(yield* eventually(() => processesWith(seconds) === 0))
        assert.isFalse((yield* running("head -c 1000 /dev/zero", { maxOutputBytes: 1000 })).truncated)
      })
    )

    it.effect("its output is passed on while it runs, and no more than it may write", () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(join(tmpdir(), "bough-runner-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
        const pieces: Array<Uint8Array> = []
        const onOutput = (piece: Uint8Array): void => {
          pieces.push(piece)
          writeFileSync(join(folder, "seen"), "")
        }
        // Writes the second line only once the first was passed on.
        const script = "echo first; until [ -e seen ]; do sleep 0.01; done; echo second; yes"
        const ran = yield* running(script, { cwd: folder, maxOutputBytes: 1000, onOutput })
        assert.isAbove(pieces.length, 1)
        assert.deepStrictEqual(Buffer.concat(pieces), Buffer.from(ran.stdout))
        assert.strictEqual(Buffer.from(ran.stdout).toString().slice(0, 15), "first\nsecond\ny\n")
        assert.deepStrictEqual([ran.stdout.length, ran.truncated], [1000, true])
      })
    )

    it.effect("much output on stderr neither blocks nor uses memory", () =>
      Effect.gen(function* () {
        const ran = yield* running("head -c 5000000 /dev/zero >&2; echo done")
        assert.strictEqual(new TextDecoder().decode(ran.stdout), "done\n")
        assert.isAtMost(ran.stderr.length, 65_536)
      })
    )

    it.effect("its background processes end with it", () =>
      Effect.gen(function* () {
        const seconds = sleeper()
        yield* running(`sleep ${seconds} >/dev/null 2>&1 & echo started`)
        assert.isTrue(yield* eventually(() => processesWith(seconds) === 0))
      })
    )

    it.effect("does not wait for a process that left the group and keeps its output open", () =>
      Effect.gen(function* () {
        const seconds = sleeper()
        const ran = yield* running(
          `setsid sh -c 'echo $$; exec sleep ${seconds}' & until [ -e /proc/$! ]; do :; done; sleep 0.3`
        )
        assert.strictEqual(ran.exitCode, 0)
        process.kill(Number(new TextDecoder().decode(ran.stdout)), "SIGKILL")
        assert.isTrue(yield* eventually(() => processesWith(seconds) === 0))
      })
    )

    it.effect("interruption kills it and its children", () =>
      Effect.gen(function* () {
        const seconds = sleeper()
        const fiber = yield* Effect.forkChild(running(`sleep ${seconds} & sleep ${seconds}; true`))
        assert.isTrue(yield* eventually(() => processesWith(seconds) === 2))
        yield* Fiber.interrupt(fiber)
        assert.isTrue(yield* eventually(() => processesWith(seconds) === 0))
      })
    )

    it.effect("a missing program is named", () =>
      Effect.gen(function* () {
        const nowhere = `/nonexistent-${crypto.randomUUID()}`
        const error = yield* Effect.flip(running("", { program: `${nowhere}/rg` }))
        assert.deepInclude(Object.assign({}, error), { _tag: "SpawnFailed", program: `${nowhere}/rg` })
        assert.include(error.message, "ENOENT")
        assert.strictEqual((yield* Effect.flip(running("", { cwd: nowhere })))._tag, "SpawnFailed")
      })
    )
  })
})

const owner = await bundled(new URL("RepeatedHelper.ts", import.meta.url))
const sharedSession = await bundled(new URL("SharedSession.ts", import.meta.url))

/** Reads two numbers of /proc/PID/stat, whose program's name is in parentheses. */
const groupAndSession = (stat: string): ReadonlyArray<string> =>
  stat.slice(stat.lastIndexOf(")")).split(" ").slice(3, 5)

/** Waits for the shell of the next helper. Between fork and exec, it has not yet the arguments by which it is found. */
const prepared = Effect.gen(function* () {
  assert.isTrue(yield* eventually(() => preparedShells().length > 0))
  return preparedShells()[0]
})

/** Runs with an empty environment in the session of this process: as the prepared shell if there is one. */
const repeated = (args: ReadonlyArray<string>, more: Partial<ProcessRunner.HelperCommand> = {}) =>
  running("", { program: "/bin/sh", args: ["-c", ...args], env: {}, startsNoProcess: true, ...more })

const textOf = ({ stdout }: ProcessRunner.HelperResult): string => new TextDecoder().decode(stdout)

describe.skipIf(linux.skip)(`ProcessRunnerNode: helpers that start no process${linux.suffix}`, () => {
  layer(ProcessRunnerNode.layer, { excludeTestServices: true })((it) => {
    it.effect("each one gets its words, its directory, no input and an empty environment", () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(join(tmpdir(), "bough-runner-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
        const odd = [`it's "$HOME" \\ \`id\``, "two\nlines\n", "", "*", "-n", "ü💡", "; exit 5 #"]
        const cwd = join(folder, "o'dd $x\n dir")
        mkdirSync(cwd)
        for (let round = 0; round < 3; round++) {
          const ran = yield* repeated(['pwd -P; printf "%s|" "$@"; cat; /usr/bin/env', "sh", ...odd], { cwd })
          assert.strictEqual(textOf(ran), `${cwd}\n${odd.join("|")}|PWD=${cwd}\n`)
          assert.deepInclude(ran, { stderr: "", exitCode: 0, truncated: false })
          yield* prepared
          assert.strictEqual((yield* repeated(["exit 3"])).exitCode, 3)
          yield* prepared
        }
      })
    )

    it.effect("is the process that was prepared", () =>
      Effect.gen(function* () {
        yield* repeated(["true"])
        const first = yield* prepared
        assert.strictEqual(textOf(yield* repeated(["echo $$"])), `${first}\n`)
        assert.notStrictEqual(yield* prepared, first)
      })
    )

    it.effect("is prepared after the helper that was the last prepared one, not beside it", () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(join(tmpdir(), "bough-runner-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
        yield* repeated(["true"])
        yield* prepared
        const waiting = [": > begun; until [ -e end ]; do sleep 0.02; done"]
        const fiber = yield* Effect.forkChild(repeated(waiting, { cwd: folder }))
        assert.isTrue(yield* eventually(() => existsSync(join(folder, "begun"))))
        assert.deepStrictEqual(preparedShells(), [])
        writeFileSync(join(folder, "end"), "")
        assert.strictEqual((yield* Fiber.join(fiber)).exitCode, 0)
        yield* prepared
      })
    )

    it.effect("many at a time each have their own process", () =>
      Effect.gen(function* () {
        const ran = yield* Effect.forEach([1, 2, 3, 4, 5], (at) => repeated([`echo ${at}`]), { concurrency: 5 })
        assert.deepStrictEqual(ran.map(textOf), ["1\n", "2\n", "3\n", "4\n", "5\n"])
      })
    )

    it.effect("a prepared shell that was killed is replaced", () =>
      Effect.gen(function* () {
        yield* repeated(["true"])
        const killed = yield* prepared
        process.kill(Number(killed), "SIGKILL")
        assert.isTrue(yield* eventually(() => !existsSync(`/proc/${killed}`)))
        assert.strictEqual(textOf(yield* repeated(["echo here"])), "here\n")
      })
    )

    it.effect("interruption kills it, and its watcher ends with it", () =>
      Effect.gen(function* () {
        for (const env of [{ ONLY: "this" }, {}]) {
          const seconds = sleeper()
          const fiber = yield* Effect.forkChild(repeated([`exec sleep ${seconds}`, "sh", seconds], { env }))
          assert.isTrue(yield* eventually(() => processesWith(seconds) > 0))
          yield* Fiber.interrupt(fiber)
          assert.isTrue(yield* eventually(() => processesWith(seconds) === 0))
          yield* repeated(["true", "sh", seconds], { env })
          assert.isTrue(yield* eventually(() => processesWith(seconds) === 0))
        }
      })
    )

    it.effect("the kernel ends it rather than its owner when memory runs out, also if it starts others at once", () =>
      Effect.gen(function* () {
        const ran = yield* running("cat /proc/self/oom_score_adj; exec cat /proc/self/oom_score_adj")
        const values = new TextDecoder().decode(ran.stdout).trim().split("\n").map(Number)
        assert.strictEqual(values.length, 2)
        assert.isAtLeast(Math.min(...values), 500)
        assert.isBelow(Number(readFileSync("/proc/self/oom_score_adj", "utf8")), Math.min(...values))
      })
    )

    it.effect("one that writes more than it may is ended, and the beginning is returned", () =>
      Effect.gen(function* () {
        for (const env of [{ ONLY: "this" }, {}]) {
          const ran = yield* repeated(["exec cat /dev/zero"], { env, maxOutputBytes: 1000 })
          assert.deepStrictEqual([ran.stdout.length, ran.truncated, ran.exitCode], [1000, true, null])
        }
      })
    )

    it.effect("shares the session and the process group of this process, and others do not", () =>
      Effect.gen(function* () {
        const own = groupAndSession(readFileSync("/proc/self/stat", "utf8"))
        const reading = ["exec cat /proc/self/stat"]
        for (const env of [{ ONLY: "this" }, {}]) {
          assert.deepStrictEqual(groupAndSession(textOf(yield* repeated(reading, { env }))), own)
        }
        const apart = groupAndSession(textOf(yield* repeated(reading, { startsNoProcess: false })))
        assert.notDeepEqual(apart, own)
        assert.strictEqual(apart[0], apart[1])
      })
    )

    it.effect("a signal to the group of its owner is left to the owner, and it ends with a killed owner", () =>
      Effect.gen(function* () {
        const folder = mkdtempSync(join(tmpdir(), "bough-runner-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
        const seconds = sleeper()
        const child = spawn(process.execPath, [sharedSession, folder, seconds], {
          detached: true,
          stdio: ["ignore", "pipe", "inherit"]
        })
        yield* Effect.addFinalizer(() => Effect.sync(() => child.kill("SIGKILL")))
        let text = ""
        child.stdout.on("data", (piece) => (text += piece))
        const printed = (line: RegExp) => eventually(() => line.test(text))
        assert.isTrue(yield* printed(/^prepared \d+\n/))
        for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGTSTP"] as const) {
          process.kill(-(child.pid ?? 0), signal)
          assert.isTrue(yield* printed(new RegExp(`^${signal}$`, "m")))
        }
        writeFileSync(join(folder, "end-0"), "")
        assert.isTrue(yield* printed(/^helper \d+ ended with 0$/m))
        // The second helper is the shell that waited meanwhile.
        const [, prepared = ""] = /^prepared (\d+)$/m.exec(text) ?? []
        assert.isTrue(yield* eventually(() => existsSync(join(folder, "begun-1"))))
        assert.include(readFileSync(`/proc/${prepared}/cmdline`, "utf8"), seconds)
        child.kill("SIGKILL")
        assert.isTrue(yield* eventually(() => processesWith(seconds) === 0))
      })
    )

    it.effect("a missing program is named, and a missing directory is not a result", () =>
      Effect.gen(function* () {
        const nowhere = `/nonexistent-${crypto.randomUUID()}`
        yield* repeated(["true"])
        yield* prepared
        assert.include((yield* Effect.flip(repeated([""], { program: `${nowhere}/rg` }))).message, "ENOENT")
        yield* repeated(["true"])
        yield* prepared
        assert.strictEqual((yield* Effect.flip(repeated(["echo ran"], { cwd: nowhere })))._tag, "SpawnFailed")
      })
    )

    it.effect("the prepared shell neither holds its owner nor outlives it", () =>
      Effect.gen(function* () {
        const { status, stdout } = spawnSync(process.execPath, [owner], { encoding: "utf8" })
        assert.strictEqual(status, 0)
        assert.match(stdout, /^\d+\n$/)
        assert.isTrue(yield* eventually(() => !existsSync(`/proc/${stdout.trim()}`)))
      })
    )
  })
})

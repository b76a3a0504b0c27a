/** Helper processes of adapters: their input, their results, and that none is left. */
import { ProcessRunner } from "@bough/tool"
import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ProcessRunnerNode } from "../src/index.ts"
import { eventually, linux, processesWith, sleeper } from "./Places.ts"

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

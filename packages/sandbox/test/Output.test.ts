/**
 * The result of a command: exit code, output in full or truncated, pieces as they come; in the sandbox and on the host
 * alike.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bubblewrap, fresh } from "./Places.ts"
import * as ReachedLimit from "./ReachedLimit.ts"

const nothing = { skip: false, suffix: "" }

for (const [backend, requirement] of [
  ["bubblewrap", bubblewrap],
  ["host", nothing]
] as const) {
  describe.skipIf(requirement.skip)(`Output of a command, ${backend}${requirement.suffix}`, () => {
    it.live("an exit code is the command's own", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({ backend })
        for (const code of [0, 1, 2, 126, 127, 128, 129, 255]) {
          const ran = yield* run(`echo out; echo err >&2; exit ${code}`)
          assert.deepInclude(ran, { exitCode: code, signal: null, stdout: "out\n", stderr: "err\n", omittedBytes: 0 })
        }
      })
    )

    it.live("an end by a signal names it", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({ backend })
        for (const signal of ["KILL", "TERM", "SEGV", "ABRT", "PIPE"]) {
          const ran = yield* run(`kill -${signal} $$`)
          assert.deepInclude(ran, { exitCode: null, signal: `SIG${signal}` })
        }
      })
    )

    it.live("an argument vector is passed on unchanged", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({ backend })
        const words = ["$HOME", "a b", "", "*", "'", "ünï\n", "--", "-c"]
        const ran = yield* run({ argv: ["printf", "[%s]", ...words] })
        assert.strictEqual(ran.stdout, words.map((word) => `[${word}]`).join(""))
        assert.strictEqual((yield* run("-x; echo on")).stdout, "on\n")
      })
    )

    it.live("a missing program is reported", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({ backend })
        const ran = yield* Effect.result(run({ argv: ["no-such-program"] }))
        const text = ran._tag === "Success" ? `${ran.success.exitCode} ${ran.success.stderr}` : ran.failure.message
        assert.match(text, /no-such-program.*(not found|No such file|ENOENT)/)
      })
    )

    it.live("an argument that no program can take is a ValidationError that names the field", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({ backend })
        for (const [invoke, cwd, field] of [
          [{ argv: [] }, ".", "argv"],
          [{ argv: ["a\0b"] }, ".", "argv"],
          [{ command: "a\0b" }, ".", "command"],
          [{ command: ":".repeat(3_000_000) }, ".", "command"],
          [{ command: `: ${"x".repeat(200_000)}` }, ".", "command"],
          ["true", "..", "cwd"],
          ["true", "/", "cwd"],
          ["true", "a/../../b", "cwd"],
          ["true", "a\0b", "cwd"],
          ["true", "not-there", "cwd"]
        ] as const) {
          const error = yield* Effect.flip(run(invoke, { cwd }))
          assert.deepInclude(Object.assign({}, error), { _tag: "ValidationError", field }, `${cwd} ${field}`)
        }
      })
    )

    it.live("the working directory is the requested one", () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh({ backend })
        mkdirSync(join(workspace, "a/b c"), { recursive: true })
        writeFileSync(join(workspace, "file"), "")
        assert.strictEqual((yield* run("pwd")).stdout, `${workspace}\n`)
        assert.strictEqual((yield* run("pwd", { cwd: "a/b c" })).stdout, `${workspace}/a/b c\n`)
        assert.strictEqual((yield* run("pwd", { cwd: join(workspace, "a") })).stdout, `${workspace}/a\n`)
        assert.strictEqual((yield* Effect.flip(run("pwd", { cwd: "file" })))._tag, "ValidationError")
      })
    )

    it.live("pieces come as they are written, with complete characters, and add up to the result", () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh({ backend })
        const pieces: Array<string> = []
        // The second half of each character waits until the first was read.
        const command =
          "printf '\\303'; until [ -e go ]; do sleep 0.02; done; printf '\\251\\n'; echo err >&2; head -c 300000 /dev/zero | tr '\\0' x; printf '\\377\\n'"
        const ran = yield* run(command, {
          onOutput: (stream, text) =>
            Effect.sync(() => {
              pieces.push(`${stream} ${text}`)
            })
        }).pipe(
          Effect.raceFirst(
            Effect.andThen(
              Effect.andThen(
                Effect.sleep(200),
                Effect.sync(() => writeFileSync(join(workspace, "go"), ""))
              ),
              Effect.never
            )
          )
        )
        const joined = pieces
          .filter((piece) => piece.startsWith("stdout "))
          .map((piece) => piece.slice(7))
          .join("")
        assert.strictEqual(joined, `é\n${"x".repeat(300_000)}\ufffd\n`)
        assert.strictEqual(ran.stdout, joined)
        assert.strictEqual(ran.stderr, "err\n")
      })
    )

    it.live("a slow reader loses nothing", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({ backend })
        let bytes = 0
        const ran = yield* run("head -c 1000000 /dev/zero | tr '\\0' x", {
          onOutput: (_stream, text) =>
            Effect.andThen(
              Effect.sleep(5),
              Effect.sync(() => (bytes += text.length))
            )
        })
        assert.deepStrictEqual([bytes, ran.stdout.length], [1_000_000, 1_000_000])
      })
    )

    it.live("of endless output the beginning and the end are kept", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({ backend, maxOutputBytes: 1000 })
        const ran = yield* run("seq 1 2000000; seq 1 1000 >&2")
        const total = Array.from(
          { length: 7 },
          (_, digits) => (Math.min(2_000_000, 10 ** (digits + 1) - 1) - 10 ** digits + 1) * (digits + 2)
        ).reduce((a, b) => a + b)
        assert.match(ran.stdout, /^1\n2\n3\n/)
        assert.match(ran.stdout, /\n1999999\n2000000\n$/)
        assert.strictEqual(ran.omittedBytes, total - 1000 + (3893 - 1000))
        assert.include(ran.stdout, `[output truncated — original size: ${total} bytes]`)
        assert.isBelow(ran.stdout.length, 1100)
      })
    )

    it.live("/dev/stdout and /dev/stderr can be opened", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({ backend })
        const ran = yield* run("echo one > /dev/stdout; echo two > /dev/stderr; echo three | tee /dev/stderr")
        assert.deepInclude(ran, { exitCode: 0, stdout: "one\nthree\n", stderr: "two\nthree\n" })
      })
    )

    it.live("commands at the same time do not mix", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({ backend })
        const numbers = Array.from({ length: 12 }, (_, at) => at)
        const ran = yield* Effect.forEach(numbers, (at) => run(`echo a${at}; sleep 0.1; echo b${at}; exit ${at}`), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          ran.map(({ exitCode, stdout }) => [exitCode, stdout]),
          numbers.map((at) => [at, `a${at}\nb${at}\n`])
        )
      })
    )

    it.live("merged streams come in the order in which they were written", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({ backend })
        const ran = yield* run("for i in $(seq 1 200); do echo o$i; echo e$i >&2; done; echo x > /dev/stderr", {
          merged: true
        })
        const expected = Array.from({ length: 200 }, (_, at) => `o${at + 1}\ne${at + 1}\n`).join("")
        assert.deepInclude(ran, { stdout: `${expected}x\n`, stderr: "" })
        assert.deepInclude(yield* run("echo a; echo b >&2"), { stdout: "a\n", stderr: "b\n" })
      })
    )

    it.live("the shell is bash if it is installed", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({ backend })
        const words = '[[ abc == a* ]] && set -o pipefail && diff <(echo a) <(echo a) && arr=(1 2) && echo "${#arr[@]}"'
        const hasBash = existsSync("/bin/bash") || existsSync("/usr/bin/bash")
        assert.deepInclude(yield* run(words), hasBash ? { exitCode: 0, stdout: "2\n" } : { stdout: "" })
      })
    )

    it.live("output before a timeout is returned, the beginning and the end", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({ backend })
        let seen = ""
        const command = run("echo first; seq 1 20000; echo last >&2; sleep 600", {
          timeoutMillis: ReachedLimit.timeoutMillis,
          merged: true,
          onOutput: (_stream, text) => Effect.sync(() => void (seen += text))
        })
        const error = yield* Effect.flip(ReachedLimit.when(() => seen.endsWith("last\n"), command))
        assert.isTrue(error._tag === "Timeout")
        const hint = error._tag === "Timeout" ? (error.hint ?? "") : ""
        assert.match(hint, /^its output so far:\nfirst\n1\n2\n/u)
        assert.match(hint, /\n\[output truncated — original size: \d+ bytes\]\n/u)
        assert.match(hint, /\n19999\n20000\nlast$/u)
      })
    )

    it.live("stdin is empty", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({ backend })
        assert.strictEqual((yield* run("cat; echo end")).stdout, "end\n")
      })
    )
  })
}

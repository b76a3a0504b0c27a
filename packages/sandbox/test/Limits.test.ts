/** A command that uses too much is stopped by its own limit; the agent is not affected. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { Limits } from "../src/index.ts"
import { defaults, shellScript } from "../src/Limits.ts"
import { asRoot, bubblewrap, fresh, processesWith, sleeper } from "./Places.ts"

const mebibyte = 1024 ** 2
const limited = (limits: Partial<Limits.Limits>, owner?: number) =>
  fresh({ limits: { ...Limits.defaults, ...limits } }, owner)

describe.skipIf(bubblewrap.skip)(`Limits${bubblewrap.suffix}`, () => {
  it.live("memory: an allocation beyond the limit fails inside", () =>
    Effect.gen(function* () {
      const { run } = yield* limited({ dataBytes: 512 * mebibyte })
      const before = process.memoryUsage().rss
      const ran = yield* run("dd if=/dev/zero of=/dev/null bs=2G count=1; echo dd said $?")
      assert.strictEqual(ran.stdout, "dd said 1\n")
      assert.match(ran.stderr, /memory exhausted/)
      assert.isBelow(process.memoryUsage().rss - before, 256 * mebibyte)
      assert.strictEqual((yield* run("dd if=/dev/zero of=/dev/null bs=100M count=1")).exitCode, 0)
    })
  )

  it.live("memory: the kernel ends a command rather than the agent, from the command's first process on", () =>
    Effect.gen(function* () {
      const { run } = yield* limited({})
      const ran = yield* run("for pid in 1 $$ self; do cat /proc/$pid/oom_score_adj; done")
      const values = ran.stdout.trim().split("\n").map(Number)
      assert.strictEqual(values.length, 3)
      assert.isAtLeast(Math.min(...values), 500)
    })
  )

  it.live("processor time: an endless loop is ended by SIGXCPU", () =>
    Effect.gen(function* () {
      const { run } = yield* limited({ cpuSeconds: 1 })
      const ran = yield* run("while :; do :; done")
      assert.deepStrictEqual([ran.exitCode, ran.signal], [null, "SIGXCPU"])
    })
  )

  it.live("processor time: one that ignores the signal is killed", () =>
    Effect.gen(function* () {
      const { run } = yield* limited({ cpuSeconds: 1 })
      const ran = yield* run("trap '' XCPU; while :; do :; done")
      assert.deepStrictEqual([ran.exitCode, ran.signal], [null, "SIGKILL"])
    })
  )

  it.live("file size: a large file is truncated and its writer ended by SIGXFSZ", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* limited({ fileBytes: mebibyte })
      const ran = yield* run("dd if=/dev/zero of=big bs=1M count=100")
      assert.deepStrictEqual([ran.exitCode, ran.signal], [null, "SIGXFSZ"])
      assert.strictEqual(statSync(join(workspace, "big")).size, mebibyte)
    })
  )

  it.live("temporary files: /tmp and /dev/shm have a size limit", () =>
    Effect.gen(function* () {
      const { run } = yield* limited({ temporaryBytes: 4 * mebibyte })
      const ran = yield* run("for d in /tmp /dev/shm; do head -c 10000000 /dev/zero > $d/big; wc -c < $d/big; done")
      assert.strictEqual(ran.stdout, `${4 * mebibyte}\n${4 * mebibyte}\n`)
      assert.match(ran.stderr, /No space left/)
    })
  )

  it.live("open files: no more than the limit", () =>
    Effect.gen(function* () {
      const { run } = yield* limited({ openFiles: 64 })
      assert.strictEqual((yield* run("ulimit -n; ulimit -Hn; ulimit -c")).stdout, "64\n64\n0\n")
    })
  )

  it.live.skipIf(asRoot.skip)(`processes: an ordinary user's fork bomb stays small${asRoot.suffix}`, () =>
    Effect.gen(function* () {
      const { run } = yield* limited({ processes: 32 }, 65_534)
      const seconds = sleeper()
      // Runs in sh, because bash doubles its delay before each retry of a fork.
      const bomb = `i=0; while [ $i -lt 100 ] && sleep ${seconds} & do i=$((i+1)); done; wait`
      const ran = yield* run(`sh -c '${bomb}'`, {
        timeoutMillis: 240_000
      }).pipe(Effect.result)
      assert.strictEqual(ran._tag, "Success")
      assert.match(ran._tag === "Success" ? ran.success.stderr : "", /[Cc]annot fork|Resource temporarily unavailable/)
      assert.strictEqual(processesWith(seconds), 0)
    })
  )

  it.live("none: a limit of null is not set", () =>
    Effect.gen(function* () {
      const none = {
        dataBytes: null,
        processes: null,
        fileBytes: null,
        cpuSeconds: null,
        openFiles: null,
        temporaryBytes: null
      }
      const { run } = yield* limited(none)
      const own = spawnSync("sh", ["-c", "ulimit -d; ulimit -f; ulimit -t"], { encoding: "utf8" }).stdout
      assert.strictEqual((yield* run("ulimit -d; ulimit -f; ulimit -t")).stdout, own)
    })
  )
})

describe("Limits set by a shell", () => {
  const limits = { ...defaults, dataBytes: 1024 ** 3, fileBytes: mebibyte, cpuSeconds: 7, openFiles: 99, processes: 77 }
  const options = ["--core=0", `--data=${1024 ** 3}`, "--nproc=77", `--fsize=${mebibyte}`, "--cpu=7:8", "--nofile=99"]
  // bash behaves so as /bin/sh.
  for (const [shell, ...mode] of [["/bin/dash"], ["/bin/bash", "--posix"]].filter(([path]) => existsSync(path))) {
    it(`${shell} sets the same as util-linux prlimit`, () => {
      const show = "cat /proc/self/limits"
      const byShell = spawnSync(shell, [...mode, "-c", shellScript(limits), "sh", "/bin/sh", "-c", show], {
        encoding: "utf8"
      })
      const byProgram = spawnSync("prlimit", [...options, "--", "/bin/sh", "-c", show], {
        encoding: "utf8"
      })
      assert.strictEqual(byShell.stderr, "")
      assert.include(byShell.stdout, "77")
      assert.strictEqual(byShell.stdout, byProgram.stdout)
    })
  }
})

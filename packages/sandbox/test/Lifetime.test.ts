/** The end of a command at its time limit, after an interruption, and when the agent dies. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { spawn, type SpawnOptions, spawnSync } from "node:child_process"
import { closeSync, existsSync, openSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundled } from "../../../test/bundle.ts"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { gateCommand } from "../src/Bubblewrap.ts"
import { defaults } from "../src/Limits.ts"
import type { Machine } from "../src/Machine.ts"
import { asRoot, bubblewrap, eventually, fresh, place, processesWith, sleeper } from "./Places.ts"
import * as ReachedLimit from "./ReachedLimit.ts"

const owner = await bundled(new URL("Owner.ts", import.meta.url))
const agent = await bundled(new URL("Agent.ts", import.meta.url))
const stubborn = (seconds: string) =>
  `trap '' TERM INT HUP; setsid sleep ${seconds} & (setsid setsid sleep ${seconds} >/dev/null 2>&1 &); sleep ${seconds}; sleep ${seconds}`

/** The agent as a process of its own. */
const started = (
  workspace: string,
  command: string,
  options: SpawnOptions = {},
  [program = agent, ...rest]: ReadonlyArray<string> = []
) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [program, workspace, command, ...rest], {
        stdio: ["ignore", "pipe", "inherit"],
        ...options
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

const output = (child: ReturnType<typeof spawn>): Effect.Effect<string> =>
  Effect.callback((resume) => {
    let text = ""
    child.stdout?.on("data", (piece) => (text += piece))
    child.once("close", () => resume(Effect.succeed(text)))
  })

describe.skipIf(bubblewrap.skip)(`A command's lifetime${bubblewrap.suffix}`, () => {
  it.live("ends with its timeout, with everything it started", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      const seconds = sleeper()
      const error = yield* Effect.flip(run(stubborn(seconds), { timeoutMillis: 500 }))
      assert.strictEqual(error._tag, "Timeout")
      assert.strictEqual(processesWith(seconds), 0)
      assert.deepStrictEqual(readdirSync(workspace), [])
    })
  )

  it.live("returns its output before its timeout, the beginning and the end", () =>
    Effect.gen(function* () {
      for (const backend of ["bubblewrap", "host"] as const) {
        const { run } = yield* fresh({ backend })
        let seen = ""
        const command = run("echo begun; echo trouble >&2; seq 100000; echo last; sleep 600", {
          timeoutMillis: ReachedLimit.timeoutMillis,
          onOutput: (_stream, text) => Effect.sync(() => void (seen += text))
        })
        const isReached = () => seen.includes("last\n") && seen.includes("trouble\n")
        const error = yield* Effect.flip(ReachedLimit.when(isReached, command))
        const hint = error._tag === "Timeout" ? (error.hint ?? "") : ""
        assert.match(hint, /^its output so far:\nbegun\n1\n/)
        assert.match(hint, /99999\n100000\nlast\ntrouble$/)
        assert.isBelow(hint.length, 13_000)
      }
    })
  )

  it.live("quarantines files that a command made before its timeout, and says so", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      const command = run("git init -q made; touch reached; sleep 600", { timeoutMillis: ReachedLimit.timeoutMillis })
      const error = yield* Effect.flip(ReachedLimit.when(() => existsSync(join(workspace, "reached")), command))
      assert.include(error._tag === "Timeout" ? error.hint : "", 'held back "made/.git"')
      assert.isFalse(existsSync(join(workspace, "made/.git")))
    })
  )

  it.live("ends with everything that it left in the background, however much that is", () =>
    Effect.gen(function* () {
      const { run } = yield* fresh()
      const seconds = sleeper()
      // The processes have none of our pipes open; the kernel needs time to free their memory.
      const heavy = `(x=$(head -c 20000000 /dev/zero | tr '\\0' x); sleep ${seconds}; echo $x) >/dev/null 2>&1 &`
      const light = `sleep ${seconds} >/dev/null 2>&1 &`
      for (let attempts = 0; attempts < 3; attempts++) {
        const ran = yield* run(
          `for i in 1 2 3 4 5; do ${heavy} done; for i in $(seq 200); do ${light} done; sleep 0.5; echo done`
        )
        assert.include(ran.stdout, "done")
        assert.strictEqual(processesWith(seconds), 0)
      }
    })
  )

  it.live("ends when its caller is interrupted", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      const seconds = sleeper()
      const fiber = yield* Effect.forkChild(run(stubborn(seconds)))
      assert.isTrue(yield* eventually(() => processesWith(seconds) === 3))
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(processesWith(seconds), 0)
      assert.deepStrictEqual(readdirSync(workspace), [])
    })
  )

  it.live("ends when it is interrupted before it has started", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      yield* run("true")
      const seconds = sleeper()
      for (let delayMillis = 0; delayMillis < 10; delayMillis++) {
        const fiber = yield* Effect.forkChild(run(`sleep ${seconds}`))
        yield* Effect.sleep(delayMillis)
        yield* Fiber.interrupt(fiber)
        assert.strictEqual(processesWith(seconds), 0)
      }
      assert.deepStrictEqual(readdirSync(workspace), [])
    })
  )

  for (const [name, uid, requirement] of [
    ["", undefined, bubblewrap],
    [" of an ordinary user", 65_534, asRoot]
  ] as const) {
    it.live.skipIf(requirement.skip)(`ends with the agent${name} when that is killed${requirement.suffix}`, () =>
      Effect.gen(function* () {
        const { workspace } = yield* place(uid)
        const seconds = sleeper()
        const child = yield* started(
          workspace,
          stubborn(seconds),
          uid === undefined ? {} : { uid, gid: uid, env: { PATH: "/usr/bin:/bin" } }
        )
        // The agent itself has the number among its arguments as a part of a longer one.
        assert.isTrue(yield* eventually(() => processesWith(seconds) === 3))
        child.kill("SIGKILL")
        assert.isTrue(yield* eventually(() => processesWith(seconds) === 0))
      })
    )
  }

  it.live(
    "ends with an owner that is killed while it starts commands",
    () =>
      Effect.gen(function* () {
        const { workspace } = yield* place()
        const seconds = sleeper()
        // Twelve starts each, of every age up to the delay: from the fork of the first process to a running command.
        const kills = [
          ...[2, 5, 9, 14, 22].map((delayMillis) => ["bubblewrap", delayMillis] as const),
          ...[3, 9].flatMap((delayMillis) =>
            (["host", "helper", "reader"] as const).map((kind) => [kind, delayMillis] as const)
          )
        ]
        yield* Effect.forEach(
          kills,
          Effect.fnUntraced(function* ([backend, delayMillis]) {
            const child = yield* started(workspace, backend, { stdio: ["pipe", "pipe", "inherit"] }, [owner, seconds])
            yield* Effect.promise(() => new Promise((resolve) => child.stdout?.once("data", resolve)))
            child.stdin?.write("go")
            yield* Effect.sleep(delayMillis)
            child.kill("SIGKILL")
          }),
          { concurrency: 3 }
        )
        assert.isTrue(yield* eventually(() => processesWith(seconds) === 0))
      }),
    thoroughOnly
  )

  it.live("a killed agent's leftovers in the workspace are removed by the next command", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      const seconds = sleeper()
      const child = yield* started(workspace, `sleep ${seconds}`)
      assert.isTrue(yield* eventually(() => processesWith(seconds) === 1))
      child.kill("SIGKILL")
      assert.isTrue(yield* eventually(() => child.signalCode !== null))
      assert.isTrue(yield* eventually(() => processesWith(seconds) === 0))
      assert.deepStrictEqual(readdirSync(workspace), [".bough", ".git"])
      yield* run("true")
      assert.deepStrictEqual(readdirSync(workspace), [])
    })
  )

  it.live("a descriptor that the agent inherited does not reach it", () =>
    Effect.gen(function* () {
      const { directory, workspace } = yield* place()
      writeFileSync(join(directory, "secret"), "canary-99")
      const stdio: Array<"ignore" | "pipe" | "inherit" | number> = ["ignore", "pipe", "inherit"]
      while (stdio.length < 40) stdio.push("ignore")
      for (const at of [3, 9, 10, 25, 39]) stdio[at] = openSync(join(directory, "secret"), "r")
      const child = yield* started(workspace, "for f in /proc/$$/fd/*; do [ -L $f ] && echo ${f##*/}; done", { stdio })
      const ran: unknown = JSON.parse(yield* output(child))
      assert.deepInclude(ran, { stdout: "0\n1\n2\n" })
    })
  )
})

describe("The gate before a command", () => {
  const [, flag = "", gate = "", ...rest] = gateCommand({ limits: defaults } as Machine, ["sh", "-c", "echo started"], {
    proxied: false,
    connected: false
  })
  const cases: ReadonlyArray<readonly [name: string, input: string | null, started: string]> = [
    ["does not open where the owner is gone", "", ""],
    ["opens at a word of the owner", "go\n", "started\n"],
    ["does not open at half a word", "g", ""],
    ["does not open where there is none", null, ""]
  ]
  for (const shell of ["/bin/dash", "/bin/bash"].filter((path) => existsSync(path))) {
    for (const [name, input, started] of cases) {
      it.live(`${name}: ${shell}`, () =>
        Effect.gen(function* () {
          const { directory } = yield* place()
          // The gate writes one character before it reads its input.
          writeFileSync(join(directory, "gate"), `-${input ?? ""}`)
          const descriptor = input === null ? ("ignore" as const) : openSync(join(directory, "gate"), "r+")
          const ran = spawnSync(shell, [flag, gate, ...rest], {
            encoding: "utf8",
            stdio: ["ignore", "pipe", "ignore", "ignore", descriptor]
          })
          if (typeof descriptor === "number") closeSync(descriptor)
          assert.strictEqual(ran.stdout, started)
        })
      )
    }
  }
})

const script = requires("linux", "bubblewrap")
const hasScript = existsSync("/usr/bin/script")

describe.skipIf(script.skip || !hasScript)(`On a terminal${hasScript ? script.suffix : " [needs script]"}`, () => {
  it.live("a command has no way to the terminal of the agent", () =>
    Effect.gen(function* () {
      const { workspace } = yield* place()
      const command =
        "(: < /dev/tty) 2>/dev/null && echo opened; tty; stty -F /dev/tty sane 2>/dev/null && echo set; ps -o tty= -p $$; echo end"
      const line = [process.execPath, agent, workspace, command].map((word) => `'${word}'`).join(" ")
      const ran = spawnSync("script", ["-qec", line, "/dev/null"], { encoding: "utf8", input: "" })
      assert.match(ran.stdout, /"stdout":"not a tty\\n(\?\s*\\n)?end\\n"/)
    })
  )
})

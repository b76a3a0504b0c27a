/**
 * Commands below a profile of macOS, enforced here by a stand-in for `sandbox-exec` that applies its path rules: the
 * files that a command may change, the checks afterwards, and the refusal of a sandbox that enforces less.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { Limits, Sandbox } from "../src/index.ts"
import type { SandboxDirectories } from "../src/SandboxDirectories.ts"
import * as SeatbeltExecution from "../src/SeatbeltExecution.ts"
import * as SeatbeltProbe from "../src/SeatbeltProbe.ts"
import { bubblewrap, environment, eventually, place, processesWith, sleeper } from "./Places.ts"

/** Starts a program of this folder; `body` is the rest of a shell script. */
const programIn = (directory: string, body: string): string => {
  const path = join(directory, "sandbox-exec")
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  return path
}

const standIn = `exec ${process.execPath} ${join(import.meta.dirname, "programs/sandboxExec.ts")} "$@"`
const confinesNothing = 'shift 2; exec "$@"'

const prepared = Effect.gen(function* () {
  const { directory, workspace } = yield* place()
  const workshop: SeatbeltExecution.SeatbeltWorkshop = {
    program: programIn(directory, standIn),
    shell: "/bin/bash",
    variables: { PATH: environment.PATH },
    limits: Limits.defaults,
    maxOutputBytes: 100_000,
    home: "/root"
  }
  const where: SandboxDirectories = {
    workspace,
    start: workspace,
    roots: [{ path: workspace, writable: true }],
    protectedEntries: [".git", ".bough"],
    hiddenDirectories: [],
    readOnlyDirectories: [],
    repositories: [],
    user: null
  }
  const run = (command: string, more: Partial<Parameters<typeof SeatbeltExecution.run>[2]> = {}) =>
    SeatbeltExecution.run(workshop, where, {
      invoke: command,
      options: { merged: true, timeoutMillis: 20_000 },
      ...more
    })
  return { directory, workspace, workshop, run }
})

describe.skipIf(bubblewrap.skip)(`Commands on macOS, with a stand-in${bubblewrap.suffix}`, () => {
  it.live("write the workspace, and read nothing beside it", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* prepared
      writeFileSync(join(directory, "outside"), "canary")
      const ran = yield* run(
        `echo made > file; cat ../outside; echo x > ../outside; ls /root /etc; echo "$HOME"; echo x > "$HOME/x"; (exit 4)`
      )
      assert.strictEqual(ran.exitCode, 4)
      assert.notInclude(ran.stdout, "canary")
      assert.strictEqual(readFileSync(join(workspace, "file"), "utf8"), "made\n")
      assert.strictEqual(readFileSync(join(directory, "outside"), "utf8"), "canary")
      assert.isFalse(existsSync(ran.stdout.split("\n").find((line) => line.endsWith("/home")) ?? "/"))
    })
  )

  it.live("read no secret and change no instructions, settings or entry points of git; new ones are quarantined", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* prepared
      spawnSync("git", ["-C", workspace, "init", "-q"])
      mkdirSync(join(workspace, "deep"))
      writeFileSync(join(workspace, "deep/.env"), "TOKEN=canary")
      writeFileSync(join(workspace, "AGENTS.md"), "rules")
      const before = readFileSync(join(workspace, ".git/config"), "utf8")
      const ran = yield* run(
        "cat deep/.env; mv deep moved; cat moved/.env; echo x >> AGENTS.md; mv AGENTS.md y; echo x >> .git/config; mv .git moved; echo x > .git/hooks/pre-commit; mkdir .bough; mkdir sub; git init -q sub/repo; echo x > sub/CLAUDE.md; git status --short"
      )
      assert.notInclude(ran.stdout, "canary")
      assert.strictEqual(readFileSync(join(workspace, "AGENTS.md"), "utf8"), "rules")
      assert.strictEqual(readFileSync(join(workspace, ".git/config"), "utf8"), before)
      assert.isFalse(existsSync(join(workspace, ".git/hooks/pre-commit")))
      assert.isFalse(existsSync(join(workspace, "sub/repo/.git")))
      assert.isFalse(existsSync(join(workspace, "sub/CLAUDE.md")))
      assert.match(ran.stderr, /held back "sub\/repo\/\.git"/u)
      assert.match(ran.stderr, /held back "sub\/CLAUDE\.md"/u)
      assert.notInclude(readdirSync(join(workspace, ".git")).join(), "bough")
    })
  )

  it.live("reach the proxy of their call, on a port of its own", () =>
    Effect.gen(function* () {
      const { run } = yield* prepared
      const hosts: Array<string> = []
      const proxy = {
        open: (admit: (host: string) => Effect.Effect<string | null>) =>
          Effect.sync(() => ({
            connection: (socket: import("node:net").Socket) => {
              socket.once("data", () => {
                Effect.runFork(admit("example.com"))
                socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 5\r\n\r\nfound")
              })
            },
            requests: () => []
          }))
      }
      const ran = yield* run("curl -sS http://example.com/", {
        network: {
          proxy: proxy as never,
          admit: ((host: string) => Effect.sync(() => (hosts.push(host), null))) as never
        }
      })
      assert.strictEqual(ran.stdout, "found")
      assert.deepStrictEqual(hosts, ["example.com"])
      const server = createServer((socket) => socket.end("reached"))
      yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
      const { port } = server.address() as AddressInfo
      const alone = yield* run(`exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3; env | grep -ci proxy`)
      server.close()
      assert.include(alone.stdout, "Connection refused")
      assert.isTrue(alone.stdout.endsWith("\n0\n"), alone.stdout)
    })
  )

  it.live("end at their timeout, with all of their group", () =>
    Effect.gen(function* () {
      const { run } = yield* prepared
      const seconds = sleeper()
      const error = yield* Effect.flip(
        run(`echo begun; sleep ${seconds} & sleep ${seconds}`, { options: { timeoutMillis: 1500 } })
      )
      assert.strictEqual(error._tag, "Timeout")
      assert.isTrue(yield* eventually(() => processesWith(seconds) === 0))
    })
  )

  it.live(
    "are tested first: each property is reported as held if it holds, and as missing otherwise",
    () =>
      Effect.gen(function* () {
        const { directory, workshop } = yield* prepared
        const missing = (yield* SeatbeltProbe.checks(workshop)).flatMap(({ name, ok }) => (ok ? [] : [name]))
        // Mounts have no modes, and need an existing path.
        assert.deepStrictEqual(missing, ["no setuid files", "protected names"])
        const open = { ...workshop, program: programIn(directory, confinesNothing) }
        const lacking = (yield* SeatbeltProbe.checks(open)).flatMap(({ name, ok }) => (ok ? [] : [name]))
        assert.deepStrictEqual(lacking, [
          "closed file system",
          "no setuid files",
          "protected names",
          "unreadable secrets",
          "no network",
          "own processes"
        ])
      }),
    thoroughOnly
  )

  it.live("are refused if the sandbox enforces less, or is missing", () =>
    Effect.gen(function* () {
      const { directory, workspace } = yield* place()
      const program = programIn(directory, confinesNothing)
      for (const [chosen, reason] of [
        [program, "closed file system"],
        ["/nonexistent/sandbox-exec", "not found"]
      ] as const) {
        const sandbox = yield* Sandbox.make({ backend: "seatbelt", program: chosen }, environment)
        const { run } = sandbox.provided({ root: workspace, writable: true }).make({} as never, () => {})
        const error = yield* Effect.flip(run("touch made"))
        assert.include(error.message, reason)
      }
      assert.deepStrictEqual(readdirSync(workspace), [])
    })
  )
})

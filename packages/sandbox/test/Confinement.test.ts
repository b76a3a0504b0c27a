/** The reach of a confined command: tried from inside, checked from outside, as root and as an ordinary user. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { join } from "node:path"
import { asRoot, bubblewrap, fresh, nodeDirectory, processesWith, runIn, sleeper } from "./Places.ts"

const listening = (address: string | number) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly server: Server; readonly connections: () => number }>((resume) => {
      let connections = 0
      const server = createServer((socket) => {
        connections++
        socket.destroy()
      })
      const ready = () => resume(Effect.succeed({ server, connections: () => connections }))
      if (typeof address === "number") server.listen(address, "127.0.0.1", ready)
      else server.listen(address, ready)
    }),
    ({ server }) => Effect.sync(() => server.close())
  )

/** A command that connects with Node and prints the result. */
const connecting = (options: object): ReadonlyArray<string> => [
  "node",
  "-e",
  `require("node:net").connect(${JSON.stringify(options)}).on("connect", () => { console.log("connected"); process.exit() }).on("error", (error) => console.log(error.code))`
]
const withNode = { environmentKeys: [], readOnlyPaths: [nodeDirectory] }
const onPath = (argv: ReadonlyArray<string>) => ({ argv: [join(nodeDirectory, "node"), ...argv.slice(1)] })

const suite = (name: string, owner: number | undefined, requirement: typeof bubblewrap) =>
  describe.skipIf(requirement.skip)(`A confined command, ${name}${requirement.suffix}`, () => {
    it.live("writes the workspace and nothing else", () =>
      Effect.gen(function* () {
        const { directory, run, workspace } = yield* fresh({}, owner)
        writeFileSync(join(directory, "beside"), "kept")
        const home = join("/root", "bough-test")
        const ran = yield* run(
          `touch inside; for f in /etc/b /usr/b /b ${home} /dev/b /proc/b; do touch $f; done; cat ../beside; echo x > ../beside`
        )
        assert.strictEqual(ran.stderr.match(/Read-only file system/g)?.length, 4)
        assert.notInclude(ran.stdout, "kept")
        assert.isTrue(existsSync(join(workspace, "inside")))
        for (const path of ["/etc/b", "/usr/b", "/b", home]) assert.isFalse(existsSync(path))
        assert.strictEqual(readFileSync(join(directory, "beside"), "utf8"), "kept")
      })
    )

    it.live("makes files that belong to the owner of the workspace", () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh({}, owner)
        yield* run("touch mine; mkdir sub")
        const owners = spawnSync("stat", ["-c", "%u", workspace, join(workspace, "mine"), join(workspace, "sub")], {
          encoding: "utf8"
        })
        assert.strictEqual(new Set(owners.stdout.trim().split("\n")).size, 1)
      })
    )

    it.live("sees no variable of the operator but the allow-listed, in no process", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({}, owner)
        const { stdout } = yield* run(
          'env; for p in /proc/[0-9]*; do tr "\\0" "\\n" < $p/environ; done; cat /proc/*/cmdline | tr "\\0" "\\n"'
        )
        for (const word of ["canary-5e1f", "LD_PRELOAD", "NODE_OPTIONS", "BASH_ENV", "GIT_SSH_COMMAND"]) {
          assert.notInclude(stdout.replaceAll(/^.*environ.*$/gm, ""), word)
        }
        assert.include(stdout, "LANG=C.UTF-8")
      })
    )

    it.live("is not root, has no capability and can gain none", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({}, owner)
        const { stdout } = yield* run("id -u; grep -E 'Cap|NoNewPrivs|Seccomp:' /proc/self/status")
        assert.match(stdout, /^1000\n/)
        assert.strictEqual(stdout.match(/^Cap\w+:\t0{16}$/gm)?.length, 5)
        assert.match(stdout, /NoNewPrivs:\t1/)
        assert.match(stdout, /Seccomp:\t2/)
      })
    )

    it.live("makes no user namespace", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({}, owner)
        const ran = yield* run(
          "unshare -rm sh -c 'mount -t tmpfs x /mnt' && echo made; unshare -U true && echo made; unshare --fork -Up true && echo made"
        )
        assert.strictEqual(ran.stdout, "")
        assert.match(ran.stderr, /unshare failed/)
      })
    )

    it.live("reaches no listener of the machine, neither on loopback nor on a socket", () =>
      Effect.gen(function* () {
        const { directory, run, workspace } = yield* fresh(withNode, owner)
        const abstract = `\0bough-test-${process.pid}-${owner ?? 0}`
        const inside = join(workspace, "socket")
        const beside = join(directory, "socket")
        const listeners = yield* Effect.forEach([0, abstract, inside, beside], listening)
        const bound = listeners[0].server.address()
        const port = typeof bound === "object" ? bound?.port : 0
        const outputs = yield* Effect.forEach(
          [{ port, host: "127.0.0.1" }, { path: abstract }, { path: inside }, { path: beside }],
          (options) => Effect.map(run(onPath(connecting(options))), ({ stdout }) => stdout.trim())
        )
        assert.strictEqual(outputs[0], "ECONNREFUSED")
        assert.notInclude(outputs, "connected")
        assert.isTrue(existsSync(inside) && existsSync(beside))
        assert.deepStrictEqual(
          listeners.map(({ connections }) => connections()),
          [0, 0, 0, 0]
        )
      })
    )

    it.live("has a loopback of its own", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh(withNode, owner)
        const script =
          'const net = require("node:net"); const s = net.createServer((c) => c.end("hello")).listen(0, "localhost", () => net.connect(s.address().port, "localhost").on("data", (d) => { console.log(String(d)); process.exit() }))'
        assert.strictEqual((yield* run(onPath(["node", "-e", script]))).stdout, "hello\n")
      })
    )

    it.live("leaves nothing running, and ends with its main process", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({}, owner)
        const seconds = sleeper()
        const ran = yield* run(
          `setsid sleep ${seconds} & (setsid setsid sleep ${seconds} &); nohup sleep ${seconds} & echo started`,
          { timeoutMillis: 240_000 }
        )
        assert.strictEqual(ran.stdout, "started\n")
        assert.strictEqual(processesWith(seconds), 0)
      })
    )

    it.live("sees its own processes only", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({}, owner)
        const { stdout } = yield* run(`cd /proc; for p in [0-9]*; do cat $p/comm; done; kill -9 ${process.pid} -1`)
        assert.strictEqual(stdout.split("\n")[0], "bwrap")
        assert.notInclude(stdout, "node")
      })
    )

    it.live("has no terminal that it could type into", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({}, owner)
        const ran = yield* run("cat; : < /dev/tty && echo opened")
        assert.strictEqual(ran.stdout, "")
        assert.notStrictEqual(ran.exitCode, 0)
      })
    )

    it.live("cannot write the workspace of a read-only session", () =>
      Effect.gen(function* () {
        const { sandbox, workspace } = yield* fresh({}, owner)
        writeFileSync(join(workspace, "there"), "kept")
        const ran = yield* runIn(
          sandbox,
          workspace,
          false
        )("cat there; echo x > there; touch new; rm there; mkdir .bough; touch /tmp/mine && echo temporary")
        assert.strictEqual(ran.stdout, "kepttemporary\n")
        assert.deepStrictEqual(readdirSync(workspace), ["there"])
        assert.strictEqual(readFileSync(join(workspace, "there"), "utf8"), "kept")
      })
    )

    it.live("follows a link of the workspace to nowhere", () =>
      Effect.gen(function* () {
        const { directory, run, workspace } = yield* fresh({}, owner)
        mkdirSync(join(directory, "secrets"))
        writeFileSync(join(directory, "secrets/key"), "canary-77")
        symlinkSync(join(directory, "secrets"), join(workspace, "link"))
        const read = yield* run("cat link/key; echo x > link/key; ls link/")
        assert.strictEqual(read.stdout, "")
        const there = yield* Effect.flip(run("cat key", { cwd: "link" }))
        assert.strictEqual(there._tag, "ValidationError")
        assert.strictEqual(readFileSync(join(directory, "secrets/key"), "utf8"), "canary-77")
      })
    )
  })

suite("run by the user of the tests", undefined, bubblewrap)
suite("run by root for an ordinary user", 65_534, asRoot)

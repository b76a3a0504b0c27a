/**
 * Ten jobs of an ordinary day, played with the real host, sandbox, git and registries on loopback by a scripted model. A person
 * who agrees to everything is there and counted: each job says how often it may ask at most.
 */
import { FilesPack } from "@bough/pack-files"
import { ShellPack } from "@bough/pack-shell"
import type { Approval } from "@bough/protocol"
import { type Channel, SessionStore, WorkspaceChanges } from "@bough/runtime"
import { Reply, ScriptedModel } from "@bough/runtime/testing"
import { SessionStoreSql } from "@bough/store-sqlite"
import { SessionKind, ToolPack } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { requires } from "../../../../test/requirements.ts"
import * as AgentHost from "../../src/AgentHost.ts"

const needed = requires("linux", "bubblewrap", "git", "python")
const npm = existsSync("/usr/bin/npm")
const pip = spawnSync("/usr/bin/python3", ["-m", "pip", "--version"]).status === 0

const packs = {
  main: SessionKind.Main.tools(ToolPack.merge(FilesPack.all, ShellPack.all)),
  worker: SessionKind.Worker.tools(FilesPack.readOnly)
}

interface Desk {
  readonly root: string
  readonly home: string
  readonly workspace: string
}

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const git = ({ home, workspace }: Desk, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, {
    cwd: workspace,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1" },
    stdio: ["ignore", "pipe", "pipe"]
  })

/** A home with a name for git, and a repository with one commit. */
const desk = Effect.gen(function* () {
  const root = yield* Effect.acquireRelease(
    Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "bough-jobs-")))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const made: Desk = { root, home: join(root, "home"), workspace: join(root, "work") }
  write(
    join(made.home, ".gitconfig"),
    "[user]\n\tname = Ada\n\temail = ada@example.test\n[init]\n\tdefaultBranch = main\n"
  )
  mkdirSync(join(made.home, ".local/share/bough"), { recursive: true })
  configure(made, {})
  write(join(made.workspace, "src/sum.py"), "def add(a, b):\n    return a + b\n")
  write(join(made.workspace, "package.json"), '{"name":"shop","private":true}\n')
  git(made, "init", "-q")
  git(made, "add", ".")
  git(made, "commit", "-qm", "first")
  return made
})

const configure = ({ home }: Desk, more: Readonly<Record<string, unknown>>): void =>
  write(
    join(home, ".config/bough/config.jsonc"),
    JSON.stringify({ embedding: { model: "none" }, memory: { recall: false }, ...more })
  )

type Call = readonly [tool: string, given: Readonly<Record<string, unknown>>]

const run = (command: string, more: Readonly<Record<string, unknown>> = {}): Call => [
  "run_command",
  { command, ...more }
]

/** Plays the calls one a step. Returns what the model read of each, and what the person was asked. */
const play = Effect.fnUntraced(function* (
  desk: Desk,
  calls: ReadonlyArray<Call>,
  { folder = "", undoes = false }: { readonly folder?: string; readonly undoes?: boolean } = {}
) {
  const asked: Array<Approval.Request> = []
  const channel: Channel.Channel["Service"] = {
    name: "terminal",
    ask: (request) =>
      Effect.sync(() => {
        asked.push(request)
        return { decision: { _tag: "Approved", rule: null }, principal: "ada" } as const
      }),
    publish: () => Effect.void
  }
  const { model, script } = yield* ScriptedModel.make([
    ...calls.map(([tool, given]) => Reply.toolCall(tool, given)),
    Reply.text("done")
  ])
  const host = AgentHost.make({
    name: "bough",
    packs,
    environment: {
      variables: { PATH: "/usr/local/bin:/usr/bin:/bin", LANG: "C.UTF-8", HOME: desk.home },
      platform: process.platform,
      home: desk.home,
      currentDirectory: join(desk.workspace, folder),
      user: "ada"
    }
  })
  return yield* Effect.gen(function* () {
    const session = yield* AgentHost.open(host, { model, channel })
    const { status } = yield* session.run({ text: "please do it", media: [] })
    assert.strictEqual(status, "completed")
    const prompt = (yield* script.prompts).at(-1)
    const read = (prompt?.messages ?? []).flatMap((message) => (message._tag === "ToolResult" ? [message.output] : []))
    assert.lengthOf(read, calls.length)
    const store = yield* SessionStore.SessionStore
    const entries = yield* store.entries(session.sessionId, 0, 1000)
    if (undoes) {
      const undone = { session: session.sessionId, calls: yield* WorkspaceChanges.read(store, session.sessionId) }
      yield* session.snapshots?.undo({ ...undone, turn: null, isForced: false }) ?? Effect.die("nothing is recorded")
    }
    return { read, asked: asked.length, bodies: entries.map(({ body }) => body) }
  }).pipe(Effect.scoped, Effect.provide(SessionStoreSql.layer({ directory: AgentHost.dataDirectory(host) })))
})

const serve = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(Effect.map((server) => (server.address() as AddressInfo).port))

/** A registry with one package, as npm asks it. */
const registry = Effect.fnUntraced(function* ({ root }: Desk) {
  write(join(root, "packed/package/package.json"), '{"name":"small-thing","version":"1.2.3","main":"index.js"}')
  write(join(root, "packed/package/index.js"), 'module.exports = "small thing"')
  execFileSync("tar", ["czf", "out.tgz", "package"], { cwd: join(root, "packed") })
  const bytes = readFileSync(join(root, "packed/out.tgz"))
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`
  return yield* serve(({ headers, url = "" }, response) => {
    if (url.endsWith(".tgz")) return void response.end(bytes)
    if (url !== "/small-thing") return void response.writeHead(404).end("{}")
    const dist = { tarball: `http://${headers.host}/small-thing-1.2.3.tgz`, integrity }
    const versions = { "1.2.3": { name: "small-thing", version: "1.2.3", main: "index.js", dist } }
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ name: "small-thing", "dist-tags": { latest: "1.2.3" }, versions }))
  })
})

/** An index of Python packages with one wheel, as pip asks it. */
const pythonIndex = Effect.fnUntraced(function* ({ root }: Desk) {
  const name = "small_thing-1.2.3-py3-none-any.whl"
  const made = `import zipfile
wheel = zipfile.ZipFile("${name}", "w")
wheel.writestr("small_thing.py", "def says(): return 'small thing'")
wheel.writestr("small_thing-1.2.3.dist-info/METADATA", "Metadata-Version: 2.1\\nName: small-thing\\nVersion: 1.2.3\\n")
wheel.writestr("small_thing-1.2.3.dist-info/WHEEL", "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
wheel.writestr("small_thing-1.2.3.dist-info/RECORD", "")
wheel.close()
`
  execFileSync("/usr/bin/python3", ["-c", made], { cwd: root })
  const bytes = readFileSync(join(root, name))
  return yield* serve(({ url = "" }, response) => {
    if (url.endsWith(".whl")) return void response.end(bytes)
    if (url !== "/simple/small-thing/") return void response.writeHead(404).end()
    response.setHeader("content-type", "text/html")
    response.end(`<!DOCTYPE html><html><body><a href="/files/${name}">${name}</a></body></html>`)
  })
})

/** Python's own server, on a port that it writes to a file once it listens. */
const devServer = `import http.server, os
served = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
open("port.part", "w").write(str(served.server_address[1])); os.rename("port.part", "port")
print("listening", flush=True)
served.serve_forever()
`

describe.skipIf(needed.skip)(`An ordinary job${needed.suffix}`, { timeout: 120_000 }, () => {
  it.live.skipIf(!npm)("installs a dependency: the registry is asked about once", () =>
    Effect.gen(function* () {
      const here = yield* desk
      const port = yield* registry(here)
      configure(here, { network: { allow: [{ host: "localhost", port }] } })
      // The stand-in has a name that programs keep from their proxies.
      const install = `NO_PROXY= no_proxy= npm_config_noproxy= npm install --no-audit --no-fund --registry http://localhost:${port} small-thing`
      const { asked, read } = yield* play(here, [run(install), run(`node -p 'require("small-thing")'`)])
      assert.match(read[1] ?? "", /^small thing\n\[exit 0/u, read.join("\n"))
      assert.strictEqual(asked, 1)
    })
  )

  it.live.skipIf(!pip)("installs a Python package: the index is asked about once", () =>
    Effect.gen(function* () {
      const here = yield* desk
      const port = yield* pythonIndex(here)
      configure(here, { network: { allow: [{ host: "localhost", port }] } })
      const index = `--index-url http://localhost:${port}/simple --trusted-host localhost`
      const install = `NO_PROXY= no_proxy= python3 -m pip install --disable-pip-version-check -q --target lib ${index} small-thing`
      const { asked, read } = yield* play(here, [
        run(install),
        run(`PYTHONPATH=lib python3 -c 'import small_thing; print(small_thing.says())'`)
      ])
      assert.match(read[1] ?? "", /^small thing\n\[exit 0/u, read.join("\n"))
      assert.strictEqual(asked, 1)
    })
  )

  it.live("edits, tests and commits: nothing is asked", () =>
    Effect.gen(function* () {
      const here = yield* desk
      const test = "import sum\nassert sum.double(4) == 8\nprint('ok')\n"
      const { asked, read } = yield* play(here, [
        ["write_file", { path: "src/test_sum.py", content: test }],
        run("python3 src/test_sum.py"),
        [
          "edit_file",
          {
            path: "src/sum.py",
            edits: [{ old: "    return a + b\n", new: "    return a + b\n\n\ndef double(a):\n    return add(a, a)\n" }]
          }
        ],
        run("python3 src/test_sum.py"),
        run("git add src/sum.py src/test_sum.py && git commit -qm 'Add double' && git log --oneline | wc -l")
      ])
      assert.match(read[1] ?? "", /AttributeError[\s\S]*\[exit 1/u)
      assert.match(read[3] ?? "", /^ok\n/u)
      assert.match(git(here, "log", "-1", "--format=%an %s"), /^Ada Add double/u)
      assert.strictEqual(git(here, "status", "--porcelain", "--untracked-files=no"), "")
      assert.strictEqual(asked, 0)
    })
  )

  it.live("branches, rebases and merges: nothing is asked", () =>
    Effect.gen(function* () {
      const here = yield* desk
      const commit = (name: string) => `echo ${name} > ${name} && git add ${name} && git commit -qm ${name}`
      const { asked, read } = yield* play(here, [
        run(`git switch -qc feature && ${commit("one")} && git switch -q main && ${commit("two")}`),
        run("git switch -q feature && git rebase -q main && git switch -q main && git merge -q --ff-only feature"),
        run("git stash list; git branch -d feature")
      ])
      assert.strictEqual(git(here, "log", "--format=%s"), "one\ntwo\nfirst\n", read.join("\n"))
      assert.strictEqual(asked, 0)
    })
  )

  it.live("works in a linked worktree and commits to its branch: nothing is asked", () =>
    Effect.gen(function* () {
      const here = yield* desk
      const tree = join(here.root, "tree")
      git(here, "worktree", "add", "-qb", "side", tree)
      const { asked, read } = yield* play({ ...here, workspace: tree }, [
        run(
          "git branch --show-current && echo x > added && git add added && git commit -qm added && git log --oneline | wc -l"
        ),
        run("git worktree list && git diff --stat main..side")
      ])
      assert.strictEqual(git(here, "log", "--format=%s", "side"), "added\nfirst\n", read.join("\n"))
      assert.strictEqual(git(here, "log", "--format=%s", "main"), "first\n")
      assert.include(read[1], "added")
      assert.strictEqual(asked, 0)
    })
  )

  it.live("continues in the session's shell where the command before ended: nothing is asked", () =>
    Effect.gen(function* () {
      const here = yield* desk
      configure(here, { sandbox: "session" })
      const { asked, read } = yield* play(here, [
        run("cd src; export STAGE=test; greet() { echo hello $1; }"),
        run("pwd; greet $STAGE; echo done > here && git add here && git commit -qm here"),
        run("exit 3"),
        run("pwd; type greet")
      ])
      assert.match(read[1] ?? "", /work\/src\nhello test\n/u)
      assert.match(read[2] ?? "", /fresh shell/u)
      assert.match(read[3] ?? "", /work\/src\n[^]*greet: not found/u)
      assert.strictEqual(git(here, "log", "-1", "--format=%s"), "here\n", read.join("\n"))
      assert.strictEqual(asked, 0)
    })
  )

  it.live("pushes to its remote with the user's rights: asked once", () =>
    Effect.gen(function* () {
      const here = yield* desk
      git(here, "init", "-q", "--bare", join(here.root, "remote.git"))
      git(here, "remote", "add", "origin", join(here.root, "remote.git"))
      const { asked, read } = yield* play(here, [
        run("git push -q origin main", { escalate: { to: "host", reason: "the remote is outside" } })
      ])
      assert.match(read[0] ?? "", /\[exit 0/u)
      assert.strictEqual(git(here, "ls-remote", "origin", "main").split("\t")[0], git(here, "rev-parse", "main").trim())
      assert.strictEqual(asked, 1)
    })
  )

  it.live("works in one folder of a monorepo and sees the others: nothing is asked", () =>
    Effect.gen(function* () {
      const here = yield* desk
      write(join(here.workspace, "packages/a/index.js"), 'console.log(require("../b").name)\n')
      write(join(here.workspace, "packages/b/index.js"), 'exports.name = "b"\n')
      const { asked, read } = yield* play(
        here,
        [
          ["read_file", { path: "../b/index.js" }],
          run("node index.js && git rev-parse --show-prefix && cat ../../package.json"),
          ["write_file", { path: "../b/index.js", content: 'exports.name = "better"\n' }],
          run("node index.js")
        ],
        { folder: "packages/a" }
      )
      assert.include(read[0] ?? "", "exports.name")
      assert.match(read[1] ?? "", /^b\npackages\/a\/\n\{"name":"shop"/u)
      assert.match(read[3] ?? "", /^better\n/u)
      assert.strictEqual(asked, 0)
    })
  )

  it.live("starts a development server, asks it from another command and stops it: nothing is asked", () =>
    Effect.gen(function* () {
      const here = yield* desk
      write(join(here.workspace, "serve.py"), devServer)
      write(
        join(here.workspace, "ask.py"),
        `import urllib.request as u
opener = u.build_opener(u.ProxyHandler({}))
print(opener.open("http://127.0.0.1:" + open("port").read() + "/package.json").read().decode())
`
      )
      const { asked, bodies, read } = yield* play(here, [
        ["start_command", { argv: ["python3", "serve.py"], waitMillis: 20_000 }],
        run("until [ -e port ]; do sleep 0.02; done; python3 ask.py"),
        ["read_command_output", { commandId: "cmd-1" }],
        ["stop_command", { commandId: "cmd-1" }]
      ])
      assert.include(read[1] ?? "", '{"name":"shop"')
      assert.match(read[2] ?? "", /\[port \d+: commands .*reach it at 127\.0\.0\.1:\d+/u)
      assert.isTrue(bodies.some((body) => body._tag === "CommandEnded" && body.reason === "stopped"))
      assert.strictEqual(asked, 0)
    })
  )

  it.live("talks to a debugger line by line: nothing is asked", () =>
    Effect.gen(function* () {
      const here = yield* desk
      write(join(here.workspace, "main.py"), "total = 1\nfor n in range(4):\n    total += n\nprint(total)\n")
      const tell = (text: string): Call => ["write_command_input", { commandId: "cmd-1", text, waitMillis: 20_000 }]
      const { asked, bodies, read } = yield* play(here, [
        ["start_command", { argv: ["python3", "-u", "-m", "pdb", "main.py"], waitMillis: 20_000 }],
        tell("next\n"),
        tell('!open("seen.part", "w").write(str(total + 40)); import os; os.rename("seen.part", "seen")\n'),
        run("until [ -e seen ]; do sleep 0.02; done; cat seen"),
        ["stop_command", { commandId: "cmd-1" }]
      ])
      assert.match(read[3] ?? "", /^41\n/u)
      assert.isTrue(bodies.some((body) => body._tag === "CommandEnded"))
      assert.strictEqual(asked, 0)
    })
  )

  it.live("reads the end of a failing build of 3,000 lines, with its errors: nothing is asked", () =>
    Effect.gen(function* () {
      const here = yield* desk
      const { asked, read } = yield* play(here, [
        run(`python3 -c '
import sys
for n in range(3000): print("compiling module", n, "of the whole shop")
sys.stdout.flush(); print("ERROR: undefined name teh", file=sys.stderr)
sys.exit(2)'`)
      ])
      assert.match(read[0] ?? "", /^compiling module 0 /u)
      assert.match(read[0] ?? "", /compiling module 2999 [^\n]*\nERROR: undefined name teh\n\[exit 2/u)
      assert.isBelow((read[0] ?? "").length, 60_000)
      assert.strictEqual(asked, 0)
    })
  )

  it.live("is refused a service of the machine at once, and told why: nothing is asked", () =>
    Effect.gen(function* () {
      const here = yield* desk
      const { asked, read } = yield* play(here, [
        run(`python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("/var/run/docker.sock")'`),
        run("cat ~/.ssh/id_ed25519; touch /usr/local/bin/tool")
      ])
      assert.match(
        read[0] ?? "",
        /\[sandbox: commands reach no service of this machine by its socket; use escalate to "host"\]/u
      )
      assert.match(read[1] ?? "", /\[sandbox: this place is read-only for commands; use escalate to "write"\]/u)
      assert.strictEqual(asked, 0)
    })
  )

  it.live("has a watcher run the tests again after an edit, and all of it is undone: nothing is asked", () =>
    Effect.gen(function* () {
      const here = yield* desk
      const watch = `last=; while :; do now=$(cat src/sum.py); if [ "$now" != "$last" ]; then last=$now
        python3 -c 'import sys; sys.path.insert(0, "src"); import sum; print("sum is", sum.add(2, 3))'; fi; sleep 0.05; done`
      const before = readFileSync(join(here.workspace, "src/sum.py"), "utf8")
      const { asked, read } = yield* play(
        here,
        [
          ["start_command", { command: watch, waitMillis: 20_000 }],
          ["edit_file", { path: "src/sum.py", edits: [{ old: "a + b", new: "a + b + 100" }] }],
          ["read_command_output", { commandId: "cmd-1", fromOffset: "sum is 5\n".length, waitMillis: 20_000 }],
          ["stop_command", { commandId: "cmd-1" }],
          run("rm src/sum.py && echo more > notes.txt"),
          ["delete_path", { path: "package.json" }]
        ],
        { undoes: true }
      )
      assert.match(read[0] ?? "", /^sum is 5\n/u)
      assert.match(read[2] ?? "", /sum is 105/u)
      assert.strictEqual(readFileSync(join(here.workspace, "src/sum.py"), "utf8"), before)
      assert.isTrue(existsSync(join(here.workspace, "package.json")))
      assert.isFalse(existsSync(join(here.workspace, "notes.txt")))
      assert.strictEqual(asked, 0)
    })
  )
})

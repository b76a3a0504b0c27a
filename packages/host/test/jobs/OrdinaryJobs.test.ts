/**
 * Ten jobs of an ordinary day, played with the real host, sandbox, git and registries on loopback by a scripted model.
 * A user who approves everything is attached, and the approvals are counted: each job states how many it may need at
 * most.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { requires } from "../../../../test/requirements.ts"
import { thoroughOnly } from "../../../../test/thorough.ts"
import { type Call, configure, desk, devServer, git, play, pythonIndex, registry, run, write } from "./Desk.ts"

const needed = requires("linux", "bubblewrap", "git", "python")
const npm = existsSync("/usr/bin/npm")
const pip = spawnSync("/usr/bin/python3", ["-m", "pip", "--version"]).status === 0

describe.skipIf(needed.skip)(`An ordinary job${needed.suffix}`, () => {
  it.live.skipIf(!npm)("installs a dependency: one approval, for the registry", () =>
    Effect.gen(function* () {
      const here = yield* desk
      const port = yield* registry(here)
      configure(here, { network: { allow: [{ host: "localhost", port }] } })
      // The stand-in has a name that programs exempt from their proxies.
      const install = `NO_PROXY= no_proxy= npm_config_noproxy= npm install --no-audit --no-fund --registry http://localhost:${port} small-thing`
      const { asked, read } = yield* play(here, [run(install), run(`node -p 'require("small-thing")'`)])
      assert.match(read[1] ?? "", /^small thing\n\[exit 0/u, read.join("\n"))
      assert.strictEqual(asked, 1)
    })
  )

  it.live.skipIf(!pip)(
    "installs a Python package: one approval, for the index",
    () =>
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
      }),
    thoroughOnly
  )

  it.live("edits, tests and commits: no approval", () =>
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

  it.live(
    "branches, rebases and merges: no approval",
    () =>
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
      }),
    thoroughOnly
  )

  it.live(
    "works in a linked worktree and commits to its branch: no approval",
    () =>
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
      }),
    thoroughOnly
  )

  it.live(
    "continues in the session's shell in the directory of the last command: no approval",
    () =>
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
      }),
    thoroughOnly
  )

  it.live(
    "pushes to its remote with the user's rights: one approval",
    () =>
      Effect.gen(function* () {
        const here = yield* desk
        git(here, "init", "-q", "--bare", join(here.root, "remote.git"))
        git(here, "remote", "add", "origin", join(here.root, "remote.git"))
        const { asked, read } = yield* play(here, [
          run("git push -q origin main", { escalate: { to: "host", reason: "the remote is outside" } })
        ])
        assert.match(read[0] ?? "", /\[exit 0/u)
        assert.strictEqual(
          git(here, "ls-remote", "origin", "main").split("\t")[0],
          git(here, "rev-parse", "main").trim()
        )
        assert.strictEqual(asked, 1)
      }),
    thoroughOnly
  )

  it.live("pushes by its tool after it has read files: one approval, which shows the commits", () =>
    Effect.gen(function* () {
      const here = yield* desk
      git(here, "init", "-q", "--bare", join(here.root, "remote.git"))
      git(here, "remote", "add", "origin", join(here.root, "remote.git"))
      const { bodies } = yield* play(here, [
        ["read_file", { path: "src/sum.py" }],
        ["git_push", {}]
      ])
      const shown = bodies.flatMap((body) =>
        body._tag === "ApprovalAsked" ? [body.request.preview.render.split("\n")[0]] : []
      )
      assert.deepStrictEqual(shown, [`push main to origin, ${join(here.root, "remote.git")}`])
      assert.strictEqual(git(here, "ls-remote", "origin", "main").split("\t")[0], git(here, "rev-parse", "main").trim())
    })
  )

  it.live("works in one folder of a monorepo and sees the others: no approval", () =>
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

  it.live(
    "starts a development server, requests it from another command and stops it: no approval",
    () =>
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
      }),
    thoroughOnly
  )

  it.live(
    "talks to a debugger line by line: no approval",
    () =>
      Effect.gen(function* () {
        const here = yield* desk
        write(join(here.workspace, "main.py"), "total = 1\nfor n in range(4):\n    total += n\nprint(total)\n")
        const input = (text: string): Call => ["write_command_input", { commandId: "cmd-1", text, waitMillis: 20_000 }]
        const { asked, bodies, read } = yield* play(here, [
          ["start_command", { argv: ["python3", "-u", "-m", "pdb", "main.py"], waitMillis: 20_000 }],
          input("next\n"),
          input('!open("seen.part", "w").write(str(total + 40)); import os; os.rename("seen.part", "seen")\n'),
          run("until [ -e seen ]; do sleep 0.02; done; cat seen"),
          ["stop_command", { commandId: "cmd-1" }]
        ])
        assert.match(read[3] ?? "", /^41\n/u)
        assert.isTrue(bodies.some((body) => body._tag === "CommandEnded"))
        assert.strictEqual(asked, 0)
      }),
    thoroughOnly
  )

  it.live("reads the end of a failing build of 3,000 lines, with its errors: no approval", () =>
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

  it.live("is refused a service of the machine at once, and told why: no approval", () =>
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

  it.live(
    "has a watcher run the tests again after an edit, and all of it is undone: no approval",
    () =>
      Effect.gen(function* () {
        const here = yield* desk
        const watch = `last=; while :; do now=$(cat src/sum.py); if [ "$now" != "$last" ]; then last=$now
        python3 -Bc 'import sys; sys.path.insert(0, "src"); import sum; print("sum is", sum.add(2, 3))'; fi; sleep 0.05; done`
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
      }),
    thoroughOnly
  )
})

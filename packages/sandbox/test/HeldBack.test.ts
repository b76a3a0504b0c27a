/** One rule for both: files that file tools refuse or ask about, a command cannot change, read or create either. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"
import { withoutCredentials } from "../src/internal/Care.ts"
import { asRoot, bubblewrap, fresh, place, runIn } from "./Places.ts"

const write = (workspace: string, path: string, content = "theirs"): void => {
  mkdirSync(dirname(join(workspace, path)), { recursive: true })
  writeFileSync(join(workspace, path), content)
}

const git = (directory: string, ...args: ReadonlyArray<string>) =>
  spawnSync(
    "git",
    ["-C", directory, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always", ...args],
    {
      encoding: "utf8"
    }
  )

const repository = (directory: string): void => {
  mkdirSync(directory, { recursive: true })
  git(directory, "init", "-q")
  git(directory, "commit", "-q", "--allow-empty", "-m", "first")
}

/** Everything below a workspace except repositories, and the quarantined files by the suffix of their name. */
const tree = (workspace: string): ReadonlyArray<string> =>
  readdirSync(workspace, { recursive: true })
    .map(String)
    .filter((path) => !/(^|\/)\.git\/|^\.bough(\/held(\/\.gitignore)?)?$|^\.bough\/held\/[^/]+\//u.test(path))
    .map((path) => path.replace(/^\.bough\/held\/[0-9a-f]{8}-/u, "held:"))
    .toSorted()

const instructions = [
  "AGENTS.md",
  "CLAUDE.md",
  ".mcp.json",
  ".cursorrules",
  ".vscode/tasks.json",
  ".claude/settings.json",
  ".gitmodules",
  "docs/AGENTS.md",
  "sub/.vscode/settings.json"
]
const secrets = [
  ".env",
  ".envrc",
  ".npmrc",
  "id_rsa",
  "config/credentials.json",
  "certs/server.key",
  ".ssh/known_hosts",
  ".aws/credentials",
  ".config/gh/hosts.yml",
  ".cargo/credentials.toml",
  "deploy/terraform.tfstate",
  "kubeconfig",
  "api.p8",
  ".vault-token"
]

const suite = (name: string, owner: number | undefined, requirement: typeof bubblewrap) =>
  describe.skipIf(requirement.skip)(`A command in a workspace, ${name}${requirement.suffix}`, () => {
    it.live("changes no file that file tools ask about, in any way", () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh({}, owner)
        for (const path of instructions) write(workspace, path)
        const before = tree(workspace)
        const attempts = instructions.flatMap((path) => [
          `echo evil > ${path}`,
          `rm -f ${path}`,
          `mv ${path} away`,
          `cp plain ${path}`,
          `ln -f plain ${path}`,
          `sed -i s/theirs/evil/ ${path}`
        ])
        yield* run(`echo evil > plain; ${attempts.join("; ")}; rm -f plain away; true`)
        assert.deepStrictEqual(tree(workspace), before)
        for (const path of instructions) assert.strictEqual(readFileSync(join(workspace, path), "utf8"), "theirs")
      })
    )

    it.live("reads no secret, and the host's files keep theirs", () =>
      Effect.gen(function* () {
        const { run, sandbox, workspace } = yield* fresh({}, owner)
        for (const path of secrets) write(workspace, path, "canary-5150")
        write(workspace, ".npmrc", "engine-strict=true\n//registry.example/:_authToken=canary-5150\n")
        const look = `for f in ${secrets.join(" ")}; do cat $f; mv $f there; cat there; cp $f copy; cat copy; done; grep -r canary .; mv config moved; cat moved/*`
        for (const writable of [false, true]) {
          const { stdout } = yield* runIn(sandbox, workspace, writable)(look)
          assert.notInclude(stdout, "canary")
          assert.include(stdout, "engine-strict=true")
        }
        assert.strictEqual(readFileSync(join(workspace, ".env"), "utf8"), "canary-5150")
        assert.isNotEmpty((yield* run("ls -A")).stdout)
      })
    )

    it.live("reads no secret behind a link of its name, and programs find a file that they can read", () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh({}, owner)
        write(workspace, "config/production", "PASSWORD=canary-5150")
        symlinkSync("config/production", join(workspace, ".env"))
        write(workspace, "auth.json", '{"token":"canary-5150"}')
        write(workspace, ".yarnrc.yml", 'nodeLinker: node-modules\nnpmAuthToken: "canary-5150"\n')
        const { stdout } = yield* run("cat .env config/production auth.json .yarnrc.yml; cp .env copy; cat copy")
        assert.strictEqual(stdout, "{}\nnodeLinker: node-modules\n")
      })
    )

    it.live("cannot leave files that instruct agents or run in editors: they are quarantined and reported", () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh({}, owner)
        const made = [...instructions, ".env", ".npmrc", ".envrc"]
        const ran = yield* run(
          `mkdir -p ${[...new Set(made.map(dirname))].join(" ")}; for f in ${made.join(" ")}; do echo evil > $f; done; echo plain > kept; mkdir real; echo evil > real/x; ln -s real .idea; ln kept sub/CLAUDE.md`
        )
        assert.deepStrictEqual(
          tree(workspace).filter((path) => !path.startsWith("held:")),
          [".claude", ".vscode", "docs", "kept", "real", "real/x", "sub"].filter((path) => !path.startsWith("."))
        )
        const expected = [...made.map((path) => (path.includes("/.") ? ".vscode" : path)), ".idea", "CLAUDE.md"]
        assert.strictEqual(tree(workspace).filter((path) => path.startsWith("held:")).length, expected.length)
        for (const path of ["AGENTS.md", ".vscode", "docs/AGENTS.md", "sub/CLAUDE.md", ".idea"]) {
          assert.include(ran.stderr, `[bough: held back "${path}"`)
        }
        assert.strictEqual(git(workspace, "init", "-q").status, 0)
        assert.notInclude(git(workspace, "status", "--short", "-uall").stdout, "held")
      })
    )

    it.live("makes, changes and reads packages that contain such names themselves", () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh({}, owner)
        write(workspace, "node_modules/old/.vscode/settings.json")
        write(workspace, "node_modules/old/test/server.pem", "public")
        if (owner !== undefined) spawnSync("chown", ["-R", `${owner}`, workspace])
        const ran = yield* run(
          "cat node_modules/old/test/server.pem; rm -rf node_modules && mkdir -p node_modules/new/.vscode && echo x > node_modules/new/.vscode/a && echo x > node_modules/new/AGENTS.md && echo installed"
        )
        assert.strictEqual(ran.stdout, "publicinstalled\n")
        assert.strictEqual(ran.stderr, "")
        assert.isTrue(existsSync(join(workspace, "node_modules/new/AGENTS.md")))
      })
    )

    it.live("continues when a directory with instructions is moved, and cannot swap them by moving it", () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh({}, owner)
        write(workspace, "a/AGENTS.md")
        const moved = yield* run("mv a b && ls b")
        assert.deepStrictEqual([moved.stdout, moved.stderr], ["AGENTS.md\n", ""])
        yield* run("mv b c; mkdir b; echo evil > b/AGENTS.md")
        assert.deepStrictEqual(tree(workspace), ["b", "c", "c/AGENTS.md", "held:AGENTS.md"])
        assert.strictEqual(readFileSync(join(workspace, "c/AGENTS.md"), "utf8"), "theirs")
      })
    )
  })

suite("run by the user of the tests", undefined, bubblewrap)
suite("run by root for an ordinary user", 65_534, asRoot)

describe.skipIf(bubblewrap.skip)(`Repositories below the workspace${bubblewrap.suffix}`, () => {
  /** Files that a user's own git runs, if a command could name them. */
  const canary = (workspace: string) => {
    git(workspace, "status", "--short")
    git(workspace, "-c", "status.submoduleSummary=true", "status")
    return existsSync(join(dirname(workspace), "CANARY"))
  }
  const evil = (path: string) =>
    `git init -q ${path}; git -C ${path} -c user.email=a@b -c user.name=x commit -q --allow-empty -m y; git -C ${path} config core.fsmonitor "touch $PWD/../CANARY; false"`

  it.live("a submodule is not replaced by a repository of the command's own", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh()
      repository(join(directory, "library"))
      repository(workspace)
      assert.strictEqual(git(workspace, "submodule", "add", "-q", join(directory, "library"), "sub").status, 0)
      git(workspace, "commit", "-qm", "sub")
      const pointer = readFileSync(join(workspace, "sub/.git"), "utf8")
      yield* run(`rm sub/.git; ${evil("sub")}; echo done`)
      assert.strictEqual(readFileSync(join(workspace, "sub/.git"), "utf8"), pointer)
      const moved = yield* run(`mv sub gone; mkdir sub; ${evil("sub")}`)
      assert.include(moved.stderr, '[bough: held back "sub/.git"')
      assert.isFalse(existsSync(join(workspace, "sub/.git")))
      assert.isFalse(canary(workspace))
    })
  )

  it.live("an embedded repository, a bare one and one that a file leads to keep their configuration and hooks", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      repository(workspace)
      repository(join(workspace, "deep/er/inner"))
      repository(join(workspace, "node_modules/dependency"))
      git(workspace, "init", "-q", "--bare", "bare")
      repository(join(workspace, "named"))
      renameSync(join(workspace, "named/.git"), join(workspace, "store"))
      rmSync(join(workspace, "store/objects"), { recursive: true })
      writeFileSync(join(workspace, "named/.git"), "gitdir: ../store\n")
      const places = ["deep/er/inner/.git", "node_modules/dependency/.git", "bare", "store"]
      const attempts = places.flatMap((path) => [
        `echo evil >> ${path}/config`,
        `mkdir -p ${path}/hooks; echo evil > ${path}/hooks/pre-commit`,
        `mv ${path} gone`,
        `rm -rf ${path}`
      ])
      const ran = yield* run(
        `${attempts.join("; ")}; git -C deep/er/inner log --format=%s; git -C bare rev-parse --is-bare-repository`
      )
      assert.strictEqual(ran.stdout, "first\ntrue\n")
      for (const path of places) {
        assert.notInclude(readFileSync(join(workspace, path, "config"), "utf8"), "evil")
        assert.isFalse(existsSync(join(workspace, path, "hooks/pre-commit")))
      }
    })
  )

  const ways: Readonly<Record<string, string>> = {
    "git init in a folder": "git init -q made",
    "git init in a folder of packages": "mkdir -p node_modules/p; git init -q node_modules/p",
    "a folder that is moved into place":
      "git init -q --separate-git-dir=$PWD/other made; rm made/.git; mv other made/.git",
    "a copy": "mkdir made; cp -r /tmp/x/.git made/.git",
    "a file that leads to one in /tmp": "mkdir made; echo gitdir: /tmp/x/.git > made/.git",
    "a link": "mkdir made; ln -s /tmp/x/.git made/.git",
    "another spelling": "mkdir -p made/.GIT; echo evil > made/.GIT/config",
    "a bare repository": "git init -q --bare made",
    "a folder that cannot be read": "git init -q made; chmod 000 made",
    "a process that goes on": "(sleep 0.2; git init -q made) & sleep 0.4",
    "a command that fails": "git init -q made; exit 3",
    "a command that kills itself": "git init -q made; kill -9 $$"
  }
  for (const [name, way] of Object.entries(ways)) {
    it.live(`a new one is quarantined: ${name}`, () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh()
        const ran = yield* run(`git init -q /tmp/x; ${way}`)
        if (existsSync(join(workspace, "made"))) chmodSync(join(workspace, "made"), 0o755)
        assert.match(ran.stderr, /\[bough: held back "/u)
        const left = tree(workspace).filter((path) => /(^|\/)(\.git|HEAD)$/iu.test(path))
        assert.deepStrictEqual(left, [])
      })
    )
  }

  it.live.skipIf(asRoot.skip)(
    `a new one is quarantined in a folder that its owner cannot read${asRoot.suffix}`,
    () =>
      Effect.gen(function* () {
        const { workspace } = yield* place(65_534)
        const agent = fileURLToPath(new URL("Agent.ts", import.meta.url))
        const ran = spawnSync(
          process.execPath,
          [agent, workspace, "git init -q made; mkdir dark; chmod 000 made; chmod 311 dark"],
          {
            encoding: "utf8",
            env: { PATH: "/usr/bin:/bin" },
            uid: 65_534,
            gid: 65_534
          }
        )
        assert.include(ran.stdout, 'held back \\"made\\"')
        assert.deepStrictEqual(readdirSync(workspace), [".bough"])
      }),
    thoroughOnly
  )

  it.live("a new one is quarantined beside folders that are deeper than a path's limit", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      const ran = yield* run(
        "n=$(printf '%0200d' 0); d=; for i in $(seq 18); do d=$d/$n; done; mkdir -p x$d y$d && git init -q y/$n && mv y x$d/ && git init -q x && echo moved"
      )
      assert.strictEqual(ran.stdout, "moved\n")
      assert.include(ran.stderr, 'held back "x/.git"')
      const again = yield* run("git init -q made; echo went on")
      assert.strictEqual(again.stdout, "went on\n")
      assert.isFalse(existsSync(join(workspace, "made/.git")))
    })
  )

  it.live("one that a user makes or replaces meanwhile stays", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      write(workspace, "AGENTS.md")
      const running = run("echo started; until [ -e go ]; do sleep 0.02; done", {
        onOutput: () =>
          Effect.sync(() => {
            writeFileSync(join(workspace, "new"), "edited")
            renameSync(join(workspace, "new"), join(workspace, "AGENTS.md"))
            writeFileSync(join(workspace, "go"), "")
          })
      })
      // A command that runs longer after the replacement is ended.
      const output = yield* Effect.match(running, {
        onSuccess: ({ stderr }) => stderr,
        onFailure: (error) => (error._tag === "PermissionDenied" ? "" : error._tag)
      })
      assert.strictEqual(output, "")
      assert.strictEqual(readFileSync(join(workspace, "AGENTS.md"), "utf8"), "edited")
    })
  )

  it.live("the quarantine follows no link", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh()
      mkdirSync(join(directory, "outside"))
      mkdirSync(join(workspace, ".bough"))
      symlinkSync(join(directory, "outside"), join(workspace, ".bough/held"))
      const ran = yield* run("git init -q made")
      assert.include(ran.stderr, "could not be moved away")
      assert.deepStrictEqual(readdirSync(join(directory, "outside")), [])
    })
  )

  it.live("one of our names that was two files before stays two files", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      write(workspace, "AGENTS.md")
      linkSync(join(workspace, "AGENTS.md"), join(workspace, "CLAUDE.md"))
      const ran = yield* run("echo evil > AGENTS.md; echo evil > CLAUDE.md; rm -f CLAUDE.md; cat CLAUDE.md")
      assert.strictEqual(ran.stdout, "theirs")
    })
  )

  it.live("credentials in the configuration of a submodule are not read", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh()
      repository(join(directory, "library"))
      repository(workspace)
      git(workspace, "submodule", "add", "-q", join(directory, "library"), "deep/sub")
      git(join(workspace, "deep/sub"), "remote", "add", "private", "https://me:canary-31@host.example/x.git")
      const ran = yield* run("cat .git/modules/deep/sub/config; git -C deep/sub remote -v")
      assert.notInclude(ran.stdout, "canary-31")
      assert.include(ran.stdout, "https://host.example/x.git")
    })
  )

  it.live("credentials in a repository's configuration are not read, the rest is", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh()
      repository(workspace)
      git(workspace, "remote", "add", "origin", "https://me:canary-31@host.example/x.git")
      git(workspace, "config", "http.extraheader", "Authorization: canary-31")
      const ran = yield* run(
        "cat .git/config; git remote -v; git status --short; git log --format=%s; cp -r .git copy; cat copy/config"
      )
      assert.notInclude(ran.stdout, "canary-31")
      assert.include(ran.stdout, "https://host.example/x.git")
      assert.include(ran.stdout, "first")
    })
  )
})

describe("A repository's configuration without credentials", () => {
  it("is the same if there are none", () => {
    const plain =
      '[remote "origin"]\n\turl = https://host.example/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[user]\n\temail = a@b\n'
    assert.strictEqual(withoutCredentials(plain), plain)
  })
  it.each([
    ["url = https://me:secret@host.example/x", "url = https://host.example/x"],
    ["url = https://secret@host.example/x", "url = https://host.example/x"],
    ["\tExtraHeader = Authorization: secret\n", ""],
    ['[url "https://secret@host.example/"]', '[url "https://host.example/"]']
  ])("%j", (line, plain) => assert.strictEqual(withoutCredentials(line), plain))
})

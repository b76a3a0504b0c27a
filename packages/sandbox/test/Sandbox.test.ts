/** The backend of a session: its reach, the preconditions of an approval, and its environment. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Limits, Sandbox, type Settings } from "../src/index.ts"
import {
  asRoot,
  bubblewrap,
  environment,
  eventually,
  fresh,
  linux,
  nodeDirectory,
  place,
  processesWith,
  runIn,
  sleeper
} from "./Places.ts"

const provided = (settings: Partial<Settings.Settings>, root = "/nonexistent", writable = true) =>
  Effect.map(Sandbox.make(settings, environment), (sandbox) => sandbox.provided({ root, writable }))

describe("Sandbox", () => {
  it.live("only the host backend reaches the host", () =>
    Effect.gen(function* () {
      const reaches = yield* Effect.forEach(["bubblewrap", "host", "disabled"] as const, (backend) =>
        Effect.map(provided({ backend }), ({ reach }) => reach)
      )
      assert.deepStrictEqual(reaches, ["Confined", "Host", "Confined"])
    })
  )

  it.live("an approval depends on all settings of the operator, and on nothing that changes by itself", () =>
    Effect.gen(function* () {
      const variants: ReadonlyArray<Effect.Effect<{ readonly preconditions: unknown }>> = [
        provided({}),
        provided({ backend: "host" }),
        provided({}, "/elsewhere"),
        provided({}, "/nonexistent", false),
        provided({ readOnlyPaths: ["/opt/x"] }),
        provided({ hiddenPaths: ["/opt/x"] }),
        provided({ unixSockets: true }),
        provided({ environmentKeys: ["API_KEY"] }),
        provided({ limits: { ...Limits.defaults, cpuSeconds: 1 } })
      ]
      const seen = yield* Effect.forEach(variants, (variant) =>
        Effect.map(variant, ({ preconditions }) => JSON.stringify(preconditions))
      )
      assert.strictEqual(new Set(seen).size, variants.length)
      assert.strictEqual(seen[0], yield* Effect.map(provided({}), ({ preconditions }) => JSON.stringify(preconditions)))
      assert.notInclude(seen.join(), "canary")
    })
  )

  it.live("the variables named to an approval are those that a command has", () =>
    Effect.gen(function* () {
      for (const backend of bubblewrap.skip ? (["host"] as const) : (["bubblewrap", "host"] as const)) {
        const { run, sandbox, workspace } = yield* fresh({ backend, environmentKeys: ["NOT_THERE"] })
        const keys = sandbox
          .provided({ root: workspace, writable: true })
          .preconditions.flatMap((one) => (one._tag === "EnvironmentKeys" ? one.keys : []))
        const { stdout } = yield* run({ argv: ["env"] })
        const has = stdout
          .trim()
          .split("\n")
          .map((line) => line.slice(0, line.indexOf("=")))
        assert.deepStrictEqual(has.filter((key) => key !== "PWD").toSorted(), [...keys])
        assert.notInclude(stdout, "canary")
      }
    })
  )
})

describe.skipIf(linux.skip)(`On the host${linux.suffix}`, () => {
  it.live("a command runs in the workspace as the operator, without the operator's secrets", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh({ backend: "host", environmentKeys: ["GIT_SSH_COMMAND"] })
      const { stdout } = yield* run("pwd; id -u; env")
      assert.include(stdout, `${workspace}\n${process.getuid?.()}\n`)
      assert.include(stdout, "GIT_SSH_COMMAND=evil")
      for (const word of ["canary-5e1f", "LD_PRELOAD", "NODE_OPTIONS", "BASH_ENV"]) assert.notInclude(stdout, word)
    })
  )

  it.live("a command is marked as one, also in its children and if the operator names the mark", () =>
    Effect.gen(function* () {
      for (const environmentKeys of [[], ["BOUGH_COMMAND"]]) {
        const { run } = yield* fresh({ backend: "host", environmentKeys })
        assert.strictEqual((yield* run("sh -c 'echo $BOUGH_COMMAND'")).stdout, "1\n")
        assert.strictEqual((yield* run({ argv: ["printenv", "BOUGH_COMMAND"] })).stdout, "1\n")
      }
    })
  )

  it.live("a working directory behind a link that leads outside is refused", () =>
    Effect.gen(function* () {
      const { directory, run, workspace } = yield* fresh({ backend: "host" })
      mkdirSync(join(directory, "outside"))
      symlinkSync(join(directory, "outside"), join(workspace, "link"))
      const error = yield* Effect.flip(run("pwd", { cwd: "link" }))
      assert.deepInclude(Object.assign({}, error), { _tag: "ValidationError", field: "cwd" })
    })
  )

  it.live("the process group ends with the command, and no call waits for a process that left it", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh({ backend: "host" })
      const [inGroup, outside] = [sleeper(), sleeper()]
      const ran = yield* run(
        `sleep ${inGroup} & setsid sh -c 'echo $$ > pid; exec sleep ${outside}' & until [ -s pid ]; do sleep 0.01; done; echo done`,
        { timeoutMillis: 240_000 }
      )
      assert.strictEqual(ran.stdout, "done\n")
      assert.isTrue(yield* eventually(() => processesWith(inGroup) === 0))
      spawnSync("sh", ["-c", `kill -9 $(cat ${workspace}/pid)`])
      assert.isTrue(yield* eventually(() => processesWith(outside) === 0))
    })
  )

  it.live("a timeout kills the group", () =>
    Effect.gen(function* () {
      const { run } = yield* fresh({ backend: "host" })
      const seconds = sleeper()
      const error = yield* Effect.flip(run(`sleep ${seconds} & sleep ${seconds}`, { timeoutMillis: 300 }))
      assert.strictEqual(error._tag, "Timeout")
      assert.isTrue(yield* eventually(() => processesWith(seconds) === 0))
    })
  )
})

describe.skipIf(bubblewrap.skip)(`Before the first command${bubblewrap.suffix}`, () => {
  it.live("a sandbox is tested once, by the preparation or the first command", () =>
    Effect.gen(function* () {
      const { directory, workspace } = yield* place()
      const [program, runs] = [join(directory, "bwrap"), join(directory, "runs")]
      writeFileSync(program, `#!/bin/sh\necho >> ${runs}\nexec /usr/bin/env bwrap "$@"\n`, { mode: 0o755 })
      const sandbox = yield* Sandbox.make({ program }, environment)
      const { prepare } = sandbox.provided({ root: workspace, writable: true })
      assert.isDefined(prepare)
      const [, { stdout }] = yield* Effect.all([prepare, runIn(sandbox, workspace)("echo ran")], { concurrency: 2 })
      assert.strictEqual(stdout, "ran\n")
      yield* prepare
      // A query of the cached test, the test, and the command itself.
      assert.strictEqual(readFileSync(runs, "utf8"), "\n\n\n")
    })
  )
})

describe.skipIf(bubblewrap.skip)(`The operator's shown and hidden paths${bubblewrap.suffix}`, () => {
  it.live("a path that is shown can be read and not written; a hidden one in the workspace is empty", () =>
    Effect.gen(function* () {
      const { directory, workspace } = yield* place()
      for (const path of [join(directory, "tools/deep"), join(workspace, "data"), join(directory, "tools/secret")]) {
        mkdirSync(path, { recursive: true })
        writeFileSync(join(path, "file"), "content")
      }
      const settings = {
        readOnlyPaths: [join(directory, "tools")],
        hiddenPaths: [join(workspace, "data"), join(directory, "tools/secret"), "/nonexistent/x"]
      }
      const sandbox = yield* Sandbox.make(settings, environment)
      const ran = yield* runIn(
        sandbox,
        workspace
      )(
        "cat ../tools/deep/file; echo x > ../tools/deep/file; ls data ../tools/secret; touch data/x ../tools/secret/x; mv data away; rmdir data"
      )
      assert.strictEqual(ran.stdout, "content../tools/secret:\n\ndata:\n")
      assert.isTrue(existsSync(join(workspace, "data/file")))
      assert.isFalse(existsSync(join(workspace, "data/x")))
    })
  )

  it.live("a hidden path deep in the workspace is not swapped by moving its parents", () =>
    Effect.gen(function* () {
      const { workspace } = yield* place()
      const hidden = join(workspace, "a/b/data")
      mkdirSync(hidden, { recursive: true })
      writeFileSync(join(hidden, "file"), "content")
      const sandbox = yield* Sandbox.make({ hiddenPaths: [hidden] }, environment)
      const swap = (directory: string) => `mv ${directory} gone; mkdir -p a/b/data; echo evil > a/b/data/file`
      const ran = yield* runIn(sandbox, workspace)(`${["a", "a/b", "a/b/data"].map(swap).join("; ")}; ls a/b/data`)
      assert.strictEqual(ran.stdout, "")
      assert.strictEqual(readFileSync(join(hidden, "file"), "utf8"), "content")
    })
  )

  it.live("a path hidden behind a link of the workspace refuses every command", () =>
    Effect.gen(function* () {
      const { workspace } = yield* place()
      mkdirSync(join(workspace, "real/data"), { recursive: true })
      symlinkSync("real", join(workspace, "link"))
      const sandbox = yield* Sandbox.make({ hiddenPaths: [join(workspace, "link/data")] }, environment)
      const error = yield* Effect.flip(runIn(sandbox, workspace)("rm link"))
      assert.include(error.message, "is behind a link of the workspace")
    })
  )

  it.live.skipIf(asRoot.skip)(
    `paths that the owner of a workspace cannot reach are skipped if root works for them${asRoot.suffix}`,
    () =>
      Effect.gen(function* () {
        const { directory } = yield* place()
        const { workspace } = yield* place(65_534)
        for (const name of ["closed/bin", "open/bin"]) {
          mkdirSync(join(directory, name), { recursive: true })
          writeFileSync(join(directory, name, `${name.slice(0, 4)}-tool`), "#!/bin/sh\necho ran\n", { mode: 0o755 })
        }
        chmodSync(join(directory, "closed"), 0o700)
        chmodSync(directory, 0o755)
        const path = [join(directory, "closed/bin"), join(directory, "open/bin"), environment.PATH].join(":")
        const sandbox = yield* Sandbox.make({}, { ...environment, PATH: path })
        assert.strictEqual((yield* runIn(sandbox, workspace)("open-tool; clos-tool")).stdout, "ran\n")
      })
  )

  it.live("Unix sockets can be created if the operator says so, and only then", () =>
    Effect.gen(function* () {
      const script =
        'require("node:net").createServer().listen("socket", () => { console.log("made"); process.exit() }).on("error", (error) => console.log(error.code))'
      const node = { argv: [join(nodeDirectory, "node"), "-e", script] }
      const closed = yield* fresh()
      assert.strictEqual((yield* closed.run(node)).stdout, "EAFNOSUPPORT\n")
      const open = yield* fresh({ unixSockets: true })
      assert.strictEqual((yield* open.run(node)).stdout, "made\n")
    })
  )

  it.live("a program of the operator's PATH is found, wherever it is installed", () =>
    Effect.gen(function* () {
      const { directory, workspace } = yield* place()
      const home = join(directory, "home")
      const programs = join(home, ".nvm/versions/node/v1/bin")
      mkdirSync(programs, { recursive: true })
      mkdirSync(join(home, ".ssh"))
      writeFileSync(join(home, ".ssh/key"), "canary-66")
      writeFileSync(join(home, ".nvm/versions/node/v1/lib"), "library")
      writeFileSync(join(programs, "tool"), `#!/bin/sh\ncat ${home}/.nvm/versions/node/v1/lib\n`, { mode: 0o755 })
      symlinkSync(programs, join(directory, "link"))
      const sandbox = yield* Sandbox.make(
        {},
        { ...environment, HOME: home, PATH: `${join(directory, "link")}:relative:/usr/bin:/bin` }
      )
      const ran = yield* runIn(
        sandbox,
        workspace
      )(`tool; cat ${home}/.ssh/key; ls -A ${home}; echo $HOME; touch $HOME/x && echo mine`)
      assert.strictEqual(ran.stdout, "library.nvm\n/tmp/home\nmine\n")
    })
  )

  it.live("a program that is a link to a package of npm or of pipx runs, and nothing beside the package is shown", () =>
    Effect.gen(function* () {
      const { directory, workspace } = yield* place()
      const home = join(directory, "home")
      const packages = [join(home, ".npm-global/lib/node_modules/one"), join(home, ".local/share/pipx/venvs/two")]
      const folders = [join(home, ".npm-global/bin"), join(home, ".local/bin")]
      for (const [index, folder] of folders.entries()) {
        const program = join(packages[index] ?? "", "program")
        mkdirSync(packages[index] ?? "", { recursive: true })
        mkdirSync(folder, { recursive: true })
        writeFileSync(program, `#!/bin/sh\necho ran ${index}\n`, { mode: 0o755 })
        symlinkSync(program, join(folder, `tool${index}`))
      }
      mkdirSync(join(home, ".local/share/keys"))
      writeFileSync(join(home, ".npm-global/etc"), "canary-67")
      const sandbox = yield* Sandbox.make(
        {},
        { ...environment, HOME: home, PATH: [...folders, environment.PATH].join(":") }
      )
      const { stdout } = yield* runIn(sandbox, workspace)(`tool0; tool1; ls ${home}/.npm-global ${home}/.local/share`)
      assert.match(stdout, /^ran 0\nran 1\n/u)
      assert.notMatch(stdout, /keys|etc/u)
    })
  )
})

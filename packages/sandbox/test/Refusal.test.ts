/** If the sandbox is incomplete, commands are refused with the missing part, and run in no other way. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { chmodSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { thoroughOnly } from "../../../test/thorough.ts"
import { filterDescriptor } from "../src/Bubblewrap.ts"
import * as BubblewrapExecution from "../src/BubblewrapExecution.ts"
import { Limits, Sandbox, SandboxReport } from "../src/index.ts"
import * as Machine from "../src/Machine.ts"
import * as Workshop from "../src/Workshop.ts"
import { asRoot, bubblewrap, environment, fresh, linux, place, runIn } from "./Places.ts"

const agent = fileURLToPath(new URL("Agent.ts", import.meta.url))

/** A `bwrap` that ignores one option. */
const without = (option: string, value: string): string => `#!/bin/sh
left=$#
while [ $left -gt 0 ]; do
  if [ "$1" = ${option} ] && [ "$2" = ${value} ]; then shift 2; left=$((left - 2)); else set -- "$@" "$1"; shift; left=$((left - 1)); fi
done
exec bwrap "$@"
`

describe.skipIf(linux.skip)(`A sandbox that is unavailable${linux.suffix}`, () => {
  it.live("is refused with the missing program and how to install it", () =>
    Effect.gen(function* () {
      const { run, sandbox, workspace } = yield* fresh({ program: "/nonexistent/bwrap" })
      const error = yield* Effect.flip(run("touch made"))
      assert.strictEqual(error._tag, "PermissionDenied")
      assert.match(error.message, /^SandboxUnavailable: missing bwrap .*; install it/)
      const report = yield* sandbox.report
      assert.deepStrictEqual([report.available, report.missing], [false, ["bwrap"]])
      assert.deepStrictEqual(readdirSync(workspace), [])
    })
  )

  it.live("is refused when the program only pretends to confine", () =>
    Effect.gen(function* () {
      const { directory, workspace } = yield* place()
      const pretender = join(directory, "bwrap")
      // Runs the arguments after the options of the sandbox.
      writeFileSync(
        pretender,
        '#!/bin/sh\nwhile [ "$1" != --chdir ]; do shift; done; cd "$2"; shift 2; "$@"; echo "{ \\"exit-code\\": $? }" >&3\n'
      )
      chmodSync(pretender, 0o755)
      const sandbox = yield* Sandbox.make({ program: pretender }, environment)
      const error = yield* Effect.flip(runIn(sandbox, workspace)("touch made"))
      assert.match(error.message, /^SandboxUnavailable: missing /)
      const { missing } = yield* sandbox.report
      for (const name of ["closed file system", "protected names", "no network", "no privileges", "own processes"])
        assert.include(missing, name)
      assert.deepStrictEqual(readdirSync(workspace), [])
    })
  )

  it.live("never starts a command whose init is not bound to it, but tests the other properties", () =>
    Effect.gen(function* () {
      const { directory, workspace } = yield* place()
      const program = join(directory, "bwrap")
      // Names a process as the init that has not applied the filter: it has requested no death signal yet.
      writeFileSync(
        program,
        '#!/bin/sh\necho "{ \\"child-pid\\": $$ }" >&3\nwhile [ "$1" != --chdir ]; do shift; done; cd "$2"; shift 2; exec "$@"\n',
        { mode: 0o755 }
      )
      const machine = yield* Machine.find(program, Limits.defaults, { host: environment, before: null })
      assert.isNotNull(machine)
      const workshop = yield* Workshop.open(machine, {
        variables: { PATH: environment.PATH },
        maxOutputBytes: 1000,
        unixSockets: false
      })
      const roots = [{ path: workspace, writable: true }]
      const where = {
        workspace,
        start: workspace,
        roots,
        protectedEntries: [],
        hiddenDirectories: [],
        readOnlyDirectories: [],
        repositories: [],
        user: null
      }
      const start = (isTrial: boolean) =>
        Effect.result(
          BubblewrapExecution.run(workshop, where, {
            invoke: "touch made",
            options: { timeoutMillis: isTrial ? 20_000 : 1500 },
            isTrial
          })
        )
      const refused = yield* start(false)
      assert.strictEqual(refused._tag === "Failure" ? refused.failure._tag : "", "Timeout")
      assert.deepStrictEqual(readdirSync(workspace), [])
      yield* start(true)
      assert.deepStrictEqual(readdirSync(workspace), ["made"])
    })
  )

  it.live.skipIf(bubblewrap.skip)(
    `is refused if kernel settings could be written or set-id files made${bubblewrap.suffix}`,
    () =>
      Effect.gen(function* () {
        const { directory, workspace } = yield* place()
        const program = join(directory, "bwrap")
        for (const [option, value, missing] of [
          ["--remount-ro", "/proc", "read-only kernel settings"],
          ["--seccomp", `${filterDescriptor}`, "no setuid files"]
        ]) {
          writeFileSync(program, without(option, value), { mode: 0o755 })
          const sandbox = yield* Sandbox.make({ program }, environment)
          const error = yield* Effect.flip(runIn(sandbox, workspace)("touch made"))
          assert.include(error.message, `SandboxUnavailable: missing ${missing} (`)
          assert.deepStrictEqual(readdirSync(workspace), [])
        }
      })
  )

  it.live.skipIf(asRoot.skip)(
    `is refused for an ordinary user if /proc could be written${asRoot.suffix}`,
    () =>
      Effect.gen(function* () {
        const { directory, workspace } = yield* place(65_534)
        const program = join(directory, "bwrap")
        writeFileSync(program, without("--remount-ro", "/proc"), { mode: 0o755 })
        const ran = spawnSync(process.execPath, [agent, workspace, "touch made", program], {
          encoding: "utf8",
          env: { PATH: "/usr/bin:/bin" },
          uid: 65_534,
          gid: 65_534
        })
        assert.include(ran.stdout, "SandboxUnavailable: missing read-only kernel settings (opened: /proc/")
        assert.deepStrictEqual(readdirSync(workspace), [])
      }),
    thoroughOnly
  )

  it.live("is tested again: a program that was installed meanwhile is found", () =>
    Effect.gen(function* () {
      const { directory, workspace } = yield* place()
      const program = join(directory, "bwrap")
      const sandbox = yield* Sandbox.make({ program }, environment)
      const run = runIn(sandbox, workspace)
      assert.match((yield* Effect.flip(run("true"))).message, /missing bwrap/)
      writeFileSync(program, "#!/bin/sh\nexit 1\n", { mode: 0o755 })
      assert.match((yield* Effect.flip(run("true"))).message, /missing sandbox/)
    })
  )

  it.live.skipIf(asRoot.skip)(`is refused if user namespaces are switched off${asRoot.suffix}`, () =>
    Effect.gen(function* () {
      const { workspace } = yield* place()
      const script = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"'
      const ran = spawnSync(
        "unshare",
        ["-Ur", "sh", "-c", script, "sh", process.execPath, agent, workspace, "touch made"],
        { encoding: "utf8" }
      )
      assert.match(ran.stdout, /SandboxUnavailable: missing user namespaces/)
      assert.deepStrictEqual(readdirSync(workspace), [])
    })
  )
})

describe.skipIf(bubblewrap.skip)(`A sandbox that is available${bubblewrap.suffix}`, () => {
  it.live("reports every property as tested and held", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* fresh()
      const report = yield* sandbox.report
      assert.deepStrictEqual(
        report.checks.filter(({ ok }) => !ok),
        []
      )
      assert.isAtLeast(report.checks.length, 9)
      assert.deepStrictEqual([report.available, report.hint], [true, null])
      assert.isNotEmpty(SandboxReport.SandboxReport.make(report).checks)
    })
  )

  it.live("works with an older bubblewrap, which has fewer options", () =>
    Effect.gen(function* () {
      const { directory, workspace } = yield* place()
      const program = join(directory, "bwrap")
      const older = `#!/bin/sh
[ "$1" = --help ] && { "$(command -v bwrap)" --help | grep -v -e --size -e --disable-userns; exit; }
for word; do case $word in --size|--disable-userns) echo "bwrap: Unknown option $word" >&2; exit 1;; esac; done
exec bwrap "$@"
`
      writeFileSync(program, older, { mode: 0o755 })
      const sandbox = yield* Sandbox.make({ program }, environment)
      assert.deepStrictEqual((yield* sandbox.report).missing, [])
      const ran = yield* runIn(
        sandbox,
        workspace
      )("unshare -U true && echo made; unshare -Ur true && echo made; echo end")
      assert.strictEqual(ran.stdout, "end\n")
    })
  )

  it.live("is refused for a workspace that contains the home directory, or that is hidden", () =>
    Effect.gen(function* () {
      const { directory, workspace } = yield* place()
      const atHome = yield* Sandbox.make({}, { ...environment, HOME: workspace })
      const aboveHome = runIn(atHome, directory)
      assert.match((yield* Effect.flip(aboveHome("true"))).message, /^SandboxUnavailable: .* holds your home directory/)
      assert.match((yield* Effect.flip(runIn(atHome, workspace)("true"))).message, /holds your home directory/)
      const hiding = yield* Sandbox.make({ hiddenPaths: [directory] }, environment)
      assert.match((yield* Effect.flip(runIn(hiding, workspace)("true"))).message, /is hidden/)
      assert.match((yield* Effect.flip(runIn(hiding, "/")("true"))).message, /holds your home/)
      assert.strictEqual((yield* Effect.flip(runIn(hiding, join(directory, "none"))("true")))._tag, "ExecutionError")
    })
  )
})

describe("Commands that are switched off", () => {
  it.live("are refused, whatever they are", () =>
    Effect.gen(function* () {
      const { run, workspace } = yield* fresh({ backend: "disabled" })
      const error = yield* Effect.flip(run("touch made"))
      assert.strictEqual(error._tag, "PermissionDenied")
      assert.deepStrictEqual(readdirSync(workspace), [])
    })
  )
})

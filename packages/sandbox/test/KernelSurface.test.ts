/**
 * The kernel surface of a confined command: writing settings, leaving set-id files, attaching to the sandbox's init.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import { asRoot, bubblewrap, fresh, nodeDirectory, runIn } from "./Places.ts"
import * as ReachedLimit from "./ReachedLimit.ts"

const withNode = { readOnlyPaths: [nodeDirectory] }
const node = (script: string) => ({ argv: [join(nodeDirectory, "node"), "-e", script] })

/**
 * Opens everything below `/proc` and `/sys` for writing, own process included, writes nothing, and prints the files
 * that opened.
 */
const openAll = `
const fs = require("node:fs")
const opened = []
let tried = 0
const visit = (directory) => {
  let entries = []
  try { entries = fs.readdirSync(directory, { withFileTypes: true }) } catch { return }
  for (const entry of entries) {
    const path = directory + "/" + entry.name
    if (entry.isDirectory()) visit(path)
    else if (!entry.isSymbolicLink()) {
      tried++
      for (const flags of [fs.constants.O_WRONLY, fs.constants.O_RDWR]) {
        try { fs.closeSync(fs.openSync(path, flags | fs.constants.O_NONBLOCK)); opened.push(path) } catch {}
      }
    }
  }
}
visit("/proc"); visit("/sys")
console.log(JSON.stringify({ tried, opened }))
`

/** Each way of Node to give a file set-id bits, and its result. */
const setIds = `
const fs = require("node:fs")
fs.writeFileSync("file", "")
const fd = fs.openSync("file", "r+")
const ways = {
  chmod: (bits) => fs.chmodSync("file", bits),
  fchmod: (bits) => fs.fchmodSync(fd, bits),
  open: (bits) => fs.closeSync(fs.openSync("opened" + bits, "wx", bits)),
  mkdir: (bits) => fs.mkdirSync("made" + bits, bits),
}
const said = {}
for (const [name, way] of Object.entries(ways)) {
  for (const bits of [0o4755, 0o2755, 0o6755]) {
    try { way(bits); said[name + bits.toString(8)] = "done" } catch (error) { said[name + bits.toString(8)] = error.code }
  }
}
fs.chmodSync("file", 0o1755); fs.fchmodSync(fd, 0o700); fs.mkdirSync("plain", 0o755); fs.closeSync(fs.openSync("plain/file", "wx", 0o755))
console.log(JSON.stringify(said))
`

const suite = (name: string, owner: number | undefined, requirement: typeof bubblewrap) =>
  describe.skipIf(requirement.skip)(`The kernel under a confined command, ${name}${requirement.suffix}`, () => {
    it.live("has no file below /proc or /sys that opens for writing", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh(withNode, owner)
        const { tried, opened } = JSON.parse((yield* run(node(openAll))).stdout) as {
          tried: number
          opened: ReadonlyArray<string>
        }
        assert.isAbove(tried, 500)
        assert.deepStrictEqual(opened, [])
      })
    )

    it.live("tells nothing about keys of users and the kernel's memory", () =>
      Effect.gen(function* () {
        const { run } = yield* fresh({}, owner)
        const files = "keys key-users kcore kmsg kpagecount kpageflags pagetypeinfo slabinfo timer_list vmallocinfo"
        const ran = yield* run(`cd /proc; head -c 64 ${files}; dmesg`)
        assert.strictEqual(ran.stdout, "")
        // Addresses of the kernel are zeros.
        assert.match((yield* run("head -n 1 /proc/kallsyms")).stdout, /^0{16} |^$/u)
      })
    )

    it.live("gives no file setuid or setgid bits", () =>
      Effect.gen(function* () {
        const { run, workspace } = yield* fresh(withNode, owner)
        const output = Object.values(JSON.parse((yield* run(node(setIds))).stdout) as Record<string, string>)
        assert.deepStrictEqual([output.length, new Set(output)], [12, new Set(["EPERM"])])
        const modes = readdirSync(workspace, { recursive: true }).map(
          (name) => statSync(join(workspace, String(name))).mode & 0o6000
        )
        assert.deepStrictEqual(modes, [0, 0, 0])
      })
    )

    it.live(
      "leaves the parts of /proc that builds and tests need: names of threads, limits, maps, its own status",
      () =>
        Effect.gen(function* () {
          const { run } = yield* fresh(withNode, owner)
          const ran = yield* run(
            "cat /proc/self/comm /proc/sys/kernel/pid_max /proc/cpuinfo /proc/meminfo /proc/self/maps /proc/self/limits >/dev/null && echo read; nproc >/dev/null && echo counted; chmod 1755 . && chmod 755 . && mkdir -m 700 own && echo changed"
          )
          assert.strictEqual(ran.stdout, "read\ncounted\nchanged\n")
        })
    )
  })

describe.skipIf(asRoot.skip)(`If the kernel treats a command as root${asRoot.suffix}`, () => {
  it.live(
    "the machine's own devices are unchanged",
    () =>
      Effect.gen(function* () {
        const { run, sandbox, workspace } = yield* fresh()
        const mode = () => statSync("/dev/full").mode & 0o7777
        const before = mode()
        // A bit whose change affects no program meanwhile.
        for (const again of [run, runIn(sandbox, workspace, false)]) {
          yield* again("chmod g+x /dev/full; exit 1")
          assert.strictEqual(mode(), before)
        }
        const command = run("chmod g+x /dev/full; touch reached; sleep 600", {
          timeoutMillis: ReachedLimit.timeoutMillis
        })
        yield* Effect.flip(ReachedLimit.when(() => existsSync(join(workspace, "reached")), command))
        assert.strictEqual(mode(), before)
      }),
    thoroughOnly
  )
})

suite("run by the user of the tests", undefined, bubblewrap)
suite("run by root for an ordinary user", 65_534, asRoot)

/** The calls to the system: the order that lets a write survive a power cut, and that nothing outside is opened. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { fileURLToPath } from "node:url"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { command, directories, put } from "./Scratch.ts"

const strace = requires("linux", "strace")
const program = fileURLToPath(new URL("programs/write.ts", import.meta.url))
const traced = "trace=openat,openat2,fsync,fdatasync,rename,renameat,renameat2"

/** The system calls of the program in the order in which they started, and its output. */
const calls = Effect.map(directories, ({ base, outside, root }) => {
  put(root, { "a.txt": "old" })
  fs.symlinkSync(path.join(outside, "secret"), path.join(root, "link"))
  const logs = path.join(base, "logs")
  fs.mkdirSync(logs)
  // Each thread has its own file: in a common file, calls of other threads would split a call.
  const options = ["--seccomp-bpf", "-ff", "-ttt", "-o", path.join(logs, "thread"), "-e", traced]
  const printed = command("strace", [...options, process.execPath, program, root, outside])
  assert.strictEqual(fs.readFileSync(path.join(root, "a.txt"), "utf8"), "new")
  const lines = fs
    .readdirSync(logs)
    .flatMap((name) => fs.readFileSync(path.join(logs, name), "utf8").trimEnd().split("\n"))
  return { printed, lines: lines.toSorted((a, b) => Number.parseFloat(a) - Number.parseFloat(b)) }
})

describe.skipIf(strace.skip)(`The workspace's system calls${strace.suffix}`, () => {
  it.live(
    "sync a file with an unpredictable name, rename it into place, and sync the directory",
    () =>
      Effect.gen(function* () {
        const { lines } = yield* calls
        const after = (from: number, wanted: RegExp): number => {
          const found = lines.findIndex((line, index) => index > from && wanted.test(line))
          assert.isAbove(found, from, String(wanted))
          return found
        }
        const made = after(-1, /openat\(.*\.bough-[0-9a-f]{24}\.tmp", .*O_CREAT\|O_EXCL/)
        assert.include(lines[made], "O_NOFOLLOW")
        const synced = after(made, new RegExp(`fsync\\(${descriptorOf(lines[made])}\\)`))
        const renamed = after(synced, /rename(at2?)?\(.*\.bough-[0-9a-f]{24}\.tmp", .*a\.txt"/)
        const directory = after(renamed, /openat\(.*O_DIRECTORY/)
        after(directory, new RegExp(`fsync\\(${descriptorOf(lines[directory])}\\)`))
      }),
    thoroughOnly
  )

  it.live("open nothing outside, by whatever name it is requested", () =>
    Effect.gen(function* () {
      const { lines, printed } = yield* calls
      assert.strictEqual(printed, "PermissionDenied\n".repeat(3))
      assert.isTrue(lines.some((line) => line.includes('a.txt"')))
      assert.deepStrictEqual(
        lines.filter((line) => line.includes('secret"')),
        []
      )
    })
  )
})

/** The descriptor of a file that was opened. */
const descriptorOf = (line: string): string => / = (\d+)$/.exec(line)?.[1] ?? assert.fail(`not opened: ${line}`)

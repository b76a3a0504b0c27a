/** A small file is replaced completely and durably, or not at all. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundled } from "../../../test/bundle.ts"
import * as DurableFiles from "../../../test/durableFiles.ts"
import { requires } from "../../../test/requirements.ts"

const linux = requires("linux")
const strace = requires("linux", "strace")
const program = await bundled(new URL("programs/replaceFile.ts", import.meta.url))

/** `file`: an existing file, in a folder of its own. */
const place = Effect.acquireRelease(
  Effect.sync(() => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "bough-small-file-")))
    const folder = join(base, "folder")
    mkdirSync(folder)
    const file = join(folder, "rules.json")
    writeFileSync(file, "old")
    return { base, folder, file }
  }),
  ({ base }) => Effect.sync(() => rmSync(base, { recursive: true }))
)

describe("SmallFile.replace", () => {
  it.live.skipIf(strace.skip)(`returns when the text and its name are durable${strace.suffix}`, () =>
    Effect.gen(function* () {
      const { base, file, folder } = yield* place
      const calls = DurableFiles.trace(join(base, "logs"), [program, file, "10"])
      const before = DurableFiles.untilPrinted(calls, "replaced\\n")
      assert.isTrue(before.some(({ name, paths }) => name.startsWith("rename") && paths[1] === file))
      assert.deepStrictEqual(DurableFiles.undurable(folder, before), [])
      assert.strictEqual(readFileSync(file, "utf8"), "n".repeat(10))
    })
  )

  it.live.skipIf(strace.skip)(`replaces the text only with one that is durable${strace.suffix}`, () =>
    Effect.gen(function* () {
      const { base, file, folder } = yield* place
      const calls = DurableFiles.trace(join(base, "logs"), [program, file, "10"])
      const placed = calls.findIndex(({ name, paths }) => name.startsWith("rename") && paths[1] === file)
      const left = DurableFiles.undurable(folder, calls.slice(0, placed))
      assert.deepStrictEqual(
        left.filter((line) => line.startsWith("not synced")),
        []
      )
    })
  )

  it.live.skipIf(linux.skip)(
    `keeps the old text if the disk has room for only a part of the new one${linux.suffix}`,
    () =>
      Effect.gen(function* () {
        const { file, folder } = yield* place
        // No file of the program grows beyond 4 KiB: its write is partial, and the next one writes nothing.
        const { stdout } = spawnSync(
          "bash",
          ["-c", 'ulimit -f 4; exec "$0" "$@"', process.execPath, program, file, "6000"],
          { encoding: "utf8", env: { PATH: process.env["PATH"] } }
        )
        assert.strictEqual(stdout, "EFBIG\n")
        assert.strictEqual(readFileSync(file, "utf8"), "old")
        assert.deepStrictEqual(readdirSync(folder), ["rules.json"])
      })
  )
})

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Directory from "../src/Directory.ts"
import * as SystemError from "../src/SystemError.ts"

const place = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-disk-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** The error's code and message; null: the directory was made. */
const refused = (path: string) =>
  Effect.map(Effect.result(SystemError.attempt(() => Directory.make(path))), (made) =>
    Result.isSuccess(made) ? null : `${made.failure.code} ${made.failure.message}`
  )

const modeOf = (path: string): number => statSync(path).mode & 0o777

describe("Directory", () => {
  it.effect("is created with its parents, private to its owner, and an existing one stays unchanged", () =>
    Effect.gen(function* () {
      const root = yield* place
      chmodSync(root, 0o755)
      const path = join(root, "a/b/c")
      Directory.make(path)
      assert.deepStrictEqual([modeOf(root), modeOf(join(root, "a")), modeOf(path)], [0o755, 0o700, 0o700])
      chmodSync(path, 0o750)
      writeFileSync(join(path, "kept"), "")
      Directory.make(`${path}/`)
      assert.deepStrictEqual([modeOf(path), existsSync(join(path, "kept"))], [0o750, true])
    })
  )

  it.effect("is made through links to directories", () =>
    Effect.gen(function* () {
      const root = yield* place
      mkdirSync(join(root, "real"))
      symlinkSync("real", join(root, "link"))
      Directory.make(join(root, "link/a"))
      Directory.make(join(root, "link"))
      assert.isTrue(existsSync(join(root, "real/a")))
    })
  )

  it.effect("is refused if something else exists there", () =>
    Effect.gen(function* () {
      const root = yield* place
      writeFileSync(join(root, "file"), "")
      symlinkSync("nowhere", join(root, "dangling"))
      assert.strictEqual(yield* refused(join(root, "file")), `EEXIST there is something at ${root}/file already`)
      assert.strictEqual(yield* refused(join(root, "file/a/b")), `EEXIST there is something at ${root}/file already`)
      assert.match((yield* refused(join(root, "dangling"))) ?? "", /^EEXIST /)
    })
  )

  it.effect.skipIf(process.platform !== "linux")("is refused at once if the system allows none", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refused("/proc/nope/a/b"), "ENOENT no directory can be created at /proc/nope")
      assert.match((yield* refused("/dev/null/a")) ?? "", /^EEXIST /)
      // The account that runs this decides which of the two applies.
      assert.match((yield* refused("/sys/nope/a")) ?? "", /^(EPERM|EACCES|EROFS) /)
    })
  )

  it("is created by the first of several processes, and none of them fails", async () => {
    const root = mkdtempSync(join(tmpdir(), "bough-disk-"))
    const source = fileURLToPath(new URL("../src/Directory.ts", import.meta.url))
    const program = `import { make } from ${JSON.stringify(source)}
      for (let at = 0; at < 200; at++) make(${JSON.stringify(root)} + "/" + at + "/a/b/c")`
    const ended = Array.from({ length: 4 }, () => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "ignore" })
      return new Promise((resolve) => child.once("close", resolve))
    })
    assert.deepStrictEqual(await Promise.all(ended), [0, 0, 0, 0])
    assert.isTrue(existsSync(join(root, "199/a/b/c")))
    rmSync(root, { recursive: true })
  })
})

/** Directories that a call closes to the user whose files they are: an undo opens them again. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { bundle } from "../../../test/bundle.ts"
import { directories, fingerprint, put, temporaryDirectory } from "./Scratch.ts"

/** Root may enter every directory. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

let folder = ""
let program = ""

beforeAll(async () => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(temporaryDirectory, "bough-closed-")))
  program = await bundle(new URL("programs/closed.ts", import.meta.url), folder)
  fs.chmodSync(folder, 0o755)
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const modes = [
  ["000", "755"],
  ["555", "755"],
  ["000", "555"]
] as const

describe.skipIf(process.platform !== "linux")("A directory that a call closed to its owner [needs Linux]", () => {
  it.live.each(modes)(
    "is opened again by an undo, which restores its files: mode %s in one of %s",
    ([mode, rootMode]) =>
      Effect.gen(function* () {
        const { base, root, store } = yield* directories
        put(root, { "a.txt": "old", "dir/b.txt": "old", "dir/inner/c.txt": "old" })
        const original = fingerprint(root)
        if (user.uid !== undefined) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, base])
        const { stderr, stdout } = spawnSync(process.execPath, [program, root, store, mode, rootMode], {
          ...user,
          encoding: "utf8"
        })
        assert.deepStrictEqual([stdout === "" ? null : JSON.parse(stdout).lost, stderr], [[], ""])
        assert.deepStrictEqual(fingerprint(root), original)
      })
  )
})

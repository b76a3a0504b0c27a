/** Copies of folders in which commands work meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { copyFolder } from "../../src/commands/CopyFolder.ts"
import * as Gateway from "../Gateway.ts"

/** Makes and removes folders with a file, and swaps a folder with a link, until it is stopped. */
const busy = (folder: string, outside: string) => `
  const fs = require("node:fs")
  const [folder, outside] = ${JSON.stringify([folder, outside])}
  for (let index = 0; ; index++) {
    fs.mkdirSync(folder + "/made-" + index)
    fs.writeFileSync(folder + "/made-" + index + "/file", "x")
    if (index >= 40) fs.rmSync(folder + "/made-" + (index - 40), { recursive: true })
    fs.rmSync(folder + "/swapped", { recursive: true, force: true })
    if (index % 2 === 0) fs.symlinkSync(outside, folder + "/swapped")
    else fs.mkdirSync(folder + "/swapped")
    if (index === 50) require("node:worker_threads").parentPort.postMessage("busy")
  }
`

describe("the copy of a folder", () => {
  it.live("contains every file that stays while others come and go, and no file from outside", () =>
    Effect.gen(function* () {
      const root = yield* Gateway.folder
      const [folder, outside] = [join(root, "from"), join(root, "outside")]
      mkdirSync(join(folder, "deep", "er"), { recursive: true })
      mkdirSync(outside)
      writeFileSync(join(outside, "secret"), "of another tenant")
      writeFileSync(join(folder, "deep", "er", "stays"), "here", { mode: 0o640 })
      const worker = yield* Effect.acquireRelease(
        Effect.sync(() => new Worker(busy(folder, outside), { eval: true })),
        (worker) => Effect.promise(() => worker.terminate())
      )
      yield* Effect.promise(() => new Promise((resolve) => worker.once("message", resolve)))
      for (let count = 0; count < 20; count++) {
        const to = join(root, `copy-${count}`)
        assert.deepStrictEqual(copyFolder(folder, to), [])
        assert.strictEqual(readFileSync(join(to, "deep", "er", "stays"), "utf8"), "here")
        const swapped = readdirSync(to, { withFileTypes: true }).find(({ name }) => name === "swapped")
        if (swapped?.isDirectory() === true) assert.deepStrictEqual(readdirSync(join(to, "swapped")), [])
      }
    })
  )

  it.live("has links as links, names of any bytes and modes, and no pipe or socket", () =>
    Effect.gen(function* () {
      const root = yield* Gateway.folder
      const [folder, to] = [join(root, "from"), join(root, "to")]
      mkdirSync(folder)
      const odd = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xff, 0xfe])])
      writeFileSync(odd, "odd")
      writeFileSync(join(folder, "run.sh"), "#!/bin/sh\n", { mode: 0o755 })
      mkdirSync(join(folder, "closed"))
      writeFileSync(join(folder, "closed", "file"), "in it")
      execFileSync("chmod", ["555", join(folder, "closed")])
      symlinkSync("/etc/passwd", join(folder, "link"))
      symlinkSync("nothing", join(folder, "dangling"))
      execFileSync("mkfifo", [join(folder, "pipe")])
      assert.deepStrictEqual(copyFolder(folder, to), [])
      assert.deepStrictEqual(
        readdirSync(to, { encoding: "buffer" })
          .map((name) => name.toString("latin1"))
          .toSorted(),
        ["closed", "dangling", "f\u00FF\u00FE", "link", "run.sh"]
      )
      assert.deepStrictEqual(
        ["link", "dangling"].map((name) => readlinkSync(join(to, name))),
        ["/etc/passwd", "nothing"]
      )
      assert.strictEqual(statSync(join(to, "run.sh")).mode & 0o777, 0o755)
      assert.strictEqual(statSync(join(to, "closed")).mode & 0o777, 0o555)
      assert.strictEqual(readFileSync(join(to, "closed", "file"), "utf8"), "in it")
      for (const path of [folder, to]) execFileSync("chmod", ["755", join(path, "closed")])
      assert.deepStrictEqual(copyFolder(join(root, "missing"), join(root, "none")), [])
      assert.isFalse(existsSync(join(root, "none")))
    })
  )
})

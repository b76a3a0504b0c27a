/** Full disks and read-only ones: a state that cannot be recorded is an error with a message, and nothing is lost. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Disks from "../../../test/disks.ts"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import { WorkspaceSnapshots } from "../src/index.ts"
import { directories, fingerprint, put, session } from "./Scratch.ts"

const root = requires("linux", "root")

const noise = (bytes: number): Buffer =>
  Buffer.from(Array.from({ length: bytes }, () => Math.floor(Math.random() * 256)))

describe.skipIf(root.skip)(`A snapshot store on a disk of its own${root.suffix}`, () => {
  it.live(
    "reports that the disk is full, and records again once there is room",
    () =>
      Effect.gen(function* () {
        const places = yield* directories
        const disk = (yield* Disks.small("size=512k")) ?? assert.fail("nothing is mounted")
        put(places.root, { "a.txt": "precious" })
        const store = path.join(disk, "snapshots")
        const snapshots = yield* WorkspaceSnapshots.make({ root: places.root, directory: store })
        yield* snapshots.before
        put(places.root, { "large.bin": noise(600_000) })
        const error = yield* Effect.flip(snapshots.before)
        assert.deepStrictEqual(
          [error.reason, error.message],
          ["StoreFailed", "the snapshot store failed: no space is left on the disk"]
        )
        fs.rmSync(path.join(places.root, "large.bin"))
        const { call, undo } = session(snapshots)
        const original = fingerprint(places.root)
        yield* call(1, () => fs.rmSync(path.join(places.root, "a.txt")))
        yield* undo()
        assert.deepStrictEqual(fingerprint(places.root), original)
      }),
    thoroughOnly
  )

  it.live("reports that the disk is read-only, and changes nothing", () =>
    Effect.gen(function* () {
      const places = yield* directories
      const disk = (yield* Disks.small("size=8m")) ?? assert.fail("nothing is mounted")
      put(places.root, { "a.txt": "precious" })
      Disks.remount(disk, "ro")
      const store = path.join(disk, "snapshots")
      const snapshots = yield* WorkspaceSnapshots.make({ root: places.root, directory: store })
      const error = yield* Effect.flip(snapshots.before)
      assert.strictEqual(error.reason, "StoreFailed")
      assert.match(error.message, /read-only/)
      Disks.remount(disk, "rw")
      assert.match(yield* snapshots.before, /^t/)
    })
  )

  it.live("names the files that do not fit into a full workspace, and continues once they do", () =>
    Effect.gen(function* () {
      const places = yield* directories
      const disk = (yield* Disks.small("size=512k")) ?? assert.fail("nothing is mounted")
      put(disk, { "a.bin": noise(200_000), "b.txt": "b" })
      const original = fingerprint(disk)
      const snapshots = yield* WorkspaceSnapshots.make({ root: disk, directory: places.store })
      const { call, undo } = session(snapshots)
      yield* call(1, () => {
        fs.rmSync(path.join(disk, "a.bin"))
        fs.rmSync(path.join(disk, "b.txt"))
      })
      put(disk, { "mine.bin": noise(400_000) })
      const error = yield* Effect.flip(undo())
      assert.strictEqual(error._tag, "RestoreIncomplete")
      if (error._tag === "RestoreIncomplete") {
        assert.deepStrictEqual(
          error.faults.map(({ path: place }) => place),
          ["a.bin"]
        )
        assert.match(error.faults[0].message, /no space/)
      }
      fs.rmSync(path.join(disk, "mine.bin"))
      yield* undo()
      assert.deepStrictEqual(fingerprint(disk), original)
    })
  )
})

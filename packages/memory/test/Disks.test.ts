/** Power cuts and full disks: the index may be lost with all its files, the acknowledged notes are not. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { globSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Disks from "../../../test/disks.ts"
import { requires } from "../../../test/requirements.ts"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as Child from "./child.ts"
import { assertWhole } from "./whole.ts"
import { indexIn, open, temporaryDirectory } from "./World.ts"

const root = requires("linux", "root")

/** The files of the index with their sizes. */
const filesIn = (home: string): ReadonlyMap<string, number> =>
  new Map(
    globSync(join(indexIn(home), "**/*"))
      .filter((path) => statSync(path).isFile())
      .map((path) => [path.slice(home.length), statSync(path).size])
  )

/** Fills the disk to the last byte. */
const fill = (directory: string): string => {
  const filler = join(directory, "filler")
  for (const bytes of [1 << 20, 1 << 12]) {
    const block = Buffer.alloc(bytes, 1)
    try {
      for (;;) writeFileSync(filler, block, { flag: "a" })
    } catch {
      // Until there is no room for another one.
    }
  }
  return filler
}

describe.skipIf(root.skip)(`a power cut${root.suffix}`, () => {
  it.live(
    "loses files of the index, and no acknowledged note",
    (test) =>
      Effect.gen(function* () {
        const drive = yield* Disks.cuttable(null)
        if (drive === null) return test.skip("needs the right to mount, and python3")
        const home = join(drive.mounted, "home")
        const child = yield* Child.start("writeForever", [home, "cut"])
        const lines: Array<string> = []
        // The index is written every 40 notes, and never synced.
        for (let line = yield* child.line; !(line ?? "").startsWith("saved|note-cut-130"); line = yield* child.line) {
          assert.isNotNull(line, child.complaints())
          lines.push(line ?? "")
        }
        // If it has ended by itself, its own error is the reason.
        yield* Effect.tapCause(Disks.stop(child.pid), () => Effect.sync(() => console.error(child.complaints())))
        const before = filesIn(home)
        assert.isAtLeast(before.size, 3)
        yield* Disks.cut(drive, child.pid)
        lines.push(...(yield* Child.lines(child)))
        // A copy: another process may still hold the file system that was cut.
        const after = yield* Disks.cuttable(drive.image)
        if (after === null) return assert.fail("the disk did not come back")
        const left = filesIn(join(after.mounted, "home"))
        assert.isNotEmpty(
          [...before].filter(([path, size]) => left.get(path) !== size),
          "nothing of the index was lost"
        )
        assert.isAbove(yield* assertWhole(join(after.mounted, "home"), lines), 50)
      }),
    thoroughOnly
  )
})

describe.skipIf(root.skip)(`a full disk${root.suffix}`, () => {
  const query = { text: "doctor", limit: 5, tags: [], kinds: [] }
  const ann = { user: "ann", hold: null }

  it.live(
    "refuses notes with a hint, finds the saved ones, and accepts more when there is room",
    (test) =>
      Effect.gen(function* () {
        const disk = yield* Disks.small("size=16m")
        if (disk === null) return test.skip("needs the right to mount")
        const home = join(disk, "home")
        const { find, memory, save } = yield* open(home)
        for (let n = 0; n < 30; n++) yield* save(`entry ${n} first of the log book`)
        yield* memory.index.settle(false)
        const filler = fill(disk)
        const acknowledged: Array<string> = []
        let refused = 0
        for (let n = 0; n < 200; n++) {
          const text = `word${n}full first ${"padding ".repeat(200)}`
          const saved = yield* Effect.result(save(text))
          if (saved._tag === "Success") acknowledged.push(text)
          else {
            refused += 1
            assert.match(saved.failure.message, /disk is full|no space/iu)
          }
        }
        assert.isAbove(refused, 0)
        assert.isNotEmpty(yield* find("log book"))
        rmSync(filler)
        yield* save("The physician is on holiday")
        yield* memory.index.settle(false)
        assert.strictEqual((yield* find("doctor"))[0], "The physician is on holiday")
        for (const text of acknowledged) assert.include(yield* find(text.slice(0, 12)), text.trim())
        assert.strictEqual(yield* assertWhole(home, []), 31 + acknowledged.length)
      }),
    thoroughOnly
  )

  it.live(
    "that only the index is on leaves every note to the search by words, and by meaning when there is room",
    (test) =>
      Effect.gen(function* () {
        const disk = yield* Disks.small("size=4m")
        if (disk === null) return test.skip("needs the right to mount")
        const home = yield* temporaryDirectory
        mkdirSync(join(home, "memory"))
        symlinkSync(disk, join(home, "memory", "index"))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { memory, save } = yield* open(home)
            for (let n = 0; n < 30; n++) yield* save(`entry ${n} first of the log book`)
            yield* memory.index.settle(false)
          })
        )
        const filler = fill(disk)
        // The notes after it is opened again, and an index that is built again.
        for (const isLost of [false, true]) {
          if (isLost) rmSync(indexIn(home), { recursive: true })
          if (isLost) fill(disk)
          // Closed before there is room: its work in the background would drop a table that another memory makes.
          yield* Effect.scoped(
            Effect.gen(function* () {
              const { find, memory, save } = yield* open(home)
              const text = `The physician is on holiday ${isLost ? "in May" : "in June"}`
              yield* save(text)
              yield* Effect.ignore(memory.index.settle(false))
              assert.include(yield* find("physician"), text)
            })
          )
        }
        rmSync(filler)
        const { find, memory } = yield* open(home)
        yield* memory.index.settle(false)
        assert.match((yield* find("doctor"))[0], /^The physician/u)
        assert.isNull((yield* memory.index.similar(ann, query)).reason)
        assert.strictEqual(yield* assertWhole(home, []), 32)
      })
  )
})

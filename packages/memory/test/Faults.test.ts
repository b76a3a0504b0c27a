/** Kills, broken files, concurrent writers, a full disk: no acknowledged note is lost, and the memory opens every time. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { globSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isThorough, thorough, thoroughOnly } from "../../../test/thorough.ts"
import { Embedder } from "../src/index.ts"
import * as VectorTable from "../src/VectorTable.ts"
import * as Child from "./child.ts"
import { assertWhole } from "./whole.ts"
import { caller, indexIn, open, staticModel, temporaryDirectory } from "./World.ts"

const rounds = isThorough ? 4 : 1
/** The number of progress reports after which a build is killed. */
const batches = [1, 2, 3]
const writers = ["ash", "birch", "cedar", "elm", "fir", "hazel", "lime", "maple", "oak", "pine", "rowan", "willow"]
/** The number of notes that each concurrent writer saves. */
const written = 100
/** The number of notes that are saved between two openings; each opening writes files of its own. */
const savesEach = 20
const openings = 30

describe("faults", () => {
  it.live(
    "SIGKILL at any moment of saving, changing, removing and indexing loses no acknowledged note",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const lines: Array<string> = []
        for (let round = 0; round < rounds; round++) {
          const child = yield* Child.start("writeForever", [directory, String(round)])
          const until = 150 + Math.floor(Math.random() * 400)
          for (let count = 0; count < until; count++) {
            const line = yield* child.line
            assert.isNotNull(line, child.complaints())
            lines.push(line ?? "")
          }
          yield* child.kill
          // Output that was not read before the kill counts as well.
          lines.push(...(yield* Child.lines(child)))
        }
        assert.isAbove(yield* assertWhole(directory, lines), 25 * rounds)
      }),
    thorough
  )

  it.live(
    "SIGKILL while the index is built leaves one that the next attempt can build",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { save } = yield* open(directory, { model: null })
            for (let n = 0; n < 100 + 500 * batches.length; n++) yield* save(`entry${n} in book${n}`)
            yield* save("The physician is on holiday")
          })
        )
        for (const after of batches) {
          const child = yield* Child.start("reindex", [directory])
          for (let count = 0; count < after; count++) assert.isNotNull(yield* child.line, child.complaints())
          yield* child.kill
        }
        const { find, memory } = yield* open(directory)
        yield* memory.index.settle(false)
        assert.strictEqual((yield* find("doctor"))[0], "The physician is on holiday")
      }),
    thoroughOnly
  )

  it.live(
    "any file of the index may be truncated, emptied, filled with garbage or deleted",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { memory, save } = yield* open(directory)
            for (let n = 0; n < 60; n++) yield* save(`entry ${n} of the log book`)
            yield* save("The physician is on holiday")
            yield* memory.index.settle(false)
          })
        )
        const damaged = new Set<string>()
        const damages: ReadonlyArray<(file: string) => void> = [
          (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
          (file) => truncateSync(file, 0),
          (file) => writeFileSync(file, Buffer.alloc(readFileSync(file).length, 0x5a)),
          (file) => rmSync(file)
        ]
        const kinds = ["data/*", "_versions/*", "_transactions/*", "_deletions/*"]
        for (const damage of damages) {
          for (const kind of kinds) {
            // Damages the newest file, which is read first.
            const file = globSync(join(indexIn(directory), "*.lance", kind))
              .toSorted((left, right) => statSync(left).mtimeMs - statSync(right).mtimeMs)
              .at(-1)
            if (file === undefined) continue
            damaged.add(kind)
            damage(file)
            yield* Effect.scoped(
              Effect.gen(function* () {
                const { find, memory, save } = yield* open(directory)
                assert.include(yield* find("physician"), "The physician is on holiday", file)
                const { note } = yield* save(`after ${kind} ${String(damage)}`)
                yield* memory.index.settle(false)
                // Leaves a file that reports the missing file.
                yield* memory.write(caller("ann")).remove(note.noteId)
                yield* find("anything")
                assert.strictEqual((yield* find("doctor"))[0], "The physician is on holiday", file)
              })
            )
          }
        }
        assert.includeMembers([...damaged], kinds.slice(0, 3))
      }),
    thoroughOnly
  )

  it.live(
    `${writers.length} concurrent writers lose nothing, and index every note once`,
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        yield* Effect.scoped(Effect.asVoid(open(directory)))
        const children = yield* Effect.all(
          // Numbers would make some texts the same words in another order, which are kept once.
          writers.map((name) => Child.start("saveMany", [directory, name, String(written)]))
        )
        for (const child of children) {
          const lines = yield* Child.lines(child)
          assert.strictEqual(lines.at(-1), "done", child.complaints())
        }
        const { memory, store } = yield* open(directory)
        assert.deepStrictEqual(yield* store.users, [{ user: "ann", notes: writers.length * written }])
        yield* memory.index.settle(false)
        const { reason, rows } = yield* memory.index.similar(
          { user: "ann", hold: null },
          { text: "number of the list", limit: 2 * writers.length * written, tags: [], kinds: [] }
        )
        assert.isNull(reason)
        assert.lengthOf(rows, writers.length * written)
      }),
    thoroughOnly
  )

  it.live(
    "single saves, which each process writes to the index when it ends, leave few files",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        for (let opened = 0; opened < openings; opened++) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const { find, save } = yield* open(directory)
              yield* find("what opens the index")
              // No word twice: each save would compare all notes that share it.
              for (let n = opened * savesEach; n < (opened + 1) * savesEach; n++) yield* save(`entry${n} in book${n}`)
            })
          )
        }
        const files = globSync(join(indexIn(directory), "**/*.lance"))
        assert.isBelow(files.length, openings, "each opening wrote a file, and they were merged")
        const { identity } = yield* Embedder.make(staticModel)
        const table = yield* VectorTable.open({ directory: indexIn(directory), library: null, ...(yield* identity) })
        assert.lengthOf(new Set(yield* table.rowNumbers(0, Infinity)), openings * savesEach)
      }),
    thoroughOnly
  )
})

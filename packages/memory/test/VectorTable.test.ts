/** The table of vectors by itself: enough rows for indexes, so that their results can be compared with a full scan. */
import type { NoteStore } from "@bough/tool"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { globSync, statSync } from "node:fs"
import { join } from "node:path"
import { thoroughOnly } from "../../../test/thorough.ts"
import * as Nearest from "../src/Nearest.ts"
import * as VectorTable from "../src/VectorTable.ts"
import { temporaryDirectory } from "./World.ts"

const dimension = 16

/** Numbers that look random and are the same every time, from 0 to 1. */
const noise = (seed: number): number => {
  const wave = Math.sin(seed * 12.9898) * 43_758.5453
  return wave - Math.floor(wave)
}

const vectorOf = (seed: number): Float32Array => {
  const raw = Array.from({ length: dimension }, (_, i) => noise(seed * dimension + i) - 0.5)
  const length = Math.hypot(...raw)
  return Float32Array.from(raw, (x) => x / length)
}

/** One row in a thousand belongs to the second user; the kinds and tags take turns. */
const rowOf = (row: number): VectorTable.VectorRow => ({
  row,
  user: row % 1000 === 7 ? 2 : 1,
  project: row % 7 === 0 ? 5 : 0,
  kind: row % 6,
  tags: row % 10 === 0 ? [] : [row % 3, 10 + (row % 500)],
  vector: vectorOf(row)
})

const rowsOf = (count: number, from = 1) => Array.from({ length: count }, (_, index) => rowOf(from + index))

const open = (directory: string) => VectorTable.open({ directory, library: null, modelId: "test", dimension })

const filters: ReadonlyArray<NoteStore.NumberedFilter> = [
  { user: 1, projects: null, kinds: [0, 1, 2, 3, 4], tags: [] },
  { user: 1, projects: [0], kinds: [3], tags: [2] },
  { user: 1, projects: [0, 5], kinds: [0, 1, 2, 3, 4, 5], tags: [1, 211] },
  { user: 2, projects: null, kinds: [0, 1, 2, 3, 4, 5], tags: [] },
  { user: 2, projects: [0], kinds: [5], tags: [] },
  { user: 3, projects: null, kinds: [0, 1, 2, 3, 4, 5], tags: [] }
]

/** Each filter, with the rows that come first in a full scan. */
const assertFinds = Effect.fnUntraced(function* (
  table: VectorTable.VectorTable,
  rows: ReadonlyArray<VectorTable.VectorRow>
) {
  for (const [index, filter] of filters.entries()) {
    const vector = vectorOf(-1 - index)
    const expected = Nearest.nearestRows(rows, { vector, filter, limit: 40 })
    const found = yield* Effect.flatten(table.search(vector, filter, 40))
    const numbers = (list: ReadonlyArray<VectorTable.Similar>) => list.map(({ row }) => row)
    assert.deepStrictEqual(numbers(found), numbers(expected), JSON.stringify(filter))
    found.forEach(({ similarity }, n) => assert.closeTo(similarity, expected[n].similarity, 1e-5))
  }
})

const bytesIn = (directory: string): number =>
  globSync("**/*.{lance,idx}", { cwd: directory, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

describe("VectorTable", () => {
  it.live(
    "finds under every filter the same as a full scan, with indexes and with rows that are not in them yet",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const table = yield* open(directory)
        const rows = rowsOf(20_500)
        for (let from = 0; from < rows.length; from += 2500) yield* table.add(rows.slice(from, from + 2500))
        yield* table.tidy
        yield* assertFinds(table, rows)
        const later = rowsOf(1500, 30_001)
        yield* table.add(later)
        yield* table.drop(rows.filter(({ row }) => row % 5 === 0).map(({ row }) => row))
        const left = [...rows.filter(({ row }) => row % 5 !== 0), ...later]
        yield* assertFinds(table, left)
        yield* table.tidy
        yield* assertFinds(yield* open(directory), left)
        assert.deepStrictEqual((yield* table.rowNumbers(30_000, Infinity)).length, later.length)
        // The vectors twice, in the table and in its index, and the data beside them.
        assert.isBelow(bytesIn(directory), 4 * left.length * dimension * Float32Array.BYTES_PER_ELEMENT)
      }),
    thoroughOnly
  )
})

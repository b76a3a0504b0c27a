/** Tests of the vector file of a large memory, and of searches in it. */
import { assert, describe, it } from "@effect/vitest"
import * as DotProducts from "../src/DotProducts.ts"
import * as Nearest from "../src/Nearest.ts"
import * as PackedVectors from "../src/PackedVectors.ts"
import type { VectorRow } from "../src/VectorTable.ts"

/** Numbers from -1 to 1 that are the same in every run. */
const numbersFrom = (seed: number) => {
  let state = seed
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 31 - 1
}

const unit = (dimension: number, next: () => number): Float32Array => {
  const numbers = Float32Array.from({ length: dimension }, next)
  const length = Math.hypot(...numbers)
  return numbers.map((x) => x / length)
}

const identity = { modelId: "a model ünïcödé", dimension: 12 }

const rowsOf = (count: number, first = 1): ReadonlyArray<VectorRow> => {
  const next = numbersFrom(first)
  return Array.from({ length: count }, (_, index) => ({
    row: first + index * 3,
    user: index % 2,
    project: index % 3,
    kind: index % 5,
    tags: [],
    vector: unit(identity.dimension, next)
  }))
}

/** Reads the file in the way a process does at its first search. */
const reread = (file: Uint8Array, expected = identity) => {
  const memory = PackedVectors.memoryFor(file.length, expected)
  new Uint8Array(memory.buffer).set(file)
  return PackedVectors.decode(memory, file.length, expected)
}

const packed = (contents: Partial<PackedVectors.Contents>): PackedVectors.PackedVectorFile => {
  const all = { old: null, added: [], gone: new Set<number>(), counters: { written: 7, dropped: 3 }, ...contents }
  return reread(PackedVectors.encode(all, identity))!
}

describe("DotProducts", () => {
  it.each([1, 7, 8, 9, 100, 384, 1024, DotProducts.maxDimension])(
    "are exact for vectors of %i numbers",
    (dimension) => {
      const next = numbersFrom(dimension)
      const count = 5
      const stride = DotProducts.strideOf(dimension)
      const start = 40
      const memory = DotProducts.memoryFor(start + count * stride + DotProducts.roomFor(count, dimension))
      const numbers = new Int8Array(memory.buffer, start, count * stride)
      // The last vector has the largest numbers, and so has the query.
      for (let row = 0; row < count; row++) {
        for (let at = 0; at < dimension; at++) numbers[row * stride + at] = row === 4 ? 127 : Math.round(next() * 127)
      }
      for (const vector of [new Float32Array(dimension).fill(0.5), Float32Array.from({ length: dimension }, next)]) {
        const { factor, results } = DotProducts.compare(memory, { start, count, vector })
        for (let row = 0; row < count; row++) {
          const dot = vector.reduce((sum, x, at) => sum + x * numbers[row * stride + at], 0)
          assert.approximately(factor * results[row], dot, (dimension * 127) / 8191)
        }
      }
    }
  )
})

describe("PackedVectors", () => {
  it("names the rows that are most similar among those that pass the filter", () => {
    const rows = rowsOf(500)
    const file = packed({ added: rows })
    const next = numbersFrom(9)
    for (const filter of [
      { user: 0, projects: null, kinds: [0, 1, 2, 3, 4], tags: [] },
      { user: 1, projects: [0, 2], kinds: [1, 3], tags: [] },
      { user: 1, projects: [], kinds: [0], tags: [] },
      { user: 5, projects: null, kinds: [0], tags: [] }
    ]) {
      const vector = unit(identity.dimension, next)
      const gone = rows[101].row
      const live = rows.filter(({ row }) => row !== gone)
      for (const limit of [1, 10, 1000]) {
        const found = PackedVectors.nearest(file, { vector, filter, limit, isGone: (row) => row === gone })
        const exact = new Map(Nearest.nearestRows(live, { vector, filter, limit: 1000 }).map((one) => [one.row, one]))
        assert.lengthOf(found, Math.min(limit, exact.size))
        const best = [...exact.values()].slice(0, limit)
        found.forEach(({ row, similarity }, index) => {
          assert.approximately(similarity, exact.get(row)?.similarity ?? NaN, 0.01)
          assert.approximately(similarity, best[index].similarity, 0.01)
        })
      }
    }
  })

  it("keeps the rows of the earlier file, adds the new ones, and drops the deleted ones", () => {
    const [first, second] = [rowsOf(20), rowsOf(10, 1000)]
    const old = packed({ added: first })
    const gone = new Set([first[3].row, second[5].row])
    const { rows, ...file } = packed({ old, added: second, gone, counters: { written: 2000, dropped: 5 } })
    const whole = packed({ added: [...first, ...second], gone })
    assert.deepStrictEqual(
      [...rows],
      [...first, ...second].flatMap(({ row }) => (gone.has(row) ? [] : [row]))
    )
    assert.deepInclude(file, { written: 2000, dropped: 5 })
    for (const part of ["numbers", "scales", "users", "projects", "kinds"] as const) {
      assert.deepStrictEqual(file[part], whole[part], part)
    }
    const empty = packed({})
    const query = { vector: second[0].vector, filter: { user: 0, projects: null, kinds: [0], tags: [] }, limit: 3 }
    assert.deepStrictEqual(PackedVectors.nearest(empty, { ...query, isGone: () => false }), [])
  })

  it("is not a file if it is damaged, cut, longer, or of another model", () => {
    const file = PackedVectors.encode(
      { old: null, added: rowsOf(300), gone: new Set(), counters: { written: 900, dropped: 0 } },
      identity
    )
    assert.isNotNull(reread(file))
    for (let at = 0; at + 512 <= file.length; at += 512) {
      assert.isNull(reread(file.slice().fill(0xa5, at, at + 512)), `${at}`)
    }
    for (const length of [0, 3, 39, 40, 64, file.length - 1]) assert.isNull(reread(file.slice(0, length)), `${length}`)
    assert.isNull(reread(Uint8Array.from([...file, 0])))
    assert.isNull(reread(file, { ...identity, modelId: "a model ünïcödë" }))
    assert.isNull(reread(file, { ...identity, dimension: 13 }))
    assert.isNull(reread(file, { ...identity, dimension: 400 }))
  })
})

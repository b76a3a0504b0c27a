/** Runs the model: the vector of a text is the mean of its words', at length 1. Loaded by the thread of an Embedder. */
import { dimension } from "./index.ts"
import * as Table from "./Table.ts"
import * as Words from "./Words.ts"

interface Lookup extends Table.Table {
  readonly rows: ReadonlyMap<string, number>
}

const sumOf = (text: string, { numbers, rows, scales }: Lookup): Float64Array => {
  const sum = new Float64Array(dimension)
  for (const word of Words.wordsOf(text)) {
    const row = rows.get(word)
    if (row === undefined) continue
    const scale = scales[row]
    const from = row * dimension
    for (let i = 0; i < dimension; i++) sum[i] += numbers[from + i] * scale
  }
  return sum
}

/** At length 1; nothing stays nothing. */
const unit = (vector: Float64Array): Float64Array => {
  const length = Math.sqrt(vector.reduce((squares, x) => squares + x * x, 0))
  return length === 0 ? vector : vector.map((x) => x / length)
}

/** How a text is cut into words, and a vector made of theirs: another number where that gives other vectors. */
const method = "static-1"

/** `embed`: texts to vectors, one after another, `dimension` numbers each; all zeros where no word is known. */
export const load = () => {
  const table = Table.load()
  const lookup = { ...table, rows: new Map(table.words.map((word, row) => [word, row])) }
  return {
    identity: `${method} sha256:${table.digest}`,
    embed: (texts: ReadonlyArray<string>): { readonly dimension: number; readonly vectors: Float32Array } => {
      const vectors = new Float32Array(texts.length * dimension)
      texts.forEach((text, n) => vectors.set(unit(sumOf(text, lookup)), n * dimension))
      return { dimension, vectors }
    }
  }
}

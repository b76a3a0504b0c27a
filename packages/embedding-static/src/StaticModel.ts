/**
 * Runs the model: the vector of a text is the mean of its words' vectors, normalised to length 1. An Embedder loads
 * this module, directly or in its thread.
 */
import { dimension } from "./index.ts"
import * as RowLookup from "./RowLookup.ts"
import * as Table from "./Table.ts"
import * as Words from "./Words.ts"

interface Lookup extends Table.Files {
  readonly rowOf: RowLookup.RowLookup
}

const sumOf = (text: string, { numbers, rowOf, scales }: Lookup): Float64Array => {
  const sum = new Float64Array(dimension)
  for (const word of Words.wordsOf(text)) {
    const row = rowOf(word)
    if (row === undefined) continue
    const scale = scales[row]
    const from = row * dimension
    for (let i = 0; i < dimension; i++) sum[i] += numbers[from + i] * scale
  }
  return sum
}

/** Normalises a vector to length 1; a zero vector is unchanged. */
const unit = (vector: Float64Array): Float64Array => {
  const length = Math.sqrt(vector.reduce((squares, x) => squares + x * x, 0))
  return length === 0 ? vector : vector.map((x) => x / length)
}

/** Identifies the way in which text becomes words and vectors: the number changes whenever the vectors change. */
const method = "static-1"

/**
 * Loads the model. `embed` converts texts to vectors, one after another, `dimension` numbers each; all zeros if no word
 * is known.
 */
export const load = () => {
  const files = Table.open()
  const lookup = { ...files, rowOf: RowLookup.make(files.text) }
  return {
    identity: `${method} sha256:${Table.digest}`,
    embed: (texts: ReadonlyArray<string>): { readonly dimension: number; readonly vectors: Float32Array } => {
      const vectors = new Float32Array(texts.length * dimension)
      texts.forEach((text, n) => vectors.set(unit(sumOf(text, lookup)), n * dimension))
      return { dimension, vectors }
    }
  }
}

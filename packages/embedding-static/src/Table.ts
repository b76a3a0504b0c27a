/**
 * The vectors of the words, in eight bits, as `model/` holds them: `words.txt` has a word a line, `vectors.bin` one scale
 * a word (32-bit floating point, little-endian) and then, a word after another, its numbers (signed bytes). A number is
 * its byte times the word's scale.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

export interface Table {
  readonly words: ReadonlyArray<string>
  readonly scales: Float32Array
  readonly numbers: Int8Array
}

const scaleBytes = 4

/** Makes the contents of the two files. */
export const encode = ({ numbers, scales, words }: Table): { readonly text: string; readonly bytes: Uint8Array } => {
  const bytes = Buffer.alloc(scales.length * scaleBytes + numbers.length)
  scales.forEach((scale, row) => bytes.writeFloatLE(scale, row * scaleBytes))
  bytes.set(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.length), scales.length * scaleBytes)
  return { text: `${words.join("\n")}\n`, bytes }
}

const read = (name: string): Buffer => readFileSync(new URL(`../model/${name}`, import.meta.url))

/** The table that comes with the package, and a digest of every byte of its files. */
export const load = (): Table & { readonly digest: string } => {
  const text = read("words.txt")
  const bytes = read("vectors.bin")
  const digest = createHash("sha256").update(text).update(bytes).digest("hex")
  const words = text.toString("utf8").trimEnd().split("\n")
  const scales = Float32Array.from(words, (_, row) => bytes.readFloatLE(row * scaleBytes))
  return { digest, words, scales, numbers: new Int8Array(bytes.buffer, bytes.byteOffset + words.length * scaleBytes) }
}

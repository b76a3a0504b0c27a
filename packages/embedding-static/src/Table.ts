/**
 * The vectors of the words in eight bits, in the format of `model/`: `words.txt` has one word per line; `vectors.bin`
 * has one scale per word (32-bit floating point, little-endian), followed by the numbers of each word (signed bytes). A
 * number is its byte times the word's scale.
 */
import { readFileSync } from "node:fs"
import { dimension } from "./index.ts"

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

/**
 * The SHA-256 digest of `words.txt` followed by `vectors.bin`, which the build prints. It is not computed at run time,
 * which would take as long as reading the files; a test compares it with the files.
 */
export const digest = "1f0859ace55d62553acf547a83a8e220bcf23a10c7e78a70595d5ac33b2acfb6"

/** The two files as read: making a list of the words takes longer than all other steps. */
export interface Files {
  /** The contents of `words.txt`. */
  readonly text: Buffer
  readonly scales: Float32Array
  readonly numbers: Int8Array
}

/** Reads the table that comes with the package. */
export const open = (): Files => {
  const text = read("words.txt")
  const { buffer, byteLength, byteOffset } = read("vectors.bin")
  const scalesEnd = byteOffset + (byteLength / (scaleBytes + dimension)) * scaleBytes
  return {
    text,
    scales: new Float32Array(buffer.slice(byteOffset, scalesEnd)),
    numbers: new Int8Array(buffer, scalesEnd)
  }
}

/** Returns the words in the order of their rows. */
export const wordsIn = (text: Buffer): ReadonlyArray<string> => text.toString("utf8").trimEnd().split("\n")

/** Returns the table that comes with the package. */
export const load = (): Table => {
  const { numbers, scales, text } = open()
  return { numbers, scales, words: wordsIn(text) }
}

/**
 * A text as bytes, which can be read several times as fast as the characters of a string. A character beyond Latin-1 is
 * represented by its low byte: a search over the bytes may report a false match, but misses none.
 */
import { Buffer } from "node:buffer"

const chunkLength = 65_536

/** The number of zeros after the text, so that a search may read beyond its end. */
const padding = 8

/** The memory that all texts share: a visitor reads it before it returns. */
const memory = new ArrayBuffer(chunkLength + padding)
const chunk = Buffer.from(memory)

/** The bytes of a chunk, also as pairs: one read of a pair takes half the time of two reads. */
export interface Chunk {
  readonly bytes: Uint8Array
  /** The bytes at 0 and 1, at 2 and 3, and so on. */
  readonly pairs: Uint16Array
  /** The number of bytes that belong to the text; the others are zeros. */
  readonly length: number
  /** The position in the text of the first byte. */
  readonly at: number
}

const views = { bytes: chunk, pairs: new Uint16Array(memory) }

/** Returns the value of a pair of bytes in `Chunk.pairs`. */
export const pairOf = (first: number, second: number): number =>
  new Uint16Array(new Uint8Array([first, second]).buffer)[0]

/** Visits the text from `from` on in chunks that share `overlap` characters. */
export const eachChunk = (
  text: string,
  { from, overlap }: { readonly from: number; readonly overlap: number },
  visit: (chunk: Chunk) => void
): void => {
  let at = from
  while (at < text.length) {
    const length = chunk.write(
      at === 0 && text.length <= chunkLength ? text : text.slice(at, at + chunkLength),
      "latin1"
    )
    chunk.fill(0, length, length + padding)
    visit({ ...views, length, at })
    if (at + length >= text.length) return
    at += length - overlap
  }
}

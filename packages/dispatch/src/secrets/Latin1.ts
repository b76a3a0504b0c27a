/**
 * A text as bytes, which can be read several times as fast as the characters of a string. A character beyond Latin-1 is
 * represented by its low byte: a search over the bytes may report a false match, but misses none.
 */
import { Buffer } from "node:buffer"

const chunkLength = 65_536

/** The number of zeros after the text, so that a search may read beyond its end. */
const padding = 8

/** The buffer that all texts share: a visitor reads it before it returns. */
const chunk = Buffer.alloc(chunkLength + padding)

/**
 * Visits the text from `from` on in chunks that share `overlap` characters. `length` is the number of bytes that belong
 * to the text, `at` the position of the first one.
 */
export const eachChunk = (
  text: string,
  { from, overlap }: { readonly from: number; readonly overlap: number },
  visit: (bytes: Uint8Array, length: number, at: number) => void
): void => {
  let at = from
  while (at < text.length) {
    const length = chunk.write(
      at === 0 && text.length <= chunkLength ? text : text.slice(at, at + chunkLength),
      "latin1"
    )
    chunk.fill(0, length, length + padding)
    visit(chunk, length, at)
    if (at + length >= text.length) return
    at += length - overlap
  }
}

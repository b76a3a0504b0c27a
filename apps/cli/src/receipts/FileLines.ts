/** Reads the lines of a file as bytes, one piece of the file at a time. Only the last line may lack its line feed. */
import { closeSync, openSync, readSync } from "node:fs"

const pieceBytes = 64 * 1024

/** Longer than any line of an export; a longer line is returned in several parts, which are invalid. */
const maxLineLength = 256 * 1024 * 1024

/** Reads during the iteration; throws the errors of reading. */
export function* linesOf(path: string): Generator<Uint8Array> {
  const file = openSync(path, "r")
  try {
    let pendingChunks: Array<Buffer> = []
    let heldBytes = 0
    const take = (last: Buffer): Buffer => {
      const line = pendingChunks.length === 0 ? last : Buffer.concat([...pendingChunks, last])
      pendingChunks = []
      heldBytes = 0
      return line
    }
    while (true) {
      const piece = Buffer.allocUnsafe(pieceBytes)
      const read = readSync(file, piece)
      if (read === 0) break
      let from = 0
      for (let feed = piece.indexOf(10); feed !== -1 && feed < read; feed = piece.indexOf(10, from)) {
        yield take(piece.subarray(from, feed + 1))
        from = feed + 1
      }
      if (from === read) continue
      pendingChunks.push(piece.subarray(from, read))
      heldBytes += read - from
      if (heldBytes > maxLineLength) yield take(Buffer.alloc(0))
    }
    if (heldBytes > 0) yield take(Buffer.alloc(0))
  } finally {
    closeSync(file)
  }
}

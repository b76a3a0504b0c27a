/** A window of lines and the digest of a file, read chunk by chunk. */
import type { ToolError } from "@bough/protocol"
import { Canonical } from "@bough/protocol"
import { LineWindow } from "@bough/text"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import { createHash } from "node:crypto"
import { fill, type OpenFile, readAll, tooLarge, type View, withFile } from "./openFile.ts"

/** The largest file that is read. */
const maxFileBytes = 4 * 1024 ** 3
/**
 * The size up to which the whole file is read for its digest and number of lines; a larger file is read only to the end
 * of the window.
 */
const wholeBytes = 64 * 1024 ** 2
const maxWindowBytes = 1024 ** 2
const chunkBytes = 1024 ** 2

export const readLines = (
  view: View,
  path: string,
  range: LineWindow.LineRange
): Effect.Effect<LineWindow.LineWindow, ToolError.ToolError> =>
  withFile(view, path, (file) => {
    const bounded = { ...range, maxBytes: Math.min(range.maxBytes, maxWindowBytes) }
    if (file.bytes > maxFileBytes) return Effect.fail(tooLarge(file.path, file.bytes, maxFileBytes))
    return file.bytes <= chunkBytes
      ? Effect.map(readAll(file, maxFileBytes), (bytes) => LineWindow.windowOf(bytes, bounded))
      : scan(file, bounded)
  })

const scan = Effect.fnUntraced(function* (
  file: OpenFile,
  range: LineWindow.LineRange
): Effect.fn.Return<LineWindow.LineWindow, ToolError.ToolError> {
  const isWhole = file.bytes <= wholeBytes
  const scanner = LineWindow.scanner(range)
  const hash = createHash("sha256")
  const chunk = Buffer.allocUnsafeSlow(chunkBytes)
  let position = 0
  for (;;) {
    const read = yield* fill(file, chunk, position)
    const part = chunk.subarray(0, read)
    const needsMore = scanner.push(part)
    if (isWhole) hash.update(part)
    position += read
    if (read < chunk.length) return scanner.finish(position, isWhole ? `sha256:${hash.digest("hex")}` : null)
    if (!isWhole && !needsMore) return scanner.finish(file.bytes, null)
  }
})

/** Returns the digest of the whole file, of any size. */
export const digestOf = Effect.fnUntraced(function* (file: OpenFile): Effect.fn.Return<string, ToolError.ToolError> {
  if (file.bytes <= chunkBytes) return Canonical.digest(yield* readAll(file, maxFileBytes))
  if (file.bytes > maxFileBytes) return yield* tooLarge(file.path, file.bytes, maxFileBytes)
  const hash = createHash("sha256")
  const chunk = Buffer.allocUnsafeSlow(chunkBytes)
  for (let position = 0; ;) {
    const read = yield* fill(file, chunk, position)
    hash.update(chunk.subarray(0, read))
    position += read
    if (read < chunk.length) return `sha256:${hash.digest("hex")}`
  }
})

/** Detects the media type of a file from its bytes alone. */
import * as Effect from "effect/Effect"
import { fileTypeFromBuffer } from "file-type"

/** The number of first bytes that determine the type of a file. */
export const headBytes = 4100

/** Types that a browser could execute are served as plain bytes. */
const active = /html|xml|svg|javascript|ecmascript|x-mach|msdownload|shockwave/u

const unknown = "application/octet-stream"

/** Returns true if the bytes are text, whose last character may be cut. */
const isText = (head: Uint8Array): boolean => {
  if (head.includes(0)) return false
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Returns the type by the first bytes of a file. */
export const fromHead = (head: Uint8Array): Effect.Effect<string> =>
  Effect.promise(() => fileTypeFromBuffer(head).catch(() => undefined)).pipe(
    Effect.map((found) => {
      if (found !== undefined) return active.test(found.mime) ? unknown : found.mime
      return isText(head) ? "text/plain; charset=utf-8" : unknown
    })
  )

/** Recognises images by their first bytes. */
import { Buffer } from "node:buffer"

/** The media type, then bytes as latin1 by their offset. */
const signatures: ReadonlyArray<readonly [mediaType: string, ...marks: ReadonlyArray<readonly [number, string]>]> = [
  ["image/png", [0, "\x89PNG\r\n\x1a\n"]],
  ["image/jpeg", [0, "\xff\xd8\xff"]],
  ["image/gif", [0, "GIF87a"]],
  ["image/gif", [0, "GIF89a"]],
  ["image/webp", [0, "RIFF"], [8, "WEBP"]]
]

/**
 * Returns the media type of an image that models accept; null: the bytes are an image of another kind, or not an image.
 */
export const fromBytes = (bytes: Uint8Array): string | null => {
  const start = Buffer.from(bytes.subarray(0, 16)).toString("latin1")
  return signatures.find(([, ...marks]) => marks.every(([offset, mark]) => start.startsWith(mark, offset)))?.[0] ?? null
}

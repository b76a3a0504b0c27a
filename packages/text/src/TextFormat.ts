/** The format of a text file: its encoding and line ending, found in the bytes and kept by every change of the text. */
import { Buffer, isUtf8 } from "node:buffer"

/** `latin1`: bytes that are not UTF-8, read as one character each. */
export type Encoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | "latin1"

export type LineEnding = "LF" | "CRLF" | "mixed"

export interface TextFormat {
  readonly encoding: Encoding
  readonly lineEnding: LineEnding
}

/** The format of new files. */
export const plain: TextFormat = { encoding: "utf-8", lineEnding: "LF" }

/**
 * Returns the encoding according to the byte order mark; without one `utf-8`, which `decode` may correct to `latin1`.
 */
export const markedEncoding = (start: Uint8Array): Encoding => {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return "utf-8-bom"
  if (start[0] === 0xff && start[1] === 0xfe) return "utf-16le"
  if (start[0] === 0xfe && start[1] === 0xff) return "utf-16be"
  return "utf-8"
}

const sniffedBytes = 8192

/** True if the start of a file does not look like text: it has a NUL outside of UTF-16. */
export const isBinary = (start: Uint8Array): boolean => {
  const encoding = markedEncoding(start)
  return encoding !== "utf-16le" && encoding !== "utf-16be" && start.subarray(0, sniffedBytes).includes(0)
}

/** The length of the byte order mark. */
export const markBytes: Readonly<Record<Encoding, number>> = {
  "utf-8": 0,
  "utf-8-bom": 3,
  "utf-16le": 2,
  "utf-16be": 2,
  latin1: 0
}

/** Decodes a part of a file of this encoding, without the byte order mark. */
export const decodePart = (
  bytes: Uint8Array,
  encoding: Encoding,
  atStart: boolean
): { readonly text: string; readonly encoding: Encoding } => {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(atStart ? markBytes[encoding] : 0)
  if (encoding === "utf-16le") return { text: body.toString("utf16le"), encoding }
  if (encoding === "utf-16be") return { text: swapped(body).toString("utf16le"), encoding }
  if (encoding === "latin1" || (encoding === "utf-8" && !isUtf8(body))) {
    return { text: body.toString("latin1"), encoding: "latin1" }
  }
  return { text: body.toString("utf8"), encoding }
}

/** Returns the bytes without an incomplete character at their end. */
export const wholeCharacters = (bytes: Uint8Array, encoding: Encoding): Uint8Array => {
  const { length } = bytes
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    const even = length - (length % 2)
    const high = bytes[encoding === "utf-16le" ? even - 1 : even - 2]
    return bytes.subarray(0, even > 2 && high >= 0xd8 && high < 0xdc ? even - 2 : even)
  }
  for (let back = 1; back <= 3 && back < length; back++) {
    const byte = bytes[length - back]
    if ((byte & 0xc0) === 0x80) continue
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return bytes.subarray(0, size > back ? length - back : length)
  }
  return bytes
}

/** Decodes a whole file, and returns its text and format. */
export const decode = (bytes: Uint8Array): { readonly text: string; readonly format: TextFormat } => {
  const { encoding, text } = decodePart(bytes, markedEncoding(bytes), true)
  return { text, format: { encoding, lineEnding: lineEndingOf(text) } }
}

/** Encodes a whole file, including the byte order mark; null: `latin1` has no such character. */
export const encode = (text: string, encoding: Encoding): Uint8Array | null => {
  switch (encoding) {
    case "utf-8":
      return Buffer.from(text, "utf8")
    case "utf-8-bom":
      return Buffer.from(`\uFEFF${text}`, "utf8")
    case "utf-16le":
      return Buffer.from(`\uFEFF${text}`, "utf16le")
    case "utf-16be":
      return swapped(Buffer.from(`\uFEFF${text}`, "utf16le"))
    case "latin1":
      return /[^\0-\xFF]/.test(text) ? null : Buffer.from(text, "latin1")
  }
}

/** Returns the line ending; LF if there is none at all. */
export const lineEndingOf = (text: string): LineEnding => {
  let crlf = 0
  let lf = 0
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    if (at > 0 && text.charCodeAt(at - 1) === 13) crlf++
    else lf++
  }
  return crlf === 0 ? "LF" : lf === 0 ? "CRLF" : "mixed"
}

/** Converts every CRLF to LF. */
export const toLineFeeds = (text: string): string => (text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text)

/** Converts LF to the given line ending; `mixed` leaves text unchanged. */
export const fromLineFeeds = (text: string, lineEnding: LineEnding): string =>
  lineEnding === "CRLF" ? text.replaceAll("\n", "\r\n") : text

const swapped = (bytes: Buffer): Buffer => {
  const even = Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
  return even.swap16()
}

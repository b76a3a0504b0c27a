/** A piece of a long text that fits into a result, in bytes of UTF-8. Consecutive pieces make up the text. */
import { TextFormat } from "@bough/text"
import { Buffer } from "node:buffer"

export interface Window {
  readonly text: string
  readonly startByte: number
  readonly endByte: number
  readonly totalBytes: number
}

/**
 * The maximum number of characters of one result for the model, as JSON, so that the dispatcher need not truncate it.
 */
export const maxAnswerLength = 15_000

export const windowOf = (text: string, offset: number, maxBytes: number): Window => {
  const bytes = Buffer.from(text)
  const startByte = characterStart(bytes, Math.min(offset, bytes.length))
  for (let pieceBytes = Math.min(maxBytes, maxAnswerLength); ;) {
    const window = bytes.subarray(startByte, startByte + pieceBytes)
    const isLast = startByte + pieceBytes >= bytes.length
    const wholeCharacters = isLast ? window : TextFormat.wholeCharacters(window, "utf-8")
    const piece = Buffer.from(wholeCharacters).toString()
    const length = Buffer.byteLength(JSON.stringify(piece))
    if (length <= maxAnswerLength) {
      return { text: piece, startByte, endByte: startByte + wholeCharacters.length, totalBytes: bytes.length }
    }
    pieceBytes = Math.floor((pieceBytes * maxAnswerLength * 0.95) / length)
  }
}

const characterStart = (bytes: Buffer, at: number): number => {
  let start = at
  while (start < bytes.length && (bytes[start] & 0xc0) === 0x80) start++
  return start
}

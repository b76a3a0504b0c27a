/**
 * Truncates text: the beginning and the end stay, a marker between them gives the full length, and the full text is
 * stored in a blob that `read_file` reads page by page. Secrets are replaced first, so that only redacted text is
 * stored.
 */
import { Canonical } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { Ledger, type NotRecorded } from "./Ledger.ts"

/** The limit for outputs of a tool that declares no limit. */
export const maxBytes = 16 * 1024

/** The share of the beginning. It is small because errors and summaries are at the end. */
const headShare = 0.2

export interface TruncatedOutput {
  /** The text, truncated to the given number of bytes of UTF-8. */
  readonly text: string
  /** The digest of the full output, redacted. */
  readonly digest: string
  /** The blob with the full output, if it was truncated. */
  readonly blob: string | null
}

/** Bounds redacted text that a model may page through. */
export const truncate = (text: string, limit = maxBytes): Effect.Effect<TruncatedOutput, NotRecorded, Ledger> =>
  spilling(text, {
    limit,
    cutTo: limit,
    markerOf: (bytes, blob) => `${marker(bytes)}\nread_file with path "blob:${blob}" pages through the whole`
  })

/** Truncates redacted text that no model reads: the visible part is only a preview of the blob. */
export const boundUnread = (text: string): Effect.Effect<TruncatedOutput, NotRecorded, Ledger> =>
  spilling(text, { limit: maxBytes, cutTo: unreadBytes, markerOf: marker })

const unreadBytes = 1024

interface TruncationOptions {
  readonly limit: number
  readonly cutTo: number
  readonly markerOf: (bytes: number, blob: string) => string
}

const spilling = (
  text: string,
  { cutTo, limit, markerOf }: TruncationOptions
): Effect.Effect<TruncatedOutput, NotRecorded, Ledger> => {
  const digest = Canonical.digest(text)
  if (fits(text, limit)) return Effect.succeed({ text, digest, blob: null })
  const bytes = new TextEncoder().encode(text)
  return Effect.map(
    Ledger.use((ledger) => ledger.spill(bytes)),
    (blob) => ({ text: cut(bytes, markerOf(bytes.length, blob), cutTo), digest, blob })
  )
}

/** Truncates text without a blob for the rest: for error messages and texts for users. */
export const shorten = (text: string, limit = maxBytes): string => {
  if (fits(text, limit)) return text
  const bytes = new TextEncoder().encode(text)
  return cut(bytes, marker(bytes.length), limit)
}

/** A UTF-16 unit is at most three bytes of UTF-8. */
const fits = (text: string, limit: number): boolean => text.length * 3 <= limit || Buffer.byteLength(text) <= limit

const marker = (bytes: number): string => `[output truncated — original size: ${bytes} bytes]`

const cut = (bytes: Uint8Array, marker: string, limit: number): string => {
  const between = `\n${marker}\n`
  const freeBytes = Math.max(0, limit - Buffer.byteLength(between))
  let head = Math.floor(freeBytes * headShare)
  while (head > 0 && isContinuation(bytes[head])) head--
  let tail = bytes.length - (freeBytes - head)
  while (tail < bytes.length && isContinuation(bytes[tail])) tail++
  return decode(bytes.subarray(0, head)) + between + decode(bytes.subarray(tail))
}

/** Keeps a byte order mark, because it is text like any other. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
const decode = (bytes: Uint8Array): string => decoder.decode(bytes)

const isContinuation = (byte: number): boolean => (byte & 0b1100_0000) === 0b1000_0000

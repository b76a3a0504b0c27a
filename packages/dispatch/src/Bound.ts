/**
 * What the model gets to read of an output: secrets replaced first, so that the redacted text is the output; then at
 * most 16 KiB, with the whole kept aside under its digest and a line that says how to page through it.
 */
import { Canonical } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { Ledger, type NotRecorded } from "./Ledger.ts"

export const maxBytes = 16 * 1024

export interface Bounded {
  /** At most `maxBytes` of UTF-8. */
  readonly output: string
  /** Of the whole, redacted. */
  readonly outputDigest: string
  /** Where the whole is kept, if it did not fit. */
  readonly outputBlob: string | null
}

/** Of text that is already redacted. */
export const bound = (text: string): Effect.Effect<Bounded, NotRecorded, Ledger> => {
  const outputDigest = Canonical.digest(text)
  if (fits(text)) return Effect.succeed({ output: text, outputDigest, outputBlob: null })
  const bytes = new TextEncoder().encode(text)
  return Effect.map(
    Effect.flatMap(Ledger, (ledger) => ledger.spill(bytes)),
    (outputBlob) => ({ output: cut(bytes, paging(bytes.length, outputBlob)), outputDigest, outputBlob })
  )
}

/** Cut to size without keeping the rest: for error messages. */
export const shorten = (text: string): string => {
  if (fits(text)) return text
  const bytes = new TextEncoder().encode(text)
  return cut(bytes, marker(bytes.length))
}

/** A UTF-16 unit is at most three bytes of UTF-8. */
const fits = (text: string): boolean => text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes

const marker = (bytes: number): string => `\n[output truncated — original size: ${bytes} bytes]`

const paging = (bytes: number, digest: string): string =>
  `${marker(bytes)}\nread_file with path "blob:${digest}" pages through the whole`

const cut = (bytes: Uint8Array, ending: string): string => {
  const room = maxBytes - Buffer.byteLength(ending)
  let end = Math.max(0, room)
  while (end > 0 && isContinuation(bytes[end])) end--
  return new TextDecoder().decode(bytes.subarray(0, end)) + ending
}

const isContinuation = (byte: number): boolean => (byte & 0b1100_0000) === 0b1000_0000

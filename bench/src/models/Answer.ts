/** The answer of a provider's server: text in many small pieces, in the provider's dialect. */
import type { Chunk, Dialect, ReplyPart } from "../../../packages/models/test/wire/Dialect.ts"

export const piece = "some words "

const tokens = { input: 1000, cached: 0, written: 0, output: 50 }

/** Returns the whole answer at once, because the client's work is measured, not the division into packets. */
export const inPieces = (dialect: Dialect, pieces: number): Buffer => {
  const encode = (open: boolean) => {
    const part: ReplyPart = { is: "text", text: piece, open }
    return dialect.encode({ said: [part], ends: "stop", tokens })
  }
  const { body: begun } = encode(true)
  const { body, closing } = encode(false)
  const repeated: ReadonlyArray<Chunk> = Array.from({ length: pieces - 1 }, () => begun[begun.length - 1])
  // A complete block of text differs from an unfinished block only by its end.
  const chunks = [...begun, ...repeated, ...body.slice(begun.length), ...closing]
  return Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))
}

/** Reads the body of a response, decompressed as it arrives and bounded on both sides. */
import type { ToolError } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { Buffer } from "node:buffer"
import type { IncomingMessage } from "node:http"
import { pipeline, type Transform, Writable } from "node:stream"
import * as zlib from "node:zlib"
import type { Limits } from "../Limits.ts"
import * as Refusal from "../Refusal.ts"

/** The value of `accept-encoding` in requests. */
export const codings = "gzip, br"

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  "x-gzip": () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress()
}

/** The size up to which a body may have any ratio, since small pages can compress that well. */
const ratioFreeBytes = 1024 ** 2

export const read = (answer: IncomingMessage, limits: Limits): Effect.Effect<Uint8Array, ToolError.ToolError> => {
  const coding = (answer.headers["content-encoding"] ?? "identity").trim().toLowerCase()
  if (coding === "identity" || coding === "")
    return Effect.raceFirst(collect(answer, [], limits), tooSlow(answer, limits))
  const decoder = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined
  return decoder === undefined
    ? Effect.fail(Refusal.fail("Encoding", `a body in ${Refusal.quote(coding)} was not asked for`))
    : Effect.raceFirst(collect(answer, [decoder()], limits), tooSlow(answer, limits))
}

const collect = (answer: IncomingMessage, decode: ReadonlyArray<Transform>, limits: Limits) =>
  Effect.callback<Uint8Array, ToolError.ToolError>((resume) => {
    const parts: Array<Buffer> = []
    let unpacked = 0
    let packed = 0
    let failure: ToolError.ToolError | null = null
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        unpacked += chunk.length
        failure = limitFault(unpacked, packed, limits)
        parts.push(chunk)
        done(failure)
      }
    })
    answer.on("data", (chunk: Buffer) => {
      packed += chunk.length
    })
    pipeline([answer, ...decode, sink], (error) => {
      if (error === null || error === undefined) resume(Effect.succeed(new Uint8Array(Buffer.concat(parts))))
      else resume(Effect.fail(failure ?? broken(error)))
    })
    return Effect.sync(() => answer.destroy())
  })

const limitFault = (unpacked: number, packed: number, { maxBytes, maxRatio }: Limits): ToolError.ToolError | null => {
  if (unpacked > maxBytes) return Refusal.fail("TooLarge", `the body is larger than ${maxBytes} bytes`)
  return unpacked > ratioFreeBytes && unpacked > packed * maxRatio
    ? Refusal.fail("CompressionBomb", `the body unpacks to more than ${maxRatio} times its size`)
    : null
}

const broken = (error: NodeJS.ErrnoException): ToolError.ToolError =>
  error.code?.startsWith("Z_") === true || error.code?.startsWith("ERR__ERROR") === true
    ? Refusal.fail("Encoding", "the compressed body is damaged")
    : Refusal.fail("ConnectionFailed", "the body ended before it was whole")

/** Fails once too little data has arrived in a period; never succeeds. */
const tooSlow = (answer: IncomingMessage, { slowBytes, slowMillis }: Limits) =>
  Effect.suspend(() => {
    let received = 0
    answer.on("data", (chunk: Buffer) => {
      received += chunk.length
    })
    const watch: Effect.Effect<never, ToolError.ToolError> = Effect.suspend(() => {
      const before = received
      return Effect.andThen(
        Effect.sleep(slowMillis),
        Effect.suspend(() =>
          received - before < slowBytes
            ? Effect.fail(Refusal.fail("TooSlow", `fewer than ${slowBytes} bytes in ${slowMillis} ms`))
            : watch
        )
      )
    })
    return watch
  })

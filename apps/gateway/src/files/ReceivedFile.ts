/** An uploaded file in a temporary file on disk. It is written as it arrives, and is never in memory as a whole. */
import { Directory } from "@bough/disk"
import { Limits, Problem } from "@bough/gateway-api"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { createHash, randomBytes } from "node:crypto"
import { type FileHandle, open, rm } from "node:fs/promises"
import { join } from "node:path"
import * as FileType from "./FileType.ts"

export interface ReceivedFile {
  readonly path: string
  readonly bytes: number
  /** `sha256:` and hexadecimal digits. */
  readonly digest: string
  readonly mediaType: string
}

/** The upload was larger than its bound; the partial file is removed. */
export const tooLarge = (maxBytes: number) =>
  new Problem.PayloadTooLarge({ detail: `a file has at most ${maxBytes} bytes` })

/** Creates a temporary file in a private directory; it is removed with the scope, unless it was moved away. */
const temporary = (directory: string) =>
  Effect.acquireRelease(
    Effect.promise(async (): Promise<{ readonly path: string; readonly handle: FileHandle }> => {
      Directory.makePrivate(directory)
      const path = join(directory, randomBytes(12).toString("hex"))
      return { path, handle: await open(path, "wx", 0o600) }
    }),
    ({ handle, path }) => Effect.promise(() => handle.close().finally(() => rm(path, { force: true })))
  )

/** Receives a file until its end; its bytes are then durable. */
export const receive = Effect.fnUntraced(function* <E>(
  content: Stream.Stream<Uint8Array, E>,
  directory: string,
  maxBytes: number = Limits.limits.uploadBytes
) {
  const { handle, path } = yield* temporary(directory)
  const hash = createHash("sha256")
  let head = Buffer.alloc(0)
  let bytes = 0
  const takeChunk = Effect.fnUntraced(function* (chunk: Uint8Array) {
    bytes += chunk.length
    if (bytes > maxBytes) return yield* tooLarge(maxBytes)
    if (head.length < FileType.headBytes) head = Buffer.concat([head, chunk.subarray(0, FileType.headBytes)])
    hash.update(chunk)
    yield* Effect.promise(() => handle.writeFile(chunk))
  })
  yield* Stream.runForEach(content, takeChunk)
  yield* Effect.promise(() => handle.sync())
  const mediaType = yield* FileType.fromHead(head.subarray(0, FileType.headBytes))
  return { path, bytes, digest: `sha256:${hash.digest("hex")}`, mediaType } satisfies ReceivedFile
})

/** Expands an uploaded archive, whose kind is detected from its first bytes, into a new folder. */
import { Problem } from "@bough/gateway-api"
import * as Effect from "effect/Effect"
import { mkdirSync } from "node:fs"
import { open } from "node:fs/promises"
import * as ArchiveTarget from "./ArchiveTarget.ts"

type Kind = "tar" | "gzip" | "zip"

const ustarAt = 257

const kindOf = (head: Buffer): Kind | null => {
  if (head[0] === 0x1f && head[1] === 0x8b) return "gzip"
  if (head.subarray(0, 2).toString("latin1") === "PK") return "zip"
  return head.subarray(ustarAt, ustarAt + 5).toString("latin1") === "ustar" ? "tar" : null
}

const headOf = async (path: string): Promise<Buffer> => {
  const file = await open(path, "r")
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ustarAt + 5), 0, ustarAt + 5, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const expand = async (path: string, folder: string, bounds?: ArchiveTarget.ArchiveBounds): Promise<number> => {
  const kind = kindOf(await headOf(path))
  if (kind === null) throw new ArchiveTarget.ArchiveRefused("the upload is not a tar, tar.gz or zip archive")
  mkdirSync(folder)
  const target = ArchiveTarget.make(folder, bounds)
  try {
    // Loaded with the first archive.
    if (kind === "zip") await (await import("./ZipArchive.ts")).expand(path, target)
    else await (await import("./TarArchive.ts")).expand(path, kind === "gzip", target)
  } finally {
    target.close()
  }
  return target.bytes()
}

/** Returns the number of bytes of its files. After a failure the folder may exist with some of them. */
export const intoFolder = (
  path: string,
  folder: string,
  bounds?: ArchiveTarget.ArchiveBounds
): Effect.Effect<number, Problem.Unprocessable> =>
  Effect.promise(() => expand(path, folder, bounds)).pipe(
    Effect.catchDefect((cause) =>
      cause instanceof ArchiveTarget.ArchiveRefused
        ? Effect.fail(
            new Problem.Unprocessable({
              code: cause.isTooLarge ? "archive_too_large" : "invalid_archive",
              detail: cause.message
            })
          )
        : Effect.die(cause)
    )
  )

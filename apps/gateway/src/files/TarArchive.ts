/** Expands a `tar` or `tar.gz` file. Links, devices and everything else that is neither file nor folder are refused. */
import { createReadStream } from "node:fs"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip } from "node:zlib"
import { Parser, type ReadEntry } from "tar"
import { ArchiveRefused, type ArchiveTarget } from "./ArchiveTarget.ts"

const executable = 0o100

const take = (entry: ReadEntry, target: ArchiveTarget, fail: (cause: unknown) => void): void => {
  switch (entry.type) {
    case "Directory":
    case "GNUDumpDir":
      target.folder(entry.path)
      entry.resume()
      return
    case "File":
    case "OldFile":
    case "ContiguousFile": {
      const file = target.file(entry.path, ((entry.mode ?? 0) & executable) !== 0)
      entry.on("data", (chunk: Buffer) => attempt(() => file.write(chunk), fail))
      entry.on("end", file.close)
      return
    }
    default:
      throw new ArchiveRefused(
        `${JSON.stringify(entry.path.slice(0, 100))} is neither a file nor a folder (${entry.type})`
      )
  }
}

const attempt = (work: () => void, fail: (cause: unknown) => void): void => {
  try {
    work()
  } catch (cause) {
    fail(cause)
  }
}

/** Rejects with `ArchiveRefused` if the archive is invalid; the caller then removes the target. */
export const expand = async (path: string, isGzip: boolean, target: ArchiveTarget): Promise<void> => {
  const stop = new AbortController()
  let failure: unknown = null
  const fail = (cause: unknown): void => {
    failure ??= cause
    stop.abort()
  }
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) =>
      attempt(
        () => take(entry, target, fail),
        (cause) => {
          entry.resume()
          fail(cause)
        }
      )
  })
  const counter = new Transform({
    transform: (chunk: Buffer, _, done) => {
      attempt(() => target.unpacked(chunk.length), fail)
      done(null, failure === null ? chunk : null)
    }
  })
  const parsed = new Promise<void>((resolve, reject) => {
    parser.on("end", resolve)
    parser.on("error", reject)
  })
  parsed.catch(() => {})
  const source = createReadStream(path)
  const { signal } = stop
  try {
    const feed = async (bytes: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of bytes) {
        if (failure !== null) return
        if (!parser.write(chunk)) await new Promise<void>((resolve) => void parser.once("drain", resolve))
      }
      parser.end()
      await parsed
    }
    await (isGzip
      ? pipeline(source, createGunzip(), counter, feed, { signal })
      : pipeline(source, counter, feed, { signal }))
  } catch (cause) {
    failure ??= new ArchiveRefused(
      `the archive cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`
    )
  }
  if (failure !== null) throw failure
}

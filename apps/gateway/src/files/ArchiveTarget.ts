/**
 * The new folder that an archive is expanded into: only files and folders, each once, within bounds that are counted
 * during the expansion. Nothing else writes there, and the folder never contains a link, so a path cannot lead out of
 * it.
 */
import { Directory } from "@bough/disk"
import { Limits } from "@bough/gateway-api"
import { closeSync, openSync, writeSync } from "node:fs"
import { dirname, join } from "node:path"
import * as ArchivePath from "./ArchivePath.ts"

/** The archive is refused: its content is not allowed in a workspace, or is too large. */
export class ArchiveRefused extends Error {
  override readonly name = "ArchiveRefused"
  readonly isTooLarge: boolean

  constructor(message: string, isTooLarge = false) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

export interface OpenEntry {
  readonly write: (chunk: Uint8Array) => void
  readonly close: () => void
}

export interface ArchiveTarget {
  readonly folder: (name: string) => void
  readonly file: (name: string, isExecutable: boolean) => OpenEntry
  /** Counts unpacked bytes, even those that are not written to a file. */
  readonly unpacked: (bytes: number) => void
  readonly bytes: () => number
  /** Closes files that a failure left open. */
  readonly close: () => void
}

/** The space for headers and padding of an archive, in addition to the bytes of its files. */
const overhead = 2

export interface ArchiveBounds {
  readonly archiveBytes: number
  readonly archiveFiles: number
}

/** Error codes of names that cannot be created: duplicates, a file used as a folder, names that are too long. */
const badNames: ReadonlySet<string> = new Set(["EEXIST", "ENOTDIR", "EISDIR", "ENAMETOOLONG", "EILSEQ", "EINVAL"])

/** Creates the entry; if its name cannot be created, the archive is at fault. */
const create = <A>(name: string, work: () => A): A => {
  try {
    return work()
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
    if (!badNames.has(code)) throw cause
    throw new ArchiveRefused(
      `${JSON.stringify(name.slice(0, 100))} appears twice in the archive, or cannot be created (${code})`
    )
  }
}

export const make = (root: string, { archiveBytes, archiveFiles }: ArchiveBounds = Limits.limits): ArchiveTarget => {
  let entries = 0
  let written = 0
  let raw = 0
  const open = new Set<number>()
  const close = (file: number): void => {
    if (open.delete(file)) closeSync(file)
  }
  const pathOf = (name: string): string => {
    const found = ArchivePath.fromName(name)
    if ("fault" in found) throw new ArchiveRefused(found.fault)
    entries += 1
    if (entries > archiveFiles) throw new ArchiveRefused(`the archive contains more than ${archiveFiles} files`, true)
    return found.path
  }
  const tooLarge = () => new ArchiveRefused(`the archive contains more than ${archiveBytes} bytes`, true)
  return {
    folder: (name) => {
      const path = join(root, pathOf(name))
      create(name, () => Directory.make(path))
    },
    file: (name, isExecutable) => {
      const path = pathOf(name)
      if (path === "") throw new ArchiveRefused("a file of the archive has no name")
      const mode = isExecutable ? 0o755 : 0o644
      // Fails if the path exists: for a repeated file, or for names that differ only in case on a disk that ignores case.
      const file = create(name, () => {
        Directory.make(dirname(join(root, path)))
        return openSync(join(root, path), "wx", mode)
      })
      open.add(file)
      return {
        write: (chunk) => {
          written += chunk.length
          if (written > archiveBytes) throw tooLarge()
          for (let at = 0; at < chunk.length;) at += writeSync(file, chunk, at)
        },
        close: () => close(file)
      }
    },
    unpacked: (bytes) => {
      raw += bytes
      if (raw > archiveBytes * overhead) throw tooLarge()
    },
    bytes: () => written,
    close: () => Array.from(open).forEach(close)
  }
}

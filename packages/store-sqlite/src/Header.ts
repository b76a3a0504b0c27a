/** The first hundred bytes of a SQLite file (sqlite.org/fileformat2.html), read before SQLite may touch it. */
import type { SessionStore } from "@bough/runtime"
import * as Format from "./Format.ts"
import * as Refusal from "./Refusal.ts"

export const length = 100

export interface FoundHeader {
  readonly path: string
  /** The file's first `length` bytes, or all of them if it is shorter. */
  readonly header: Uint8Array
  readonly bytes: number
  /** The size of the write-ahead log beside the file; the log may contain pages that are missing from the file. */
  readonly logBytes: number
}

const magic = "SQLite format 3\0"

/** Returns the reason why the file is refused according to its header; null: it looks like a file of Bough. */
export const refusal = ({ bytes, header, logBytes, path }: FoundHeader): SessionStore.StoreRefused | null => {
  if (bytes === 0) return Refusal.make(path, "Torn", "is empty")
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  if (!Buffer.from(header).toString("latin1").startsWith(magic.slice(0, bytes))) {
    return Refusal.make(path, "Foreign", "is not a session store")
  }
  if (bytes < length) return Refusal.make(path, "Torn", `is cut off after ${bytes} bytes`)
  if (view.getUint32(68) !== Format.applicationId) {
    return Refusal.make(path, "Foreign", "is a database of another program")
  }
  const version = view.getUint32(60)
  if (version > Format.version) return newer(path, version)
  const [pageSize, pages] = [view.getUint16(16) === 1 ? 65_536 : view.getUint16(16), view.getUint32(28)]
  if (logBytes === 0 && bytes < pageSize * pages) {
    return Refusal.make(path, "Torn", `is truncated: it has ${bytes} of ${pageSize * pages} bytes`)
  }
  return null
}

export const newer = (path: string, version: number): SessionStore.StoreRefused =>
  Refusal.make(path, "Newer", `has version ${version} of the format, and this program knows ${Format.version}`)

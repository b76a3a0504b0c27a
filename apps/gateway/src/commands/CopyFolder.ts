/**
 * Copies a folder whose files change meanwhile. A file that is removed during the copy is left out, links are copied as
 * links, and no link is followed: on Linux each folder is read by its descriptor, so that a link that replaces the folder
 * during the copy has no effect.
 */
import { SystemError } from "@bough/disk"
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  symlinkSync,
  writeSync
} from "node:fs"

/** Each level needs a descriptor; deeper folders are left out and reported. */
const maxDepth = 400

/** Codes of a file that was removed or replaced meanwhile, and of a socket. */
const absent: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ENXIO"])

/** Errors of reading one file: the file is reported, and the copy continues. Other errors, such as a full disk, end it. */
const refused: ReadonlySet<string> = new Set(["EACCES", "EPERM", "ENAMETOOLONG"])

/** Joins names as bytes, which need not be UTF-8. */
const join = (folder: Buffer, name: Buffer): Buffer => Buffer.concat([folder, Buffer.from("/"), name])

const pathOfDescriptor = (descriptor: number, path: Buffer): Buffer =>
  process.platform === "linux" ? Buffer.from(`/proc/self/fd/${descriptor}`) : path

const copyBytes = (from: number, to: Buffer, mode: number): void => {
  const target = openSync(to, "wx", 0o600)
  try {
    const bytes = Buffer.allocUnsafe(256 * 1024)
    for (let count = readSync(from, bytes); count > 0; count = readSync(from, bytes)) {
      for (let written = 0; written < count;) written += writeSync(target, bytes, written, count - written)
    }
    fchmodSync(target, mode & 0o777)
  } finally {
    closeSync(target)
  }
}

/** An entry of a folder. */
interface CopyEntry {
  /** The path at which it is opened. */
  readonly source: Buffer
  readonly target: Buffer
  /** The path that names it in reports. */
  readonly path: Buffer
  readonly depth: number
}

/** Copies the folder to a path that does not exist, and returns the paths that could not be read. */
export const copyFolder = (from: string, to: string): ReadonlyArray<string> => {
  const unread: Array<string> = []

  const copyEntries = (descriptor: number, { depth, path, target }: CopyEntry): void => {
    const inside = pathOfDescriptor(descriptor, path)
    mkdirSync(target, 0o700)
    const folder = openSync(target, constants.O_RDONLY)
    try {
      for (const name of readdirSync(inside, { encoding: "buffer" })) {
        copy({ source: join(inside, name), target: join(target, name), path: join(path, name), depth: depth + 1 })
      }
      fchmodSync(folder, fstatSync(descriptor).mode & 0o777)
    } finally {
      closeSync(folder)
    }
  }

  const copy = (entry: CopyEntry): void => {
    const { depth, path, source, target } = entry
    try {
      const descriptor = openSync(source, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
      try {
        const stat = fstatSync(descriptor)
        if (stat.isFile()) copyBytes(descriptor, target, stat.mode)
        else if (stat.isDirectory() && depth > maxDepth) unread.push(path.toString())
        else if (stat.isDirectory()) copyEntries(descriptor, entry)
      } finally {
        closeSync(descriptor)
      }
    } catch (error) {
      const code = SystemError.codeOf(error)
      if (code === "ELOOP") copyLink(source, target)
      else if (refused.has(code)) unread.push(path.toString())
      else if (!absent.has(code)) throw error
    }
  }

  const copyLink = (source: Buffer, target: Buffer): void => {
    try {
      symlinkSync(readlinkSync(source, { encoding: "buffer" }), target)
    } catch (error) {
      // EINVAL: a file that is not a link has replaced the link meanwhile; it is left out.
      const code = SystemError.codeOf(error)
      if (!absent.has(code) && code !== "EINVAL") throw error
    }
  }

  const path = Buffer.from(from)
  copy({ source: path, target: Buffer.from(to), path, depth: 0 })
  return unread
}

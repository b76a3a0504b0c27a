/** Small files of a person or a project, read and replaced whole. */
import { SystemError } from "@bough/disk"
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync
} from "node:fs"
import { randomUUID } from "node:crypto"

const maxBytes = 256 * 1024

export class NotReadable extends Error {
  override readonly name = "NotReadable"
}

/** The text of a regular file; null: nothing is there. Anything else throws NotReadable with one sentence. */
export const read = (path: string): string | null => {
  let handle: number | null = null
  try {
    // Non-blocking: a FIFO in its place must not hold the program up.
    handle = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    return textOf(handle, path)
  } catch (error) {
    return nothingThere(error)
  } finally {
    if (handle !== null) closeSync(handle)
  }
}

/** What `readInside` found; `link` is the path that was read, where the given one leads over a link. */
export interface Inside {
  readonly text: string
  readonly link: string | null
}

/**
 * The same for a file of a project, whose root has no links: what a link leads to outside of it throws NotReadable. It is
 * the opened file that is looked at, so nothing can be put in its place meanwhile.
 */
export const readInside = (path: string, root: string): Inside | null => {
  const real = realPathOf(path)
  if (real === null) return null
  const outside = new NotReadable("it is a link that leads out of the project")
  if (!real.startsWith(root === "/" ? "/" : `${root}/`)) throw outside
  let handle: number | null = null
  try {
    handle = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    if ((handlePath(handle) ?? real) !== real) throw outside
    return { text: textOf(handle, path), link: real === path ? null : real }
  } catch (error) {
    return nothingThere(error)
  } finally {
    if (handle !== null) closeSync(handle)
  }
}

const realPathOf = (path: string): string | null => {
  try {
    return realpathSync.native(path)
  } catch (error) {
    return nothingThere(error)
  }
}

/** Null: this platform does not say. */
const handlePath = (handle: number): string | null => {
  try {
    return readlinkSync(`/proc/self/fd/${handle}`)
  } catch {
    return null
  }
}

const textOf = (handle: number, path: string): string => {
  const { size } = fstatOf(handle, path)
  if (size > maxBytes) throw new NotReadable(`it has ${size} bytes; at most ${maxBytes} are read`)
  return readFileSync(handle, "utf8").replace(/^\uFEFF/u, "")
}

const nothingThere = (error: unknown): null => {
  if (error instanceof NotReadable) throw error
  const { code, message } = SystemError.toSystemError(error)
  if (code === "ENOENT" || code === "ENOTDIR") return null
  throw new NotReadable(message)
}

const fstatOf = (handle: number, path: string): { readonly size: number } => {
  const found = fstatSync(handle)
  if (!found.isFile()) throw new NotReadable(`${path} is not a regular file`)
  return found
}

/** Puts private text in place: a reader sees the old or the new file, never half. */
export const replace = (path: string, text: string): void => {
  const temporary = `${path}.${randomUUID()}.tmp`
  const handle = openSync(temporary, "wx", 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
    closeSync(handle)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

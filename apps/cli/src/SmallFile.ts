/** Small files of a person or a project, read and replaced whole. */
import { SystemError } from "@bough/disk"
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
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
    const { size } = fstatOf(handle, path)
    if (size > maxBytes) throw new NotReadable(`it has ${size} bytes; at most ${maxBytes} are read`)
    return readFileSync(handle, "utf8").replace(/^\uFEFF/u, "")
  } catch (error) {
    if (error instanceof NotReadable) throw error
    const { code, message } = SystemError.of(error)
    if (code === "ENOENT" || code === "ENOTDIR") return null
    throw new NotReadable(message)
  } finally {
    if (handle !== null) closeSync(handle)
  }
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

/** Small files of a user or a project, read and replaced as a whole. */
import * as Result from "effect/Result"
import { randomUUID } from "node:crypto"
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
  writeFileSync
} from "node:fs"
import { dirname } from "node:path"
import * as Directory from "./Directory.ts"
import * as SystemError from "./SystemError.ts"

const maxBytes = 256 * 1024

export class NotReadable extends Error {
  override readonly name = "NotReadable"
}

/**
 * Reads the text of a regular file; null: the file is missing. Every other failure throws NotReadable with one
 * sentence.
 */
export const read = (path: string): string | null =>
  orNull(() =>
    // Non-blocking: a FIFO with this name must not block the program.
    withFile(path, constants.O_RDONLY | constants.O_NONBLOCK, (handle) => textOf(handle, path))
  )

/** Runs the work; null if there is no file. */
const orNull = <A>(work: () => A): A | null => Result.getOrElse(Result.try(work), nothingThere)

/** Uses an open file, and closes it even if `use` throws. */
const withFile = <A>(path: string, flags: number, use: (handle: number) => A): A => {
  const handle = openSync(path, flags)
  const used = Result.try(() => use(handle))
  closeSync(handle)
  return Result.getOrThrow(used)
}

/** The result of `readInside`; `link` is the real path of the file if the requested path contains a link. */
export interface Inside {
  readonly text: string
  readonly link: string | null
}

/**
 * Reads a file of a project, whose root has no links: a link that leads out of it throws NotReadable. The opened file
 * itself is checked, so that it cannot be swapped in between.
 */
export const readInside = (path: string, root: string): Inside | null => {
  const real = realPathOf(path)
  if (real === null) return null
  const outside = new NotReadable("it is a link to a place outside the project")
  if (!real.startsWith(root === "/" ? "/" : `${root}/`)) throw outside
  return orNull(() =>
    withFile(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW, (handle) => {
      if ((handlePath(handle) ?? real) !== real) throw outside
      return { text: textOf(handle, path), link: real === path ? null : real }
    })
  )
}

const realPathOf = (path: string): string | null => orNull(() => realpathSync.native(path))

/** Returns the path of an open file; null: this platform does not provide it. */
const handlePath = (handle: number): string | null =>
  Result.getOrElse(
    Result.try(() => readlinkSync(`/proc/self/fd/${handle}`)),
    () => null
  )

const textOf = (handle: number, path: string): string => {
  const { size } = fstatOf(handle, path)
  if (size > maxBytes) throw new NotReadable(`it has ${size} bytes; at most ${maxBytes} are read`)
  const bytes = readFileSync(handle)
  if (isUtf16(bytes)) throw new NotReadable("it is in UTF-16; save it as UTF-8")
  return bytes.toString("utf8").replace(/^\uFEFF/u, "")
}

/** Recognises UTF-16 by its byte order mark, or by the zero byte of its first letter. */
const isUtf16 = ([first, second]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || (first === 0) !== (second === 0)

const nothingThere = (error: unknown): null => {
  if (error instanceof NotReadable) throw error
  if (isMissing(error)) return null
  throw new NotReadable(SystemError.reason(error))
}

/** Checks only the code, because most files that a start looks for do not exist and formatting an error is slow. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")

const fstatOf = (handle: number, path: string): { readonly size: number } => {
  const found = fstatSync(handle)
  if (!found.isFile()) throw new NotReadable(`${path} is not a regular file`)
  return found
}

/**
 * Replaces a file with private text, durably: a reader sees the old or the new file, never a part. Throws the system's
 * error.
 */
export const replace = (path: string, text: string): void => {
  const temporary = `${path}.${randomUUID()}.tmp`
  const handle = openSync(temporary, "wx", 0o600)
  const written = Result.try(() => {
    // A single write may be partial on a nearly full disk.
    writeFileSync(handle, text)
    fsyncSync(handle)
  })
  closeSync(handle)
  const placed = Result.flatMap(written, () => Result.try(() => renameSync(temporary, path)))
  if (Result.isFailure(placed)) rmSync(temporary, { force: true })
  Result.getOrThrow(placed)
  Directory.sync(dirname(path))
}

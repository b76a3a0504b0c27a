/**
 * Temporary files of a process, in a list that outlives it, so that the next process removes the files that a killed
 * process left. A list is a file with the identity of its process and a line per temporary path.
 */
import { Directory, ProcessIdentity } from "@bough/disk"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { randomBytes, randomUUID } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import { call } from "./systemCall.ts"

export interface Temporaries {
  /** Lists a path before a file is created there. Call the returned function when the file is removed. */
  readonly list: (path: string) => () => void
}

/** Returns a hidden name that cannot be guessed. */
export const temporaryName = (): string => `.bough-${randomBytes(12).toString("hex")}.tmp`

const isTemporary = (found: string): boolean => /^\.bough-[0-9a-f]{24}\.tmp$/.test(path.basename(found))

/** The list if no directory for lists is configured. */
export const unlisted: Temporaries = { list: () => () => {} }

const extension = ".list"

/**
 * Removes files that dead processes left, then maintains a list of this process's files in the directory until the
 * scope ends.
 */
export const open = Effect.fnUntraced(function* (
  directory: string | null
): Effect.fn.Return<Temporaries, never, Scope.Scope> {
  if (directory === null) return unlisted
  yield* sweep(directory)
  const identity = yield* ProcessIdentity.own
  const file = path.join(directory, `${randomUUID()}${extension}`)
  const header = `${ProcessIdentity.format(identity)}\n`
  let fd: number | null = null
  let listed = 0
  yield* Effect.addFinalizer(() =>
    Effect.ignore(
      call(() => {
        if (fd === null) return
        fs.closeSync(fd)
        fd = null
        // Files that could not be removed stay listed, for the next process.
        if (listed === 0) fs.unlinkSync(file)
      })
    )
  )
  const done = (): void => {
    listed--
    if (listed === 0 && fd !== null) fs.ftruncateSync(fd, Buffer.byteLength(header))
  }
  /** Lists a temporary file for cleaning up. A file that cannot be listed is created nevertheless. */
  const list = (temporary: string): (() => void) => {
    const line = `${JSON.stringify(temporary)}\n`
    const wrote = Effect.runSyncExit(
      call(() => {
        if (fd === null) {
          Directory.makePrivate(directory)
          fd = fs.openSync(file, "ax", 0o600)
          fs.writeSync(fd, header)
        }
        fs.writeSync(fd, line)
        listed++
      })
    )
    return wrote._tag === "Success" ? done : () => {}
  }
  return { list }
})

/**
 * Removes the files of dead processes. Lists of processes that are running, or that cannot be examined from here, are
 * kept.
 */
const sweep = (directory: string): Effect.Effect<void> =>
  call(() => (fs.existsSync(directory) ? fs.readdirSync(directory) : [])).pipe(
    Effect.flatMap((names) =>
      Effect.forEach(
        names.filter((name) => name.endsWith(extension)),
        (name) => Effect.ignore(sweepList(path.join(directory, name))),
        { discard: true }
      )
    ),
    Effect.ignore
  )

const sweepList = Effect.fnUntraced(function* (file: string) {
  const [header, ...lines] = (yield* call(() => fs.readFileSync(file, "utf8"))).split("\n")
  const identity = ProcessIdentity.parse(header)
  if (identity === null || (yield* ProcessIdentity.lifeOf(identity)) !== "Dead") return
  for (const line of lines.filter((text) => text !== "")) {
    yield* Effect.ignore(
      call(() => {
        const found: unknown = JSON.parse(line)
        if (typeof found === "string" && isTemporary(found)) fs.rmSync(found, { recursive: true, force: true })
      })
    )
  }
  yield* call(() => fs.unlinkSync(file))
})

/**
 * Finds entries that are neither file nor directory in directories to which git writes: through them git would write
 * outside of the repository.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type BigIntStats, lstatSync, readdirSync } from "node:fs"
import { basename, dirname } from "node:path"
import * as ByteNames from "./ByteNames.ts"
import { type GitDirectory } from "./GitDirectory.ts"
import * as RootAccess from "./RootAccess.ts"
import { idOf } from "./Survey.ts"
import { nextTurn } from "./WaitForQuiet.ts"

export interface UnexpectedEntry {
  readonly path: string
  readonly id: string
  readonly isLink: boolean
  /** The path in bytes of an entry whose name is not text; absent: `path` is exact. */
  readonly bytes?: Buffer
}

interface Directory {
  readonly id: string
  /** Null: the directory changed just before it was read. */
  readonly changedNanos: bigint | null
  readonly odd: ReadonlyArray<UnexpectedEntry>
  readonly below: ReadonlyArray<string>
  /** Entries whose names are not UTF-8. */
  readonly unnamed: ReadonlyArray<ByteNames.ByteEntry>
}

/** A file system's clock may not advance for some milliseconds while names change. */
const settledNanos = 100_000_000n
const directoriesPerTurn = 512

const memories = new Map<string, Map<string, Directory>>()

const statsOf = (path: string): BigIntStats | null =>
  Result.getOrNull(Result.try(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null))

/**
 * True for one of the 256 directories of loose objects, which are not searched: git reads these objects and never
 * rewrites one.
 */
const holdsLooseObjects = (path: string): boolean =>
  /^[0-9a-f]{2}$/u.test(basename(path)) && basename(dirname(path)) === "objects"

/** Visits all entries except the doors, which commands cannot write. */
export const find = Effect.fnUntraced(function* ({ doors, path }: GitDirectory) {
  const closed = new Set(doors.map(({ name }) => `${path}/${name}`))
  const known = memories.get(path) ?? new Map<string, Directory>()
  const seen = new Map<string, Directory>()
  const odd: Array<UnexpectedEntry> = []
  const pending = [path]
  for (let count = 1; pending.length > 0; count++) {
    const at = pending.pop() ?? path
    const directory = look(at, known.get(at))
    if (directory !== null) {
      seen.set(at, directory)
      // An entry can be moved away only from a directory that its owner may write.
      if (directory.odd.length > 0) RootAccess.open(at, 0o700)
      odd.push(...directory.odd, ...directory.unnamed.flatMap((entry) => unexpectedEntriesIn(at, entry)))
      pending.push(...directory.below.filter((below) => !closed.has(below) && !holdsLooseObjects(below)))
    }
    if (count % directoriesPerTurn === 0) yield* nextTurn
  }
  memories.set(path, seen)
  return odd.filter((entry) => !closed.has(entry.path))
})

/**
 * Visits an entry by its bytes. This is never cached, because the parent directory does not show whether its content
 * changed.
 */
const unexpectedEntriesIn = (
  directory: string,
  { entry, name, path }: ByteNames.ByteEntry
): ReadonlyArray<UnexpectedEntry> => {
  const at = `${directory}/${name}`
  if (entry.isDirectory()) return (ByteNames.all(path) ?? []).flatMap((below) => unexpectedEntriesIn(at, below))
  if (entry.isFile()) return []
  const stats = Result.getOrNull(Result.try(() => lstatSync(path, { bigint: true })))
  return stats === null ? [] : [{ path: at, bytes: path, id: idOf(stats), isLink: entry.isSymbolicLink() }]
}

const opened = (path: string): BigIntStats | null => {
  RootAccess.open(path, 0o500)
  return statsOf(path)
}

/** A directory that its owner may not read is opened: a command can close one to hide what it contains. */
const look = (path: string, known: Directory | undefined): Directory | null => {
  const found = statsOf(path)
  if (found?.isDirectory() !== true) return null
  const stats = (found.mode & 0o500n) === 0o500n ? found : opened(path)
  if (stats === null) return null
  const id = idOf(stats)
  if (known !== undefined && known.id === id && known.changedNanos === stats.ctimeNs) return known
  const entries = Result.getOrElse(
    Result.try(() => readdirSync(path, { withFileTypes: true })),
    () => []
  )
  const nowNanos = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6))
  return {
    id,
    changedNanos: nowNanos - stats.ctimeNs > settledNanos ? stats.ctimeNs : null,
    odd: entries.flatMap((entry) => {
      if (entry.isFile() || entry.isDirectory()) return []
      const found = statsOf(`${path}/${entry.name}`)
      return found === null || found.isFile() || found.isDirectory()
        ? []
        : [{ path: `${path}/${entry.name}`, id: idOf(found), isLink: found.isSymbolicLink() }]
    }),
    unnamed: ByteNames.nonUtf8Entries(
      path,
      entries.map(({ name }) => name)
    ),
    below: entries.flatMap((entry) => (entry.isDirectory() ? [`${path}/${entry.name}`] : []))
  }
}

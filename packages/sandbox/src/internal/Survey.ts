/**
 * Finds the parts of a workspace that need protection when a command runs: repositories at any depth, and files whose
 * names require approval in file tools. It walks the directories, and later only those that changed since the last
 * walk.
 */
import { ToolError } from "@bough/protocol"
import { SensitivePath } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type BigIntStats, type Dirent, lstatSync, readdirSync } from "node:fs"
import * as ByteNames from "./ByteNames.ts"
import { nextTurn } from "./WaitForQuiet.ts"

/** `state`: a directory of another program or agent. `key`: a file with a private key or a password. */
export type Sensitivity = "repository" | "state" | "key" | "secret" | "instructions" | "configuration"

export interface SensitiveEntry {
  /** The absolute path. */
  readonly path: string
  readonly care: Sensitivity
  readonly kind: "file" | "directory" | "link" | "other"
  /** An id that the entry keeps when it is moved; a new file at the same path has another id. */
  readonly id: string
  /** The path of an entry whose name is not UTF-8, which is or contains such an entry; absent: `path` leads there. */
  readonly bytes?: Buffer
}

interface Directory {
  readonly id: string
  /** Null: the directory changed just before it was read, and may have changed again with the same time stamp. */
  readonly changedNanos: bigint | null
  readonly findings: ReadonlyArray<SensitiveEntry>
  /** Directories to survey, by name, each with its last known state; null: unknown. */
  readonly below: Map<string, Directory | null>
  /** Entries whose names are not UTF-8. */
  readonly odd: ReadonlyArray<ByteNames.ByteEntry>
}

/** The findings of each workspace, in a tree that mirrors the directories, so that a walk needs no lookup by path. */
const memories = new Map<string, Directory>()

/**
 * Directories of package managers: they contain many such files of other projects, in which no editor or agent of the
 * user works.
 */
const installed = new Set([
  "node_modules",
  "bower_components",
  ".venv",
  "venv",
  "site-packages",
  ".tox",
  "vendor",
  "Pods",
  ".cargo",
  ".gradle",
  ".pnpm-store"
])

const maxDirectories = 200_000
const directoriesPerTurn = 512

export interface SurveyRoot {
  readonly workspace: string
  /** Absolute paths that are skipped. */
  readonly passedOver: ReadonlyArray<string>
}

/** The next directory of the walk. */
interface WalkItem {
  readonly path: string
  /** Null: the workspace itself. */
  readonly name: string | null
  /** Files in subdirectories of a package manager's directory are not the user's; files directly in it may be. */
  readonly installed: "no" | "top" | "below"
  /** Null: same as for `name`. */
  readonly parent: Directory | null
}

/** Returns all findings, unordered, without `.git` and `.bough` of the workspace itself. */
export const survey = (root: SurveyRoot): Effect.Effect<ReadonlyArray<SensitiveEntry>, ToolError.PermissionDenied> =>
  Effect.filterOrFail(
    walk(root, maxDirectories),
    (findings) => findings !== null,
    () =>
      new ToolError.PermissionDenied({
        tier: "System",
        reason: `SandboxUnavailable: ${root.workspace} holds more than ${maxDirectories} directories; work in a directory below it`
      })
  ).pipe(
    Effect.tap((findings) => {
      const odd = findings.find(({ bytes }) => bytes !== undefined)
      return odd === undefined
        ? Effect.void
        : Effect.fail(
            new ToolError.PermissionDenied({
              tier: "System",
              reason: `SandboxUnavailable: the name of ${JSON.stringify(odd.path)} is not UTF-8, so what is protected there cannot be kept from commands; rename it`
            })
          )
    })
  )

/** Surveys again after a command, which may have made any number of directories. */
export const surveyAll = (root: SurveyRoot): Effect.Effect<ReadonlyArray<SensitiveEntry>> =>
  Effect.map(walk(root, Number.POSITIVE_INFINITY), (findings) => findings ?? [])

/** Returns null if there are more directories than `limit`. */
const walk = Effect.fnUntraced(function* (
  { passedOver, workspace }: SurveyRoot,
  limit: number
): Effect.fn.Return<ReadonlyArray<SensitiveEntry> | null> {
  const findings: Array<SensitiveEntry> = []
  const pending: Array<WalkItem> = [{ path: workspace, name: null, installed: "no", parent: null }]
  let seen = 0
  while (pending.length > 0) {
    if (seen > limit) return null
    for (let count = 0; count < directoriesPerTurn; count++) {
      const next = pending.pop()
      if (next === undefined) break
      if (passedOver.includes(next.path)) continue
      seen += 1
      const parent = look(next)
      if (parent === null) continue
      for (const finding of parent.findings) findings.push(finding)
      for (const entry of parent.odd) {
        const finding = oddFinding(next, entry)
        if (finding !== null) findings.push(finding)
      }
      for (const name of parent.below.keys()) {
        const below = next.installed === "no" ? (installed.has(name) ? "top" : "no") : "below"
        pending.push({ path: `${next.path}/${name}`, name, installed: below, parent })
      }
    }
    if (pending.length > 0) yield* nextTurn
  }
  return findings
})

/** A file system's clock may not advance for some milliseconds while names change. */
const settledNanos = 100_000_000n

/** Returns null if the path no longer exists, or is too long for a path. */
const statsOf = (path: string): BigIntStats | null =>
  Result.getOrNull(Result.try(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null))

/**
 * Reads a directory; null: it no longer exists. A directory that cannot be read may contain anything, so it counts as a
 * repository.
 */
const look = (pending: WalkItem): Directory | null => {
  const stats = statsOf(pending.path)
  if (stats === null || !stats.isDirectory()) return null
  const id = idOf(stats)
  const known = lastSeen(pending)
  if (known !== null && known.id === id && known.changedNanos === stats.ctimeNs) return known
  const content = Result.getOrElse(
    Result.try(() => read(pending, id)),
    (): Content => ({ findings: pending.name === null ? [] : [repositoryAt(pending.path, id)], below: [], odd: [] })
  )
  const nowNanos = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6))
  const directory: Directory = {
    id,
    changedNanos: nowNanos - stats.ctimeNs > settledNanos ? stats.ctimeNs : null,
    findings: content.findings,
    odd: content.odd,
    // An unchanged directory is recognised by its own id and time, even if its parent has changed.
    below: new Map(content.below.map((name) => [name, known?.below.get(name) ?? null]))
  }
  if (pending.parent === null || pending.name === null) memories.set(pending.path, directory)
  else pending.parent.below.set(pending.name, directory)
  return directory
}

const lastSeen = ({ name, parent, path }: WalkItem): Directory | null =>
  (parent === null || name === null ? memories.get(path) : parent.below.get(name)) ?? null

interface Content {
  readonly findings: ReadonlyArray<SensitiveEntry>
  readonly below: ReadonlyArray<string>
  readonly odd: ReadonlyArray<ByteNames.ByteEntry>
}

const read = ({ installed: within, name, path }: WalkItem, id: string): Content => {
  const entries = readdirSync(path, { withFileTypes: true })
  if (name !== null && isRepository(entries)) {
    return { findings: [repositoryAt(path, id)], below: [], odd: [] }
  }
  const findings: Array<SensitiveEntry> = []
  // The workspace itself cannot be quarantined: without an entry of this name it is not a repository.
  const head = name === null && isRepository(entries) ? entryAt(`${path}/HEAD`, "repository") : null
  if (head !== null) findings.push(head)
  const below: Array<string> = []
  for (const entry of entries) {
    if (name === null && (entry.name === ".git" || entry.name === ".bough")) continue
    const care = sensitivityOf(name, entry, within)
    const finding = care === null ? null : entryAt(`${path}/${entry.name}`, care)
    if (finding !== null) findings.push(finding)
    else if (care === null && entry.isDirectory()) below.push(entry.name)
  }
  const names = entries.map((entry) => entry.name)
  return { findings, below, odd: ByteNames.nonUtf8Entries(path, names) }
}

/**
 * Returns a finding for an entry whose name is not UTF-8, if it needs protection itself or contains an entry that does.
 * Its content is read each time, because the parent directory does not show whether it changed.
 */
const oddFinding = (at: WalkItem, { entry, name, path }: ByteNames.ByteEntry): SensitiveEntry | null => {
  const care = sensitivityOf(at.name, { name, isDirectory: () => entry.isDirectory() }, at.installed)
  const within = at.installed === "no" ? "no" : "below"
  if (care === null && !(entry.isDirectory() && needsCare(path, name, within))) return null
  const stats = Result.getOrNull(Result.try(() => lstatSync(path, { bigint: true })))
  if (stats === null) return null
  const kind = entry.isDirectory() ? "directory" : entry.isFile() ? "file" : "other"
  return { path: `${at.path}/${name}`, bytes: path, care: care ?? "repository", kind, id: idOf(stats) }
}

/** True if a directory is a repository, contains an entry that needs protection at any depth, or cannot be read. */
const needsCare = (directory: Buffer, directoryName: string, within: WalkItem["installed"]): boolean => {
  const pending = [{ path: directory, name: directoryName, within }]
  for (let seen = 0; pending.length > 0; seen++) {
    const next = pending.pop()
    if (next === undefined) break
    const entries = ByteNames.all(next.path)
    if (entries === null || seen > maxOddDirectories || isRepository(entries)) return true
    for (const { entry, name, path } of entries) {
      if (sensitivityOf(next.name, { name, isDirectory: () => entry.isDirectory() }, next.within) !== null) return true
      const below = next.within === "no" ? (installed.has(name) ? "top" : "no") : "below"
      if (entry.isDirectory()) pending.push({ path, name, within: below })
    }
  }
  return false
}

const maxOddDirectories = 10_000

const repositoryAt = (path: string, id: string): SensitiveEntry => ({ path, care: "repository", kind: "directory", id })

/**
 * True if git treats the directory as a repository: a bare repository, or a git directory under another name to which a
 * file leads. With a `commondir`, the other two entries may be elsewhere.
 */
const isRepository = (entries: ReadonlyArray<{ readonly name: string }>): boolean => {
  const has = (name: string): boolean => entries.some((entry) => entry.name === name)
  return has("HEAD") && (has("commondir") || (has("objects") && has("refs")))
}

/** Returns the kind of an entry: some names count only in a directory with a certain name. */
const sensitivityOf = (parent: string | null, entry: Entry, within: WalkItem["installed"]): Sensitivity | null => {
  if (SensitivePath.fold(entry.name) === ".git") return "repository"
  if (within === "below") return null
  const path = parent === null ? [entry.name] : [parent, entry.name]
  const care = sensitivityOfOwn(path, entry)
  return within === "no" || care === "key" || care === "secret" ? care : null
}

type Entry = Pick<Dirent, "isDirectory" | "name">

const sensitivityOfOwn = (path: ReadonlyArray<string>, entry: Entry): Sensitivity | null => {
  if (SensitivePath.holdsState(path)) return "state"
  const sensitivity = SensitivePath.sensitivity(path)
  if (sensitivity === "configuration") return sensitivity
  if (entry.isDirectory()) return null
  return sensitivity === "none" ? (SensitivePath.isProtected(path, "read") ? "key" : null) : sensitivity
}

/** Returns the finding; null: the entry no longer exists. */
const entryAt = (path: string, care: Sensitivity): SensitiveEntry | null => {
  const stats = statsOf(path)
  if (stats === null) return null
  // A link may have another target after it is moved.
  if (stats.isSymbolicLink()) return { path, care, kind: "link", id: `${idOf(stats)}:${path}` }
  return { path, care, kind: stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other", id: idOf(stats) }
}

export const idOf = ({ birthtimeNs, dev, ino }: BigIntStats): string => `${dev}:${ino}:${birthtimeNs}`

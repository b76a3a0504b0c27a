/**
 * The repositories to which commands of a session may write, and their mounts: writable except for their doors (see
 * `GitDoors`).
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import {
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  type Stats,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { contains } from "../Toolchains.ts"
import * as GitConfiguration from "./GitConfiguration.ts"
import * as Doors from "./GitDoors.ts"
import * as GitObjects from "./GitObjects.ts"
import { isOnlyOne, runAtClose, release as releaseMark, reserve, type NameState } from "./Reserved.ts"
import type { SensitiveEntry } from "./Survey.ts"

export interface GitDirectory {
  /** The absolute path without links. */
  readonly path: string
  readonly doors: ReadonlyArray<Doors.ProtectedEntry>
}

export interface Mount {
  readonly path: string
  /** The path at which it is shown, if that path differs. */
  readonly source?: string
  readonly writable: boolean
}

const entry = (path: string): Stats | null => lstatSync(path, { throwIfNoEntry: false }) ?? null
const isDirectory = (path: string): boolean => entry(path)?.isDirectory() === true
const isFile = (path: string): boolean => entry(path)?.isFile() === true

/** True if git recognises the directory as a repository. */
const isRepository = (path: string): boolean =>
  isFile(join(path, "HEAD")) && ["objects", "refs"].every((name) => isDirectory(join(path, name)))

/** The directory that a `.git` file names. */
const namedBy = (file: string): string | null => {
  const named = /^gitdir: (.+)$/mu.exec(smallText(file))?.[1]
  return named === undefined ? null : resolve(dirname(file), named.trimEnd())
}

const maxBytes = 1024 ** 2

const smallText = (path: string): string => {
  const stats = entry(path)
  return stats?.isFile() === true && stats.size <= maxBytes ? readFileSync(path, "utf8") : ""
}

/**
 * `file` is the `.git` of a worktree. Its content only counts if the repository, which commands cannot write, refers
 * back to the worktree.
 */
const linkedBy = (file: string): GitDirectory | null => {
  const path = namedBy(file)
  if (path === null || !isDirectory(path) || !isFile(join(path, "HEAD"))) return null
  const parent = basename(dirname(path))
  if (parent === "worktrees" && isFile(join(path, "commondir"))) {
    const back = resolve(path, smallText(join(path, "gitdir")).trimEnd())
    return back === file ? { path, doors: Doors.linkedWorktree } : null
  }
  if (!path.includes("/modules/") || !isRepository(path)) return null
  const worktree = GitConfiguration.worktreeIn(smallText(join(path, "config")))
  return worktree !== null && resolve(path, worktree) === dirname(file) ? { path, doors: Doors.repository } : null
}

export interface GitLocation {
  /** Directories that commands may write, without links. */
  readonly roots: ReadonlyArray<string>
  /** Other repositories that have a root as a linked worktree. */
  readonly repositories: ReadonlyArray<string>
  readonly findings: ReadonlyArray<SensitiveEntry>
}

/** Returns the repositories, each before those inside it. */
export const find = ({ findings, repositories, roots }: GitLocation): Effect.Effect<ReadonlyArray<GitDirectory>> =>
  Effect.sync(() => {
    const found = new Map<string, GitDirectory>()
    const add = (directory: GitDirectory | null): void => {
      if (directory !== null && !found.has(directory.path)) found.set(directory.path, directory)
    }
    for (const path of repositories) {
      if (isRepository(path)) add({ path, doors: [...Doors.repository, ...Doors.otherWorktree] })
    }
    const pointers = [
      ...roots.map((root) => join(root, ".git")),
      ...findings.flatMap(({ care, path }) => (care === "repository" && basename(path) === ".git" ? [path] : []))
    ]
    for (const path of [...roots, ...pointers]) {
      if (isDirectory(path) && isRepository(path)) add({ path, doors: Doors.repository })
    }
    // A worktree can only be mounted together with its repository.
    const isShown = (path: string): boolean => [...roots, ...found.keys()].some((shown) => contains(shown, path))
    for (const path of pointers) {
      const linked = isFile(path) ? linkedBy(path) : null
      if (linked !== null && isShown(linked.path)) add(linked)
    }
    return [...found.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1))
  })

/** A repository that a command uses. */
export interface RepositoryInUse {
  readonly directory: GitDirectory
  readonly standing: NameState
}

/** Repositories in use by a process that was killed and thus did not check them; checked after the next command. */
const unchecked = new Set<string>()

export const isUnchecked = ({ path }: GitDirectory): boolean => unchecked.has(path)
export const noteChecked = ({ path }: GitDirectory): void => void unchecked.delete(path)

/** The stand-ins (see `GitDoors`) that this process made, by repository. */
const standIns = new Map<string, Set<string>>()

/**
 * Creates a stand-in for each missing door. Null: a door cannot be protected, so commands may not write to the
 * repository at all.
 */
export const hold = Effect.fnUntraced(function* (directory: GitDirectory): Effect.fn.Return<RepositoryInUse | null> {
  const standing = yield* reserve(directory.path, Doors.marks)
  if (standing._tag !== "Reserved") return null
  if (standing.followsKilled) unchecked.add(directory.path)
  const isHeld = yield* Effect.orElseSucceed(
    Effect.try(() => closeDoors(directory)),
    () => false
  )
  if (isHeld) return { directory, standing }
  yield* release({ directory, standing })
  return null
})

const worktreeSettings = "config.worktree"

/** True if git reads settings per worktree: it does so only with this extension, which no command can set. */
const hasWorktreeSettings = (path: string): boolean => /worktreeconfig/iu.test(smallText(join(path, "config")))

/** Returns false if a door is a link, which cannot be a mount point. */
const closeDoors = ({ doors, path }: GitDirectory): boolean => {
  const owner = lstatSync(path)
  if (doors.some(({ name }) => name === Doors.alternates)) GitObjects.prepare(path)
  const names = standIns.get(path) ?? new Set<string>()
  standIns.set(path, names)
  for (const { name, standIn } of doors) {
    const at = join(path, name)
    const found = entry(at)
    if (found !== null && !found.isFile() && !found.isDirectory()) return false
    if (found !== null || standIn === null || (name === worktreeSettings && !hasWorktreeSettings(path))) continue
    if (standIn === "directory") mkdirSync(at)
    else {
      if (!isDirectory(dirname(at))) mkdirSync(dirname(at))
      writeFileSync(at, standIn.content, { flag: "wx", mode: 0o644 })
    }
    if (process.getuid?.() === 0) chownSync(at, owner.uid, owner.gid)
    names.add(at)
  }
  return true
}

/** Removes the stand-ins once no command relies on them. */
export const release = ({ directory, standing }: RepositoryInUse): Effect.Effect<void> =>
  Effect.andThen(
    releaseMark(standing),
    Effect.sync(() => {
      const { doors, path } = directory
      if (entry(join(path, Doors.marks)) !== null) return
      const names = standIns.get(path) ?? new Set<string>()
      standIns.delete(path)
      const conclude = () => {
        for (const { name, standIn } of doors) {
          const at = join(path, name)
          // A killed process may have left these two entries; any other entry counts as the user's own.
          const isOurs = names.has(at) || name === "commondir" || name === Doors.alternates
          if (isOurs) remove(at, standIn)
        }
      }
      if (isDirectory(join(path, GitObjects.folder))) GitObjects.collect(path, conclude)
      else conclude()
    })
  )

/**
 * Releases the repository a little later, at the latest when the scope closes, because the next command usually needs
 * the same stand-ins. The objects that the command wrote are moved into the repository at once, so that the next
 * command cannot lose them.
 */
export const releaseLater = (scope: Scope.Scope, inUse: RepositoryInUse): Effect.Effect<void> =>
  Effect.andThen(
    Effect.sync(() => {
      const { path } = inUse.directory
      if (isOnlyOne(inUse.standing) && isDirectory(join(path, GitObjects.folder))) GitObjects.move(path)
    }),
    runAtClose(scope, release(inUse))
  )

/** Removes the path unless its content has changed. */
const remove = (path: string, standIn: Doors.Placeholder): void => {
  Effect.runSync(
    Effect.ignore(
      Effect.try(() => {
        if (standIn === "directory") rmdirSync(path)
        else if (standIn !== null && isFile(path) && readFileSync(path, "utf8") === standIn.content) unlinkSync(path)
      })
    )
  )
}

/** The parts of repositories that commands see: mounts, and files with replaced content. */
export interface View {
  readonly mounts: ReadonlyArray<Mount>
  readonly replaced: ReadonlyArray<{ readonly path: string; readonly content: string }>
}

/** Returns the writable and the read-only parts of repositories. */
export const view = (directories: ReadonlyArray<GitDirectory>): View => {
  const views = directories.map(viewOf)
  return { mounts: views.flatMap(({ mounts }) => mounts), replaced: views.flatMap(({ replaced }) => replaced) }
}

const viewOf = ({ doors, path }: GitDirectory, index: number): View => {
  const present = doors.map(({ name }) => join(path, name)).filter((at) => entry(at) !== null)
  const pinned = Doors.pinned.map((name) => join(path, name)).filter(isDirectory)
  const mounts = [
    { path, writable: true },
    ...pinned.map((at) => ({ path: at, writable: true })),
    ...present.map((at) => ({ path: at, writable: false }))
  ]
  const alternates = join(path, Doors.alternates)
  // A repository that already borrows objects is mounted writable, because its own objects cannot be distinguished from
  // the borrowed ones.
  if (smallText(alternates) !== GitObjects.alternates) return { mounts, replaced: [] }
  const objects = join(path, "objects")
  const added = join(path, GitObjects.folder)
  const shownAt = `/run/bough/objects/${index}`
  return {
    mounts: [
      { path: shownAt, source: objects, writable: false },
      ...mounts.filter((mount) => !contains(objects, mount.path)),
      { path: objects, source: added, writable: true },
      { path: join(objects, "info"), source: join(added, "info"), writable: true }
    ],
    replaced: [
      { path: alternates, content: `${shownAt}\n` },
      // In the sandbox the new objects are in the main directory, so the file that borrows them is shown empty.
      { path: join(shownAt, "info/alternates"), content: "" }
    ]
  }
}

/** Sorts parents before subdirectories; a path that is requested both ways is read-only. */
export const orderMounts = (mounts: ReadonlyArray<Mount>): ReadonlyArray<Mount> => {
  const byPath = new Map<string, Mount>()
  for (const mount of mounts) if (!mount.writable || !byPath.has(mount.path)) byPath.set(mount.path, mount)
  return [...byPath.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1))
}

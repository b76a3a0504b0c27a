/**
 * Checks a repository's git directory after a command, in addition to the mounts: a user's git must find nothing that
 * leads it out of the repository or runs a program. Such changes are removed or reverted, and reported.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { randomBytes } from "node:crypto"
import {
  type BigIntStats,
  chownSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import type { User } from "./ChildProcess.ts"
import * as GitConfiguration from "./GitConfiguration.ts"
import type { GitDirectory } from "./GitDirectory.ts"
import * as GitFile from "./GitFile.ts"
import * as GitIndex from "./GitIndex.ts"
import * as GitLinks from "./GitLinks.ts"
import * as GitPointers from "./GitPointers.ts"
import * as GitReferences from "./GitReferences.ts"
import * as GitTodo from "./GitTodo.ts"
import { idOf } from "./Survey.ts"

/** A repository's directory before a command, with its stand-ins. */
export interface RepositoryRecord {
  readonly directory: GitDirectory
  readonly oddities: ReadonlyArray<GitLinks.UnexpectedEntry>
  readonly head: string | null
  /** The version of the index that was last found harmless. */
  checkedIndex: string | null
  readonly doors: ReadonlyMap<string, string>
  /** Its configuration files, by path. */
  readonly configurations: ReadonlyMap<string, string | typeof GitFile.tooLarge>
  readonly programs: ReadonlyMap<string, ReadonlyArray<string>>
  readonly references: GitReferences.References
  /** The packed replacements of objects that a user made. */
  readonly replacements: ReadonlySet<string>
}

const statsOf = (path: string): BigIntStats | null =>
  Result.getOrNull(Result.try(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null))

const configurationNames = ["config", "config.worktree"]
const todoNames = ["rebase-merge/git-rebase-todo", "rebase-merge/git-rebase-todo.backup"]
const strategyNames = ["rebase-merge/strategy", "rebase-apply/strategy"]
const sequenceOptions = "sequencer/opts"

/** Returns a version that changes with the file's metadata. */
const versionOf = (path: string): string | null => {
  const stats = statsOf(path)
  return stats === null ? null : `${idOf(stats)}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`
}

const sharedIndex = "sharedindex."

/** Returns the version of the index together with those of the files that it shares, whose content git does not check. */
const indexVersion = (repository: string): string | null => {
  const ownVersion = versionOf(join(repository, "index"))
  const shared = Result.getOrElse(
    Result.try(() => readdirSync(repository)),
    () => []
  ).filter((name) => name.startsWith(sharedIndex))
  return ownVersion === null
    ? null
    : [ownVersion, ...shared.toSorted().map((name) => `${name} ${versionOf(join(repository, name))}`)].join(" ")
}

const idAt = (path: string): string | null => {
  const stats = statsOf(path)
  return stats === null ? null : idOf(stats)
}

const filesAt = (paths: ReadonlyArray<string>): ReadonlyArray<readonly [string, string | typeof GitFile.tooLarge]> =>
  paths.flatMap((path) => {
    const file = GitFile.read(path)
    return file === null ? [] : [[path, file] as const]
  })

const pathsBelow = ({ path }: GitDirectory, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.map((name) => join(path, name))

/**
 * Records the state of a repository. `isUnchecked`: a killed process may have left commands of an unfinished rebase and
 * an index, so these are checked after the command even if it leaves them unchanged. Null: directories to which git writes already contain links, so commands may not
 * write there at all.
 */
export const look = Effect.fnUntraced(function* (
  directory: GitDirectory,
  isUnchecked = false
): Effect.fn.Return<RepositoryRecord | null> {
  const oddities = yield* GitLinks.find(directory)
  if (oddities.some(({ isLink }) => isLink)) return null
  const { doors, path } = directory
  const head = GitFile.read(join(path, "HEAD"))
  const packed = GitReferences.packedIn(path)
  const programs = filesAt(pathsBelow(directory, todoNames)).map(
    ([at, todo]) => [at, todo === GitFile.tooLarge ? [] : GitTodo.programs(todo)] as const
  )
  return {
    directory,
    oddities,
    head: head === GitFile.tooLarge ? null : head,
    checkedIndex: isUnchecked ? null : indexVersion(path),
    doors: new Map(
      doors.flatMap(({ name }) => {
        const at = join(path, name)
        const id = idAt(at)
        return id === null ? [] : [[at, id] as const]
      })
    ),
    configurations: new Map(filesAt(pathsBelow(directory, configurationNames))),
    programs: new Map(isUnchecked ? [] : programs),
    references: GitReferences.read(path, packed),
    replacements: GitReferences.replacementsIn(packed)
  }
})

/** Removes new packed replacements of objects: git would show other contents than a push sends. */
const replacementsMade = ({ directory, replacements }: RepositoryRecord): ReadonlyArray<string> => {
  const packed = GitReferences.packedIn(directory.path)
  const plain = GitReferences.withoutReplacements(packed, replacements)
  if (plain === packed) return []
  const at = join(directory.path, GitReferences.packedName)
  return attempt(() => overwrite(at, plain))
    ? [`removed from ${at}: references that show other objects in place of commits`]
    : [moveAway(directory, at)]
}

/** Restores everything that a command must not change, and returns a sentence for each restored part. */
export const restore = Effect.fnUntraced(function* (
  seen: RepositoryRecord,
  user: User | null
): Effect.fn.Return<ReadonlyArray<string>> {
  return [...(yield* restoreWhileRunning(seen, user)), ...referencesThatWent(seen)]
})

/**
 * Restores the parts that a command must not change while it continues. Deleted references are only restored after its
 * end, because its own git may be packing them. It is called for background commands, in which programs of a rebase
 * therefore do not run.
 */
export const restoreWhileRunning = Effect.fnUntraced(function* (
  seen: RepositoryRecord,
  user: User | null
): Effect.fn.Return<ReadonlyArray<string>> {
  // This also opens directories that the command has closed, which the other checks read too.
  const entries = yield* GitLinks.find(seen.directory)
  return [
    ...changedProtectedEntries(seen),
    ...configurationThatRuns(seen),
    ...linksMade(seen, entries),
    ...headThatLeads(seen),
    ...replacementsMade(seen),
    ...pointersThatLead(seen),
    ...todoThatRuns(seen),
    ...(yield* indexThatLeads(seen, user))
  ]
})

const indexThatLeads = Effect.fnUntraced(function* (
  seen: RepositoryRecord,
  user: User | null
): Effect.fn.Return<ReadonlyArray<string>> {
  const { directory } = seen
  const index = join(directory.path, "index")
  const version = indexVersion(directory.path)
  if (version === seen.checkedIndex || statsOf(index)?.isFile() !== true) return []
  const fault = yield* GitIndex.fault(directory.path, user)
  if (fault !== null) return [`${moveAway(directory, index)}, for ${fault}; \`git reset\` makes another`]
  // A change during the check results in another version.
  seen.checkedIndex = version
  return []
})

const folder = "bough-held"

/** Moves the entry below the repository's own directory, under a name that git does not use. */
const moveAway = ({ path }: GitDirectory, at: string): string => {
  const name = at.slice(path.length + 1)
  const to = join(folder, `${randomBytes(4).toString("hex")}-${name.replaceAll("/", "-")}`)
  const isMoved = attempt(() => {
    if (statsOf(join(path, folder)) === null) {
      mkdirSync(join(path, folder), { mode: 0o700 })
      giveToOwner(path, join(path, folder))
    }
    renameSync(at, join(path, to))
  })
  return isMoved
    ? `moved ${at} to ${join(path, to)}`
    : `${at} could not be moved away: remove it before you use git there`
}

const attempt = (change: () => void): boolean =>
  Effect.runSync(
    Effect.match(Effect.try(change), {
      onFailure: () => false,
      onSuccess: () => true
    })
  )

/** Gives files that root made in another account's repository to that account. */
const giveToOwner = (repository: string, path: string): void => {
  const { gid, uid } = lstatSync(repository)
  if (process.getuid?.() === 0) chownSync(path, uid, gid)
}

/** Returns the doors whose mount ended because the user replaced the entry: a command can then replace it, too. */
const changedProtectedEntries = ({ directory, doors }: RepositoryRecord): ReadonlyArray<string> =>
  directory.doors.flatMap(({ name }) => {
    const at = join(directory.path, name)
    const id = idAt(at)
    const isConfiguration = configurationNames.includes(name) && statsOf(at)?.isFile() === true
    return id === null || id === doors.get(at) || isConfiguration ? [] : [moveAway(directory, at)]
  })

const configurationThatRuns = ({ configurations, directory }: RepositoryRecord): ReadonlyArray<string> =>
  pathsBelow(directory, configurationNames).flatMap((at) => {
    const before = configurations.get(at) ?? ""
    const now = GitFile.read(at)
    if (now === null || now === before) return []
    if (before === GitFile.tooLarge) return [moveAway(directory, at)]
    const gained = now === GitFile.tooLarge ? ["more than git writes"] : GitConfiguration.addedSettings(before, now)
    if (gained.length === 0) return []
    const moved = moveAway(directory, at)
    const isWritten = attempt(() => {
      writeFileSync(at, before, { flag: "wx" })
      giveToOwner(directory.path, at)
    })
    return [`${moved}, because it gained ${gained.join(", ")}${isWritten ? "; the previous file was restored" : ""}`]
  })

const linksMade = (
  { oddities }: RepositoryRecord,
  now: ReadonlyArray<GitLinks.UnexpectedEntry>
): ReadonlyArray<string> => {
  const known = new Set(oddities.map(({ id, path }) => `${id} ${path}`))
  return now
    .filter(({ id, path }) => !known.has(`${id} ${path}`))
    .map(({ bytes, isLink, path }) => {
      const description = isLink
        ? `a link to ${JSON.stringify(
            Result.getOrElse(
              Result.try(() => readlinkSync(bytes ?? path)),
              () => ""
            )
          )}`
        : "no file"
      return attempt(() => unlinkSync(bytes ?? path))
        ? `removed ${path}, which was ${description}`
        : `${path} is ${description} and could not be removed: remove it before you use git there`
    })
}

const todoThatRuns = ({ directory, programs }: RepositoryRecord): ReadonlyArray<string> => [
  ...pathsBelow(directory, todoNames).flatMap((at) => {
    if (statsOf(at) === null) return []
    const todo = GitFile.read(at)
    // The user of a later git may be able to read what is not readable here.
    if (todo === null || todo === GitFile.tooLarge) return [moveAway(directory, at)]
    const plain = GitTodo.withoutPrograms(todo, programs.get(at) ?? [])
    if (plain === todo) return []
    return attempt(() => overwrite(at, plain))
      ? [
          `${dirname(at)} stops where it would have run ${GitTodo.programs(todo).join("; ")}: run that as a command, then continue`
        ]
      : [moveAway(directory, at)]
  }),
  ...pathsBelow(directory, strategyNames).flatMap((at) => pathUnless(directory, at, GitTodo.isOwnStrategy)),
  ...pathsBelow(directory, [sequenceOptions]).flatMap((at) => pathUnless(directory, at, GitTodo.hasOwnStrategies))
]

/** Moves the entry away unless it is a file whose text is harmless. */
const pathUnless = (
  directory: GitDirectory,
  at: string,
  isHarmless: (text: string) => boolean
): ReadonlyArray<string> => {
  if (statsOf(at) === null) return []
  const file = GitFile.read(at)
  return typeof file === "string" && isHarmless(file) ? [] : [moveAway(directory, at)]
}

const overwrite = (path: string, content: string): void => {
  const file = openSync(path, constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  writeFileSync(file, content)
  closeSync(file)
}

const validHead = /^(?:ref:[ \t]*refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})\s*$/u

/** Checks HEAD: if the repository has no valid one, git searches for another repository around it. */
const headThatLeads = ({ directory, head }: RepositoryRecord): ReadonlyArray<string> => {
  const at = join(directory.path, "HEAD")
  const now = GitFile.read(at)
  const isValid = typeof now === "string" && validHead.test(now) && GitPointers.staysInReferences(now)
  if (head === null || now === head || isValid) return []
  const moved = statsOf(at) === null ? `${at} was missing` : moveAway(directory, at)
  const isWritten = attempt(() => {
    writeFileSync(at, head, { flag: "wx" })
    giveToOwner(directory.path, at)
  })
  return [`${moved}${isWritten ? "; the previous file was restored" : ""}`]
}

/** Moves away the files that would make git write elsewhere, and restores a branch or tag among them. */
const pointersThatLead = ({ directory, references }: RepositoryRecord): ReadonlyArray<string> =>
  GitPointers.find(directory.path).map(({ fault, name }) => {
    const at = join(directory.path, name)
    const id = references.get(name)
    const moved = moveAway(directory, at)
    const isWritten =
      id !== undefined &&
      attempt(() => {
        writeFileSync(at, `${id}\n`, { flag: "wx" })
        giveToOwner(directory.path, at)
      })
    return `${moved}, because it ${fault}${isWritten ? "; the previous file was restored" : ""}`
  })

const maxNamed = 8

/**
 * Finds deleted branches and tags, which can be restored from their commits because objects stay. They are only
 * restored if all of them were deleted.
 */
const referencesThatWent = ({ directory, references }: RepositoryRecord): ReadonlyArray<string> => {
  const remainingReferences = GitReferences.read(directory.path, GitReferences.packedIn(directory.path))
  const removed = GitReferences.removedReferences(references, remainingReferences)
  if (removed.size === 0) return []
  const at = join(directory.path, GitReferences.packedName)
  const isWritten =
    remainingReferences.size === 0 &&
    statsOf(at) === null &&
    attempt(() => {
      writeFileSync(at, GitReferences.format(removed), { flag: "wx" })
      giveToOwner(directory.path, at)
    })
  if (isWritten) return [`every branch and tag of ${directory.path} was deleted; they were restored`]
  const named = [...removed].slice(0, maxNamed).map(([name, id]) => `${name} was ${id}`)
  return [`removed from ${directory.path}: ${named.join(", ")}${removed.size > maxNamed ? " …" : ""}`]
}

/** Formats the lines in a result about the changes. */
export const noticeOf = (sentences: ReadonlyArray<string>): string =>
  sentences.map((sentence) => `[bough: ${sentence}]\n`).join("")

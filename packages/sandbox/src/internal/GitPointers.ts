/**
 * Finds files in a repository's directory whose content makes git write to a path that it names: symbolic references
 * out of `refs/`, references of an unfinished rebase, packed references, and the paths of `rerere`. Through them a
 * user's git could be made to create a door such as `commondir`, or to overwrite any file.
 */
import { SensitivePath } from "@bough/tool"
import * as Result from "effect/Result"
import { lstatSync, readdirSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import * as GitConfiguration from "./GitConfiguration.ts"
import * as GitFile from "./GitFile.ts"

export interface Pointer {
  /** The file's path below the repository's directory. */
  readonly name: string
  /** The fault, as a clause without its subject. */
  readonly fault: string
}

const maxShown = 200
const leadsTo = (target: string): string =>
  `leads to ${JSON.stringify(target.length <= maxShown ? target : `${target.slice(0, maxShown)}…`)}`
const isTooLarge = "is larger than any that git writes"

/** True if the name is that of a reference in `refs/`. */
const isReference = (name: string): boolean =>
  name.startsWith("refs/") && name.split("/").every((part) => part !== "" && !part.startsWith(".") && part !== "..")

/** Returns the target of a symbolic reference; null: the text is not a symbolic reference. */
export const targetOf = (content: string): string | null =>
  content.startsWith("ref:") ? content.slice("ref:".length).trim() : null

/** True if a symbolic reference stays in `refs/`, or if the text is not a symbolic reference. */
export const staysInReferences = (content: string): boolean => {
  const target = targetOf(content)
  return target === null || isReference(target)
}

/** The versions of the references that were last found harmless, by path: a repository may hold thousands. */
const harmless = new Map<string, string>()

/** A file system's clock may not advance for some milliseconds, so a file that just changed is read once more. */
const settledNanos = 100_000_000n

const symbolic = (repository: string, name: string): ReadonlyArray<Pointer> => {
  const path = join(repository, name)
  const stats = Result.getOrNull(Result.try(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null))
  if (stats === null) return []
  const version = `${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`
  if (harmless.get(path) === version) return []
  const content = GitFile.read(path)
  if (content === GitFile.tooLarge) return [{ name, fault: isTooLarge }]
  if (content !== null && !staysInReferences(content)) return [{ name, fault: leadsTo(targetOf(content) ?? "") }]
  const nowNanos = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6))
  if (nowNanos - stats.ctimeNs > settledNanos) harmless.set(path, version)
  return []
}

const entriesOf = (path: string) =>
  Result.getOrElse(
    Result.try(() => readdirSync(path, { withFileTypes: true })),
    () => []
  )

const symbolicBelow = (repository: string, place: string): ReadonlyArray<Pointer> =>
  entriesOf(join(repository, place)).flatMap((entry) => {
    const name = `${place}/${entry.name}`
    return entry.isDirectory() ? symbolicBelow(repository, name) : symbolic(repository, name)
  })

/** The file of the conflicts that `rerere` resolves or records at the user's next commit. */
const conflicts = "MERGE_RR"
/** Matches a record as git writes it: git accepts a negative number as any resolution that it knows. */
const conflict = /^[0-9a-f]{40}(?:[0-9a-f]{24})?(?:\.\d+)?\t(.+)$/su

/** The directory of the files; null: none is known. */
const worktreeOf = (repository: string): string | null => {
  if (basename(repository) === ".git") return dirname(repository)
  const linked = GitFile.read(join(repository, "gitdir"))
  if (typeof linked === "string") return dirname(resolve(repository, linked.trimEnd()))
  const configuration = GitFile.read(join(repository, "config"))
  if (typeof configuration !== "string") return null
  const configured = GitConfiguration.worktreeIn(configuration)
  return configured === null ? null : resolve(repository, configured)
}

const leadsOutside = (worktree: string | null, path: string): boolean => {
  const parts = path.split("/")
  if (
    worktree === null ||
    parts.some((part) => ["", ".", ".."].includes(part) || SensitivePath.fold(part) === ".git")
  ) {
    return true
  }
  return parts.some((_, at) => {
    const above = join(worktree, ...parts.slice(0, at + 1))
    return Result.getOrElse(
      Result.try(() => lstatSync(above, { throwIfNoEntry: false })?.isSymbolicLink() === true),
      () => false
    )
  })
}

/** Checks a file for a path to which it leads. */
const faultOfFile = (
  repository: string,
  name: string,
  { find: targetIn, limit }: { readonly find: (text: string) => string | undefined; readonly limit?: number }
): ReadonlyArray<Pointer> => {
  const file = GitFile.read(join(repository, name), limit)
  if (file === null) return []
  if (file === GitFile.tooLarge) return [{ name, fault: isTooLarge }]
  const target = targetIn(file)
  return target === undefined ? [] : [{ name, fault: leadsTo(target) }]
}

const conflictThatLeads = (repository: string, content: string): string | undefined => {
  const records = content.split("\0").filter((record) => record !== "")
  const worktree = records.length === 0 ? null : worktreeOf(repository)
  return records
    .map((record) => conflict.exec(record)?.[1] ?? record)
    .find((path) => path.includes("\t") || leadsOutside(worktree, path))
}

/** Each reference has three lines: its name, its commit before, and its commit after. */
const rebased = "rebase-merge/update-refs"

const rebaseThatLeads = (content: string): string | undefined =>
  content
    .trimEnd()
    .split("\n")
    .find((line, at) => at % 3 === 0 && line !== "" && !isReference(line))

/** The file of packed references. Git does not work at all if it contains a name outside of `refs/`. */
const packed = "packed-refs"
/** The maximum size: that of the references of a very large repository. */
const maxPackedBytes = 256 * 1024 ** 2

const packedThatLeads = (content: string): string | undefined =>
  content
    .split("\n")
    .map((line) => /^[0-9a-f]{40}(?:[0-9a-f]{24})? (.*)$/u.exec(line)?.[1] ?? "refs/")
    .find((name) => name !== "refs/" && !isReference(name))

/** Returns the harmful files, except HEAD, in a repository to which commands write. */
export const find = (repository: string): ReadonlyArray<Pointer> => [
  ...entriesOf(repository).flatMap(({ name }) =>
    /^[A-Z_]+$/u.test(name) && name !== "HEAD" ? symbolic(repository, name) : []
  ),
  ...symbolicBelow(repository, "refs"),
  ...faultOfFile(repository, conflicts, { find: (content) => conflictThatLeads(repository, content) }),
  ...faultOfFile(repository, rebased, { find: rebaseThatLeads }),
  ...faultOfFile(repository, packed, { find: packedThatLeads, limit: maxPackedBytes })
]

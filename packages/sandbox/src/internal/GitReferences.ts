/**
 * Branches and tags of a repository, read without git, so that a commit is not lost if a command removes its reference.
 */
import * as Result from "effect/Result"
import { type Dirent, readdirSync } from "node:fs"
import { join } from "node:path"
import * as GitFile from "./GitFile.ts"

export type References = ReadonlyMap<string, string>

const places = ["refs/heads", "refs/tags"]
const value = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u
const packed = /^([0-9a-f]{40}(?:[0-9a-f]{24})?) (refs\/(?:heads|tags)\/\S+)$/gmu

/** A packed reference that shows another object in place of one, with the object that its tag names. */
const packedReplacement = /^[0-9a-f]{40,64} (refs\/replace\/\S+)\n(?:\^[0-9a-f]+\n)?/gmu

/** Returns the names of packed replacements of objects. */
export const replacementsIn = (packedReferences: string): ReadonlySet<string> =>
  new Set(Array.from(packedReferences.matchAll(packedReplacement), ([, name]) => name))

/** Removes the packed replacements that are not `known`. */
export const withoutReplacements = (packedReferences: string, known: ReadonlySet<string>): string =>
  packedReferences.replaceAll(packedReplacement, (line: string, name: string) => (known.has(name) ? line : ""))

export const packedName = "packed-refs"

/** Returns the text of the file of packed references, which has no bound. */
export const packedIn = (repository: string): string => textOf(join(repository, packedName), Infinity)

/** Reads all references; `packedReferences` is the text of the packed ones. */
export const read = (repository: string, packedReferences: string): References => {
  const found = new Map<string, string>()
  for (const [, id, name] of packedReferences.matchAll(packed)) found.set(name, id)
  const pending = [...places]
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const entry of entriesOf(join(repository, directory))) {
      const name = `${directory}/${entry.name}`
      if (entry.isDirectory()) pending.push(name)
      else if (entry.isFile()) {
        const id = textOf(join(repository, name), maxReferenceBytes).trim()
        if (value.test(id)) found.set(name, id)
      }
    }
  }
  return found
}

/** Returns the references of `before` that no longer exist. */
export const removedReferences = (before: References, after: References): References =>
  new Map([...before].filter(([name]) => !after.has(name)))

/** Formats references in git's own form, as in `packed-refs` and `git update-ref --stdin`. */
export const format = (references: References): string =>
  [...references]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, id]) => `${id} ${name}\n`)
    .join("")

const maxReferenceBytes = 4096

const textOf = (path: string, limit: number): string => {
  const text = GitFile.read(path, limit)
  return typeof text === "string" ? text : ""
}

const entriesOf = (path: string): ReadonlyArray<Dirent> =>
  Result.getOrElse(
    Result.try(() => readdirSync(path, { withFileTypes: true })),
    () => []
  )

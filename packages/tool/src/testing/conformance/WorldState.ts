/** The state of a world as a comparable value: the files below its root, and the author's own state. */
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import * as path from "node:path"
import type { TestWorld } from "./Subject.ts"

/** Lines of path, mode and digest, sorted; then the author's state as JSON. A line is `path: content`. */
export const read = (world: TestWorld): ReadonlyArray<string> => [
  ...(world.root === undefined ? [] : filesBelow(world.root, "")),
  ...(world.state === undefined ? [] : [`state: ${JSON.stringify(world.state())}`])
]

const filesBelow = (root: string, folder: string): ReadonlyArray<string> =>
  fs
    .readdirSync(path.join(root, folder), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = path.join(folder, entry.name)
      const full = path.join(root, name)
      const mode = (fs.lstatSync(full).mode & 0o7777).toString(8)
      if (entry.isSymbolicLink()) return [`${name}: link ${fs.readlinkSync(full)}`]
      if (entry.isDirectory()) return [`${name}/: ${mode}`, ...filesBelow(root, name)]
      if (!entry.isFile()) return [`${name}: special`]
      return [`${name}: ${mode} ${createHash("sha256").update(fs.readFileSync(full)).digest("hex")}`]
    })

/** The first line in which two states differ; null: they are equal. */
export const difference = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): string | null => {
  const removedLine = before.find((line) => !after.includes(line))
  const addedLine = after.find((line) => !before.includes(line))
  return addedLine ?? removedLine ?? null
}

const pathOf = (line: string): string => line.slice(0, line.indexOf(": "))

/**
 * Compares a state with the end states of undisturbed runs. Differences among these, such as a file with a time or a
 * random name, are ignored.
 */
export const differenceFromAll = (
  ends: ReadonlyArray<ReadonlyArray<string>>,
  after: ReadonlyArray<string>
): string | null => {
  const lines = new Set(ends.flat())
  const stable = new Set([...lines].filter((line) => ends.every((end) => end.includes(line))))
  const unstable = new Set([...lines].filter((line) => !stable.has(line)).map(pathOf))
  const paths = ends.map((end) => new Set(end.map(pathOf)))
  const hasRandomNames = [...unstable].some((path) => !paths.every((known) => known.has(path)))
  const known = (line: string): boolean => !unstable.has(pathOf(line)) && (stable.has(line) || !hasRandomNames)
  return difference([...stable], after.filter(known))
}

/** Differences between two stored trees, path by path. */
import { byBytes } from "./ByteName.ts"
import { type Entry, type ExcludedEntry, isSame, type Tree } from "./TreeObject.ts"

/** Reads a stored tree by its name. Throws if it is missing. */
export type ReadTree = (id: string) => Tree

/** Null: the entry is missing. */
export interface Difference {
  readonly segments: ReadonlyArray<string>
  readonly from: Entry | null
  readonly to: Entry | null
}

const none: Tree = new Map()

/** Returns every path that differs, each directory before its entries. Null: an empty tree. */
export const differences = (read: ReadTree, from: string | null, to: string | null): ReadonlyArray<Difference> => {
  const found: Array<Difference> = []
  const pending: Array<{
    readonly segments: ReadonlyArray<string>
    readonly from: string | null
    readonly to: string | null
  }> = [{ segments: [], from, to }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.from === next.to) continue
    const before = next.from === null ? none : read(next.from)
    const after = next.to === null ? none : read(next.to)
    for (const name of namesOf(before, after)) {
      const segments = [...next.segments, name]
      const a = before.get(name) ?? null
      const b = after.get(name) ?? null
      if (!isSame(a, b)) found.push({ segments, from: a, to: b })
      const below = { segments, from: idOf(a), to: idOf(b) }
      if (below.from !== below.to) pending.push(below)
    }
  }
  return found.toSorted((a, b) => byBytes(a.segments.join("/"), b.segments.join("/")))
}

const namesOf = (a: Tree, b: Tree): Iterable<string> => new Set([...a.keys(), ...b.keys()])

const idOf = (entry: Entry | null): string | null => (entry?.kind === "directory" ? entry.id : null)

/** Returns the entry of a tree at a path; null: there is none. */
export const lookUp = (read: ReadTree, tree: string, segments: ReadonlyArray<string>): Entry | null => {
  let id: string | null = tree
  let entry: Entry | null = null
  for (const name of segments) {
    if (id === null) return null
    entry = read(id).get(name) ?? null
    id = idOf(entry)
  }
  return entry
}

/** Returns the entry above a place that is in no snapshot, with everything below it; null: there is none. */
export const excludedAbove = (
  read: ReadTree,
  tree: string,
  segments: ReadonlyArray<string>
): { readonly segments: ReadonlyArray<string>; readonly entry: ExcludedEntry } | null => {
  let id = tree
  for (const [index, name] of segments.slice(0, -1).entries()) {
    const entry = read(id).get(name)
    if (entry?.kind === "excluded") return { segments: segments.slice(0, index + 1), entry }
    if (entry?.kind !== "directory") return null
    id = entry.id
  }
  return null
}

/** Returns every entry below a stored tree, each directory before its entries. */
export const allEntries = (read: ReadTree, tree: string): ReadonlyArray<Difference> => differences(read, null, tree)

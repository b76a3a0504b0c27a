/**
 * The index of a workspace as text for the next process. It is a cache: if a part is missing or wrong, the files are
 * read again.
 */
import * as Result from "effect/Result"
import * as Nodes from "./Nodes.ts"
import type { FileEntry, LinkEntry, ExcludedEntry } from "./TreeObject.ts"

type Stamp = readonly [ino: number, bytes: number, modified: number, changed: number, mode: number]
type Leaf = readonly [name: string, seen: Stamp, flags: number, entry: FileEntry | LinkEntry | ExcludedEntry]
type Directory = readonly [name: string, seen: Stamp, flags: number, children: ReadonlyArray<Leaf | Directory>]

const settled = 1
const ignored = 2

const fromStamp = ([ino, bytes, modified, changed, mode]: Stamp): Nodes.FileStamp => ({
  ino,
  bytes,
  modified,
  changed,
  mode
})
const toStamp = ({ bytes, changed, ino, mode, modified }: Nodes.FileStamp): Stamp => [
  ino,
  bytes,
  modified,
  changed,
  mode
]

export const encode = (top: Nodes.DirectoryNode, header: string): string => JSON.stringify([header, childrenOf(top)])

const childrenOf = (node: Nodes.DirectoryNode): ReadonlyArray<Leaf | Directory> =>
  [...node.children].flatMap(([name, child]): ReadonlyArray<Leaf | Directory> => {
    if (child.kind === "leaf") {
      const flags = (child.isSettled ? settled : 0) + (child.isIgnored ? ignored : 0)
      return [[name, toStamp(child.seen), flags, child.entry]]
    }
    // The state of an entry that was not surveyed is unknown.
    if (child.seen === null || child.stale === "all") return []
    const isSettled = child.isSettled && child.stale.size === 0
    const flags = (isSettled ? settled : 0) + (child.ignored === null ? 0 : ignored)
    return [[name, toStamp(child.seen), flags, childrenOf(child)]]
  })

/** Parses the text; null: the index was saved with other rules or limits, or the text is not an index. */
export const decode = (
  saved: string,
  header: string,
  top: Nodes.DirectoryNode
): ReadonlyArray<readonly [string, Nodes.Node]> | null => {
  const read = Result.try(() => {
    const [written, children] = JSON.parse(saved) as readonly [string, ReadonlyArray<Leaf | Directory>]
    return written === header ? children.map((child) => nodeOf(child, top)) : null
  })
  return Result.getOrElse(read, () => null)
}

const isLeaf = (saved: Leaf | Directory): saved is Leaf => !Array.isArray(saved[3])

const nodeOf = (saved: Leaf | Directory, parent: Nodes.DirectoryNode): readonly [string, Nodes.Node] => {
  const [name, seen, flags] = saved
  if (isLeaf(saved)) {
    const node: Nodes.LeafNode = {
      kind: "leaf",
      entry: saved[3],
      seen: fromStamp(seen),
      isSettled: (flags & settled) !== 0,
      isIgnored: (flags & ignored) !== 0
    }
    return [name, node]
  }
  const isIgnored = (flags & ignored) !== 0
  const node = Nodes.directory(
    parent,
    name,
    isIgnored ? (parent.ignored ?? { entries: 0, bytes: 0, unreadBytes: 0 }) : null
  )
  node.seen = fromStamp(seen)
  node.isSettled = (flags & settled) !== 0
  node.stale = new Set()
  node.isResumed = true
  for (const child of saved[3]) node.children.set(...nodeOf(child, node))
  return [name, node]
}

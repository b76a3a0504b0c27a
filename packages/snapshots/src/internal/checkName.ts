/** Compares one name of an open directory with the index. New files are only counted; `readFound` reads them. */
import * as IgnoreRules from "@bough/disk/IgnoreRules"
import type { Snapshots } from "@bough/tool"
import * as Effect from "effect/Effect"
import type { Stats } from "node:fs"
import * as Directories from "./Directories.ts"
import * as IndexedTree from "./IndexedTree.ts"
import * as Leaves from "./Leaves.ts"
import { isAmong, isState, isTemporary } from "./names.ts"
import * as Nodes from "./Nodes.ts"

export interface NameCheck {
  readonly tree: IndexedTree.IndexedTree
  readonly reader: Leaves.LeafReader
  /** The directory names from the top of the root's repository to the root. */
  readonly inner: ReadonlyArray<string>
  readonly node: Nodes.DirectoryNode
  readonly directory: Directories.Directory
  /** The paths that no snapshot contains. */
  readonly outside: ReadonlyArray<ReadonlyArray<string>>
  /** Receives the directories whose entries have to be checked. */
  readonly below: Set<Nodes.DirectoryNode>
  /** True if the check is part of a check of every file. */
  readonly isFull: boolean
}

interface NameOnDisk {
  readonly name: string
  readonly path: string
  readonly stats: Stats
  readonly isIgnored: boolean
}

const maxDepth = 200

export const checkName = (check: NameCheck, name: string): Effect.Effect<void, Snapshots.SnapshotFailed> => {
  const { directory, inner, node, outside, tree } = check
  const path = directory.prefix + name
  const stats = isState(name) || isTemporary(name) ? null : Directories.statsOf(path)
  const segments = stats === null ? [] : [...Nodes.segmentsOf(node), name]
  if (stats === null || isAmong(outside, segments)) {
    IndexedTree.put(tree, { parent: node, name }, null)
    return Effect.void
  }
  const isIgnored =
    node.ignored !== null ||
    IgnoreRules.isIgnored(
      node.rules,
      { segments: [...inner, ...segments], isDirectory: stats.isDirectory() },
      tree.totals.ruleCount
    )
  const found = { name, path, stats, isIgnored }
  if (!stats.isDirectory()) return checkLeaf(check, found)
  const isTooDeep = segments.length > maxDepth
  const subdirectory = knownOrNew(check, found, isTooDeep)
  if (subdirectory !== null) check.below.add(subdirectory)
  return Effect.void
}

/** Returns the node of a subdirectory that is part of the snapshot; null: it is excluded. */
const knownOrNew = (
  { isFull, node, tree }: NameCheck,
  { isIgnored, name, stats }: NameOnDisk,
  isTooDeep: boolean
): Nodes.DirectoryNode | null => {
  const known = node.children.get(name)
  const isKnown = known?.kind === "directory" && known.seen?.ino === stats.ino && (known.ignored !== null) === isIgnored
  if (isKnown) return known
  const isExcluded = known?.kind === "leaf" && known.isIgnored && isIgnored && Nodes.isAsSeen(known.seen, stats)
  if (isExcluded) return null
  if (isTooDeep) {
    IndexedTree.put(tree, { parent: node, name }, Nodes.excludedLeaf("too deep", stats, isIgnored))
    return null
  }
  const ignored = isIgnored ? (node.ignored ?? { entries: 0, bytes: 0, unreadBytes: 0 }) : null
  const newNode = Nodes.directory(node, name, ignored)
  IndexedTree.put(tree, { parent: node, name }, newNode)
  // Names in the directory may have changed while it was not watched.
  if (!isFull) tree.isWatched = false
  return newNode
}

/** Reads a changed file or link again, and counts a new file. */
const checkLeaf = (check: NameCheck, found: NameOnDisk): Effect.Effect<void, Snapshots.SnapshotFailed> => {
  const { node, reader, tree } = check
  const { isIgnored, name, stats } = found
  const entry = { parent: node, name }
  const known = node.children.get(name)
  if (stats.isFile() && stats.nlink > 1) tree.linked.add(stats.ino)
  const isUnchanged =
    known?.kind === "leaf" && known.isSettled && known.isIgnored === isIgnored && Nodes.isAsSeen(known.seen, stats)
  if (isUnchanged) return Effect.void
  if (known?.kind === "leaf" && !stats.isSymbolicLink())
    return Effect.map(Leaves.readLeaf(reader, found), (leaf) => IndexedTree.put(tree, entry, leaf))
  if (stats.isSymbolicLink()) IndexedTree.put(tree, entry, Leaves.readLink(reader, found))
  else addUnread(check, found)
  return Effect.void
}

/** Adds a new file. It is read only after the totals are known to be within the limits. */
const addUnread = ({ node, reader: { limits }, tree }: NameCheck, { isIgnored, name, stats }: NameOnDisk): void => {
  const unread = { ...Nodes.excludedLeaf("changing", stats, isIgnored), isSettled: false }
  IndexedTree.put(tree, { parent: node, name }, unread)
  const names = tree.unread.get(node) ?? new Set()
  tree.unread.set(node, names.add(name))
  const maxBytes = isIgnored ? limits.maxIgnoredFileBytes : limits.maxFileBytes
  if (stats.isFile() && stats.size <= maxBytes) tree.totals.addUnread(node, stats.size)
}

/** The last known state of the workspace, in memory: a tree like the one on disk, with the facts that show a change. */
import type { RuleFile } from "@bough/disk/IgnoreRules"
import type { Stats } from "node:fs"
import type { Entry, Exclusion, ExcludedEntry, FileEntry, LinkEntry } from "./TreeObject.ts"
import type { Watch } from "./Watches.ts"

/** The facts of a file that change with its content, mode or location. */
export interface FileStamp {
  readonly ino: number
  readonly bytes: number
  readonly modified: number
  readonly changed: number
  readonly mode: number
}

export const seenOf = (stats: Stats): FileStamp => ({
  ino: stats.ino,
  bytes: stats.size,
  modified: stats.mtimeMs,
  changed: stats.ctimeMs,
  mode: stats.mode
})

export const isAsSeen = (seen: FileStamp, stats: Stats): boolean =>
  seen.changed === stats.ctimeMs &&
  seen.modified === stats.mtimeMs &&
  seen.bytes === stats.size &&
  seen.ino === stats.ino &&
  seen.mode === stats.mode

export interface LeafNode {
  readonly kind: "leaf"
  readonly entry: FileEntry | LinkEntry | ExcludedEntry
  readonly seen: FileStamp
  /** False: the file changed just before it was read, so a later change may have left its time unchanged. */
  readonly isSettled: boolean
  readonly isIgnored: boolean
}

export interface DirectoryNode {
  readonly kind: "directory"
  readonly parent: DirectoryNode | null
  readonly name: string
  /** The totals of the ignored directory that contains it; null: git does not ignore it. */
  readonly ignored: IgnoredRoot | null
  readonly children: Map<string, Node>
  seen: FileStamp | null
  /** False: names may have been added or removed without a change of its time. */
  isSettled: boolean
  /** The rules that apply here, the outermost first. */
  rules: ReadonlyArray<RuleFile>
  /** The size of its own rules. */
  ruleBytes: number
  /** The name of its stored tree; null: the tree has to be rebuilt. */
  id: string | null
  watch: Watch | null
  /** The names that were reported as changed. */
  stale: Set<string> | "all"
  /** The reported names that were created, removed or moved. */
  readonly moved: Set<string>
  /** True if its state comes from an earlier process and was not checked in this one. */
  isResumed: boolean
}

/** The outermost directory of an ignored part of the workspace. */
export interface IgnoredRoot {
  entries: number
  bytes: number
  /** The size of an entry that was found but not read yet. */
  unreadBytes: number
}

export type Node = LeafNode | DirectoryNode

export const directory = (parent: DirectoryNode | null, name: string, ignored: IgnoredRoot | null): DirectoryNode => ({
  kind: "directory",
  parent,
  name,
  ignored,
  children: new Map(),
  seen: null,
  isSettled: false,
  rules: parent?.rules ?? [],
  ruleBytes: 0,
  id: null,
  watch: null,
  stale: "all",
  moved: new Set(),
  isResumed: false
})

export const excludedLeaf = (reason: Exclusion, stats: Stats, isIgnored: boolean): LeafNode => ({
  kind: "leaf",
  entry: {
    kind: "excluded",
    reason,
    // The content of such a directory is not surveyed, so its times are meaningless.
    bytes: stats.isDirectory() ? 0 : stats.size,
    modifiedAtMillis: stats.isDirectory() ? 0 : stats.mtimeMs
  },
  seen: seenOf(stats),
  isSettled: true,
  isIgnored
})

/** Names from the root down to it. */
export const segmentsOf = (node: DirectoryNode): ReadonlyArray<string> => {
  const segments: Array<string> = []
  for (let at = node; at.parent !== null; at = at.parent) segments.unshift(at.name)
  return segments
}

/** Returns the path of a node below a root. */
export const pathOf = (node: DirectoryNode, root: string): string =>
  node.parent === null ? root : `${root === "/" ? "" : root}/${segmentsOf(node).join("/")}`

export const bytesOf = ({ entry }: LeafNode): number => (entry.kind === "file" ? entry.bytes : 0)

/** Returns the outermost directory of the ignored part that contains the node. */
export const ignoredTopOf = (node: DirectoryNode): DirectoryNode => {
  let at = node
  while (at.parent !== null && at.parent.ignored === node.ignored) at = at.parent
  return at
}

/** False: the node was removed from the index together with a directory above it. */
export const isInIndex = (node: DirectoryNode): boolean =>
  node.parent === null || (node.parent.children.get(node.name) === node && isInIndex(node.parent))

/** Marks the node and all of its parents to be rebuilt. */
export const markForRebuild = (node: DirectoryNode): void => {
  for (let at: DirectoryNode | null = node; at !== null && at.id !== null; at = at.parent) at.id = null
}

/** Ends the watches of a node and its descendants. */
export const release = (node: Node): void => {
  if (node.kind === "leaf") return
  node.watch?.close()
  node.watch = null
  for (const child of node.children.values()) release(child)
}

export const permissions = (mode: number): number => mode & 0o777

/** Returns the entry of a node whose trees exist already. */
export const entryOf = (node: Node): Entry =>
  node.kind === "leaf"
    ? node.entry
    : { kind: "directory", mode: permissions(node.seen?.mode ?? 0o755), id: node.id ?? "" }

/** Counts everything below a node. */
export const countBelow = (
  node: DirectoryNode,
  count: (node: DirectoryNode, seen: { readonly entries: number; readonly bytes: number }) => void
): void => {
  for (const child of node.children.values()) {
    count(node, { entries: 1, bytes: child.kind === "leaf" ? bytesOf(child) : 0 })
    if (child.kind === "directory") countBelow(child, count)
  }
}

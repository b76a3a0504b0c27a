/**
 * The tree of nodes of a workspace index, and what is known to be out of date in it. Every change of a node updates the
 * totals and marks the stored trees above it to be rebuilt.
 */
import type { RuleFile } from "@bough/disk/IgnoreRules"
import * as Directories from "./Directories.ts"
import * as IndexTotals from "./IndexTotals.ts"
import type { Limits } from "./Limits.ts"
import { isTemporary } from "./names.ts"
import * as Nodes from "./Nodes.ts"
import * as StateDirectories from "./StateDirectories.ts"
import * as TreeObject from "./TreeObject.ts"
import type { OnChange } from "./Watches.ts"

export interface IndexedTree {
  readonly root: Directories.Root
  readonly top: Nodes.DirectoryNode
  readonly totals: IndexTotals.IndexTotals
  /** The directories with names that have to be checked. */
  readonly stale: Set<Nodes.DirectoryNode>
  /** Files with more than one name, by inode. The kernel reports a change only for the name that was used. */
  readonly linked: Set<number>
  /** Files that were found but not yet read. */
  readonly unread: Map<Nodes.DirectoryNode, Set<string>>
  readonly isStateDirectory: StateDirectories.IsStateDirectory
  /** True if every directory has been watched since its last check. */
  isWatched: boolean
}

export interface TreeOptions {
  readonly root: Directories.Root
  readonly limits: Limits
  /** Rules of the repository above the root. */
  readonly rulesAbove: ReadonlyArray<RuleFile>
}

export const make = ({ limits, root, rulesAbove }: TreeOptions): IndexedTree => {
  const top = Nodes.directory(null, "", null)
  top.rules = rulesAbove
  return {
    root,
    top,
    totals: IndexTotals.make(limits),
    stale: new Set(),
    linked: new Set(),
    unread: new Map(),
    isStateDirectory: StateDirectories.make(root),
    isWatched: false
  }
}

/**
 * Handles a report of the directory's watch. A name that appeared and disappeared between two checks may have been
 * another name of a known file, and the file may have been changed through it. Every file is checked then.
 */
export const report =
  (tree: IndexedTree, node: Nodes.DirectoryNode): OnChange =>
  (name, isStructural) => {
    if (node === tree.top && name !== null && tree.isStateDirectory(name)) return
    if (name === null || name === ".") {
      // The directory may have been replaced by another directory, which is not watched.
      node.watch?.close()
      node.watch = null
      node.stale = "all"
      tree.isWatched = false
    } else if (node.stale !== "all") {
      node.stale.add(name)
      if (isStructural && !isTemporary(name)) {
        if (node.moved.has(name)) tree.isWatched = false
        node.moved.add(name)
      }
    }
    tree.stale.add(node)
  }

/** Reports every name of the files that have more than one. */
export const reportLinked = (tree: IndexedTree, node: Nodes.DirectoryNode = tree.top): void => {
  for (const [name, child] of node.children) {
    if (child.kind === "directory") reportLinked(tree, child)
    else if (tree.linked.has(child.seen.ino)) report(tree, node)(name, false)
  }
}

export interface Entry {
  readonly parent: Nodes.DirectoryNode
  readonly name: string
}

/** Sets the node of an entry; null removes it. */
export const put = (tree: IndexedTree, { name, parent }: Entry, node: Nodes.Node | null): void => {
  const before = parent.children.get(name)
  if (before === node) return
  if (before !== undefined) forget(tree, parent, before)
  if (node === null) parent.children.delete(name)
  else {
    parent.children.set(name, node)
    tree.totals.add(parent, { entries: 1, bytes: node.kind === "leaf" ? Nodes.bytesOf(node) : 0 })
  }
  const isSame = before?.kind === "leaf" && node?.kind === "leaf" && TreeObject.isSame(before.entry, node.entry)
  if (!isSame && !(before === undefined && node === null)) Nodes.markForRebuild(parent)
}

/** Subtracts a removed node from the totals, and ends the watches in it. */
const forget = (tree: IndexedTree, parent: Nodes.DirectoryNode, node: Nodes.Node): void => {
  if (node.kind === "leaf") return tree.totals.add(parent, { entries: -1, bytes: -Nodes.bytesOf(node) })
  for (const child of node.children.values()) forget(tree, node, child)
  tree.totals.addRules(-node.ruleBytes)
  tree.totals.add(parent, { entries: -1, bytes: 0 })
  node.watch?.close()
  node.watch = null
  tree.stale.delete(node)
}

/** Replaces a directory completely, because git ignores it and it is too large, or because it cannot be read. */
export const exclude = (tree: IndexedTree, node: Nodes.DirectoryNode, reason: TreeObject.Exclusion): void => {
  const { parent } = node
  if (parent === null) return
  const chain = Directories.openChain(tree.root, Nodes.segmentsOf(parent))
  if (chain === null) return
  const stats = Directories.statsOf(chain.directory.prefix + node.name)
  chain.close()
  put(
    tree,
    { parent, name: node.name },
    stats === null ? null : Nodes.excludedLeaf(reason, stats, node.ignored !== null)
  )
}

/** Excludes the ignored directory that contains the node if it has become too large; returns true if so. */
export const excludeTooLarge = (tree: IndexedTree, node: Nodes.DirectoryNode): boolean => {
  if (node.ignored === null || !tree.totals.isTooLarge(node.ignored)) return false
  exclude(tree, Nodes.ignoredTopOf(node), "ignored by git")
  return true
}

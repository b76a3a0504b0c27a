/** Reads the files that a check has found, once their number and size are known to be within the limits. */
import type { Snapshots } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Directories from "./Directories.ts"
import * as IndexedTree from "./IndexedTree.ts"
import * as Leaves from "./Leaves.ts"
import * as Nodes from "./Nodes.ts"

export const readFound = Effect.fnUntraced(function* (
  tree: IndexedTree.IndexedTree,
  reader: Leaves.LeafReader
): Effect.fn.Return<void, Snapshots.SnapshotFailed> {
  for (const [node, names] of tree.unread) {
    tree.unread.delete(node)
    const chain = Nodes.isInIndex(node) ? Directories.openChain(tree.root, Nodes.segmentsOf(node)) : null
    if (chain === null) {
      node.stale = "all"
      tree.isWatched = false
      continue
    }
    yield* Effect.gen(function* () {
      for (const name of names) {
        const path = chain.directory.prefix + name
        const stats = Directories.statsOf(path)
        const known = node.children.get(name)
        if (known?.kind !== "leaf") continue
        const isFile = stats !== null && !stats.isDirectory() && !stats.isSymbolicLink()
        if (!isFile) {
          IndexedTree.report(tree, node)(name, true)
          continue
        }
        const leaf = yield* Leaves.readLeaf(reader, { path, stats, isIgnored: known.isIgnored })
        IndexedTree.put(tree, { parent: node, name }, leaf)
      }
    }).pipe(Effect.ensuring(Effect.sync(chain.close)))
    if (Nodes.isInIndex(node)) IndexedTree.excludeTooLarge(tree, node)
  }
})

/** Marks the names in a directory that differ from their last known state. */
import * as Directories from "./Directories.ts"
import * as Nodes from "./Nodes.ts"

/**
 * Checks the files by path, which is cheapest; a changed file is checked again in the open directory. Returns the
 * number of checked names.
 */
export const compare = (node: Nodes.DirectoryNode, root: string): number => {
  if (node.stale === "all") return 1
  const path = Nodes.pathOf(node, root)
  const stats = Directories.statsOf(path)
  if (stats === null || node.seen === null || !node.isSettled || !Nodes.isAsSeen(node.seen, stats)) {
    node.stale = "all"
    return 1
  }
  for (const [name, child] of node.children) {
    if (child.kind === "directory") continue
    const now = child.isSettled ? Directories.statsOf(`${path}/${name}`) : null
    if (now === null || !Nodes.isAsSeen(child.seen, now)) node.stale.add(name)
  }
  return 1 + node.children.size
}

/** Builds stored trees from the index of a workspace. */
import type { Snapshots } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as Failures from "./Failures.ts"
import * as Nodes from "./Nodes.ts"
import * as ObjectStore from "./ObjectStore.ts"
import * as Pace from "./Pace.ts"
import * as TreeObject from "./TreeObject.ts"

/** Makes the missing trees, and returns the name of the node's own tree. */
export const make = Effect.fnUntraced(function* (
  store: ObjectStore.ObjectStore,
  pace: Pace.Pace,
  node: Nodes.DirectoryNode
): Effect.fn.Return<string, Snapshots.SnapshotFailed> {
  if (node.id !== null) return node.id
  for (const child of node.children.values()) if (child.kind === "directory") yield* make(store, pace, child)
  const content = TreeObject.encode([...node.children].map(([name, child]) => [name, Nodes.entryOf(child)]))
  const id = TreeObject.treeId(content)
  if (!(yield* Failures.onStore(() => store.has(id)))) store.put(id, ObjectStore.pack(content))
  node.id = id
  if (pace.spend(5 + node.children.size)) yield* Pace.nextTurn
  return id
})

/** Returns true if the file or link at the path is in a snapshot of the node. */
export const isRestorable = (top: Nodes.DirectoryNode, segments: ReadonlyArray<string>): boolean => {
  let node: Nodes.Node | undefined = top
  for (const name of segments) node = node?.kind === "directory" ? node.children.get(name) : undefined
  return node !== undefined && (node.kind === "directory" || node.entry.kind !== "excluded")
}

/** Forgets collected objects: their contents are read again, and their trees made again. */
export const forget = (node: Nodes.DirectoryNode, store: ObjectStore.ObjectStore): void => {
  for (const [name, child] of node.children) {
    if (child.kind === "directory") forget(child, store)
    else if (child.entry.kind === "file" && !store.has(child.entry.id)) {
      node.children.set(name, { ...child, isSettled: false })
      if (node.stale !== "all") node.stale.add(name)
    }
  }
  node.id = null
}

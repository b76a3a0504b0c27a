/** The tree of a state in which the steps of a restoration are done, and in which nothing else is different. */
import type * as ObjectStore from "./ObjectStore.ts"
import type { Step } from "./Plan.ts"
import * as TreeObject from "./TreeObject.ts"

interface Change {
  /** Absent: the entry itself does not change, but entries below it do. */
  to?: TreeObject.Entry | null
  readonly below: Map<string, Change>
}

export type Steps = ReadonlyArray<Pick<Step, "segments" | "to">>

/** A stored tree, or a new one that the store does not have yet. */
export interface CreatedEntries {
  readonly id: string
  /** The contents of the new trees, by their names. */
  readonly trees: ReadonlyMap<string, Buffer>
}

/** Makes the tree from the state in which the steps begin. Throws if a tree is missing. */
export const make = (read: ObjectStore.TreeReader, from: string, steps: Steps): CreatedEntries => {
  const trees = new Map<string, Buffer>()
  const top: Change = { below: new Map() }
  for (const { segments, to } of steps) changeAt(top, segments).to = to

  const entries = (id: string | null, below: Change["below"]): TreeObject.Tree => {
    const changed = new Map(id === null ? [] : read(id))
    for (const [name, change] of below) {
      const entry = entryOf(changed.get(name) ?? null, change)
      if (entry === null) changed.delete(name)
      else changed.set(name, entry)
    }
    return changed
  }
  const store = (tree: TreeObject.Tree): string => {
    const content = TreeObject.encode(tree)
    const id = TreeObject.treeId(content)
    trees.set(id, content)
    return id
  }
  const entryOf = (known: TreeObject.Entry | null, { below, to = known }: Change): TreeObject.Entry | null => {
    const directory = known?.kind === "directory" ? known : null
    if (to !== null && to.kind !== "directory") return to
    if (to === null && directory === null) return null
    const inside = entries(directory?.id ?? null, below)
    // A directory with entries of others stays.
    if (to === null && inside.size === 0) return null
    return { kind: "directory", mode: (to ?? directory)?.mode ?? 0, id: store(inside) }
  }
  return { id: store(entries(from, top.below)), trees }
}

const changeAt = (top: Change, segments: ReadonlyArray<string>): Change => {
  let change = top
  for (const name of segments) {
    const known = change.below.get(name)
    const next: Change = known ?? { below: new Map() }
    if (known === undefined) change.below.set(name, next)
    change = next
  }
  return change
}

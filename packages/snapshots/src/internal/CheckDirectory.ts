/** Compares a directory with the index: only its reported names, or all of them. */
import type { Snapshots } from "@bough/tool"
import * as Effect from "effect/Effect"
import { checkName } from "./checkName.ts"
import * as Directories from "./Directories.ts"
import * as IndexedTree from "./IndexedTree.ts"
import * as Leaves from "./Leaves.ts"
import { namesIn } from "./names.ts"
import * as Nodes from "./Nodes.ts"
import * as Pace from "./Pace.ts"
import { readRules, type RulesOptions } from "./readRules.ts"
import type { Watches } from "./Watches.ts"

/** The parts of an index that its checks use. */
export interface Checks {
  readonly tree: IndexedTree.IndexedTree
  readonly reader: Leaves.LeafReader
  readonly rules: RulesOptions
  readonly watches: Watches | null
  /** Paths below the root that no snapshot contains. */
  readonly outside: () => ReadonlyArray<ReadonlyArray<string>>
}

/** The steps of comparisons with rules that take as long as the check of a file. */
const stepsPerUnit = 1_000

interface OpenNode {
  readonly node: Nodes.DirectoryNode
  readonly directory: Directories.Directory
}

type Subdirectories = Set<Nodes.DirectoryNode>

/** Checks the stale names of a directory. Returns the subdirectories to check next; null: it cannot be opened. */
export const check = Effect.fnUntraced(function* (
  checks: Checks,
  node: Nodes.DirectoryNode,
  isFull: boolean
): Effect.fn.Return<Subdirectories | null, Snapshots.SnapshotFailed> {
  const chain = Directories.openChain(checks.tree.root, Nodes.segmentsOf(node))
  if (chain === null) return null
  return yield* checkOpened(checks, { node, directory: chain.directory }, isFull).pipe(
    // An interrupted check starts again.
    Effect.onError(() => Effect.sync(() => (node.stale = "all"))),
    Effect.ensuring(Effect.sync(chain.close))
  )
})

const checkOpened = Effect.fnUntraced(function* (
  checks: Checks,
  open: OpenNode,
  isFull: boolean
): Effect.fn.Return<Subdirectories | null, Snapshots.SnapshotFailed> {
  const { reader, tree } = checks
  const { directory, node } = open
  const stale = takeStale(tree, node)
  watch(checks, open)
  const stats = Directories.statsOf(`${directory.prefix}.`)
  if (stats === null) return null
  if (node.seen !== null && node.seen.mode !== stats.mode && node.parent !== null) Nodes.markForRebuild(node.parent)
  const names = yield* namesToCheck(checks, open, stale)
  if (names === null) return null
  if (stale === "all") removeMissing(tree, node, new Set(names))
  node.seen = Nodes.seenOf(stats)
  node.isSettled = Leaves.isStableAt(stats, reader.nowMillis())
  const below: Subdirectories = new Set()
  const nameCheck = { tree, reader, inner: checks.rules.inner, ...open, outside: checks.outside(), below, isFull }
  const { ruleCount } = tree.totals
  for (const name of names) {
    const before = ruleCount.steps
    yield* checkName(nameCheck, name)
    if (reader.pace.spend(2 + (ruleCount.steps - before) / stepsPerUnit)) yield* Pace.nextTurn
    if (node.ignored !== null) {
      if (tree.totals.isTooLarge(node.ignored)) break
      continue
    }
    const excess = tree.totals.excess()
    if (excess !== null) return yield* excess
  }
  return below
})

const takeStale = (tree: IndexedTree.IndexedTree, node: Nodes.DirectoryNode): Nodes.DirectoryNode["stale"] => {
  const { stale } = node
  node.stale = new Set()
  node.moved.clear()
  tree.stale.delete(node)
  return stale
}

/** Returns every name instead of the stale ones if the ignore rules have changed; null: the names cannot be read. */
const namesToCheck = Effect.fnUntraced(function* (
  { rules }: Checks,
  { directory, node }: OpenNode,
  stale: Nodes.DirectoryNode["stale"]
): Effect.fn.Return<ReadonlyArray<string> | null> {
  const names = stale === "all" ? namesIn(directory) : [...stale].filter((name) => name !== ".")
  const mayHaveRules = stale === "all" || stale.has(".gitignore")
  if (names === null || !mayHaveRules) return names
  const haveChanged = yield* readRules(rules, node, directory)
  if (!haveChanged || node.seen === null) return names
  // The rules above each child have changed.
  for (const child of node.children.values()) if (child.kind === "directory") child.stale = "all"
  return namesIn(directory) ?? []
})

const removeMissing = (
  tree: IndexedTree.IndexedTree,
  node: Nodes.DirectoryNode,
  present: ReadonlySet<string>
): void => {
  for (const name of node.children.keys()) if (!present.has(name)) IndexedTree.put(tree, { parent: node, name }, null)
}

const watch = ({ tree, watches }: Checks, { directory, node }: OpenNode): void => {
  if (watches === null) return
  node.watch ??= watches.add(`${directory.prefix}.`, IndexedTree.report(tree, node))
}

/** Prepares a directory that is known from an earlier process: reads its rules and watches it, before it is compared. */
export const resume = Effect.fnUntraced(function* (checks: Checks, node: Nodes.DirectoryNode): Effect.fn.Return<void> {
  const chain = Directories.openChain(checks.tree.root, Nodes.segmentsOf(node))
  node.isResumed = false
  if (chain === null) return void (node.stale = "all")
  watch(checks, { node, directory: chain.directory })
  yield* readRules(checks.rules, node, chain.directory)
  chain.close()
})

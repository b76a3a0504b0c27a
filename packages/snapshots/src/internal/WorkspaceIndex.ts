/**
 * The last known state of the workspace. An update checks every file, or only the reported files if every directory is
 * watched. New contents are written to the store.
 */
import type * as IgnoreRules from "@bough/disk/IgnoreRules"
import type { Snapshots } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { hash } from "node:crypto"
import * as CheckDirectory from "./CheckDirectory.ts"
import { compare } from "./compare.ts"
import type * as Directories from "./Directories.ts"
import * as Failures from "./Failures.ts"
import * as IndexedTree from "./IndexedTree.ts"
import type * as Leaves from "./Leaves.ts"
import type { Limits } from "./Limits.ts"
import * as Nodes from "./Nodes.ts"
import type * as ObjectStore from "./ObjectStore.ts"
import * as Pace from "./Pace.ts"
import { readFound } from "./readFound.ts"
import * as SavedIndex from "./SavedIndex.ts"
import * as Trees from "./Trees.ts"
import type { Watches } from "./Watches.ts"

type SnapshotFailed = Snapshots.SnapshotFailed

export interface IndexOptions {
  readonly root: Directories.Root
  readonly store: ObjectStore.ObjectStore
  readonly limits: Limits
  /** Null: no directory is watched, and every update checks every file. */
  readonly watches: Watches | null
  /** Rules of the repository above the root. */
  readonly rulesAbove: ReadonlyArray<IgnoreRules.RuleFile>
  /** The directory names from the top of the root's repository to the root. */
  readonly inner: ReadonlyArray<string>
  /** Paths below the root that are secret or belong to another owner; they may change between two updates. */
  readonly outside: () => ReadonlyArray<ReadonlyArray<string>>
}

export interface WorkspaceIndex {
  /** Loads the state that an earlier process wrote with `save`. Ignores any other text. */
  readonly load: (saved: string) => void
  readonly save: () => string
  /** Returns true if the file or link at this path is in the snapshot of the last update. */
  readonly isRestorable: (segments: ReadonlyArray<string>) => boolean
  /** Updates the index, makes its trees and returns the name of the root's tree. */
  readonly update: Effect.Effect<string, SnapshotFailed>
  /** The time of the last full check, by the store's clock; null: this process made none. */
  readonly lookedAtMillis: () => number | null
  /** Makes the next update check every file, not only the reported files. */
  readonly distrust: () => void
  /** Removes the contents that the store does not have. */
  readonly verify: () => void
  readonly close: () => void
}

export const make = (options: IndexOptions): WorkspaceIndex => {
  const { inner, limits, outside, root, rulesAbove, store, watches } = options
  const tree = IndexedTree.make(options)
  const pace = Pace.make()
  let lookedAtMillis: number | null = null
  let nowMillis = 0
  const reader: Leaves.LeafReader = { ownerUid: root.uid, store, limits, pace, nowMillis: () => nowMillis }
  const checks: CheckDirectory.Checks = {
    tree,
    reader,
    rules: { rulesAbove, inner, ownerUid: root.uid, totals: tree.totals },
    watches,
    outside
  }
  const distrust = (): void => {
    tree.isWatched = false
  }

  const checkAll = Effect.suspend(() => {
    watches?.reset()
    tree.isWatched = watches !== null
    lookedAtMillis = nowMillis
    return checkFrom(checks, tree.top, true)
  })

  const header = hash("sha256", JSON.stringify([rulesAbove, inner, limits]), "base64url")

  return {
    load: (saved) => {
      const children = SavedIndex.decode(saved, header, tree.top)
      if (children === null) return
      for (const [name, node] of children) tree.top.children.set(name, node)
      tree.top.stale = "all"
      Nodes.countBelow(tree.top, tree.totals.add)
    },
    save: () => SavedIndex.encode(tree.top, header),
    isRestorable: (segments) => Trees.isRestorable(tree.top, segments),
    update: Effect.gen(function* () {
      nowMillis = yield* Clock.currentTimeMillis
      tree.unread.clear()
      tree.totals.clearUnread()
      tree.totals.ruleCount.steps = 0
      // Reports that arrive while this waits may show that a full check is needed.
      const isQuick = watches !== null && (yield* watches.settle) && tree.isWatched
      if (isQuick) yield* checkReported(checks)
      if (!isQuick || !tree.isWatched) yield* checkAll
      yield* readFound(tree, reader)
      return yield* Trees.make(store, pace, tree.top)
    }).pipe(
      // The index may be incomplete after an interruption.
      Effect.onError(() => Effect.sync(distrust))
    ),
    lookedAtMillis: () => lookedAtMillis,
    distrust,
    verify: () => {
      Trees.forget(tree.top, store)
      // A full check finds missed changes.
      distrust()
    },
    close: () => Nodes.release(tree.top)
  }
}

/**
 * Checks a directory and those below it: every directory in a full check, else only those with reported names and those
 * found by the check.
 */
const checkFrom = Effect.fnUntraced(function* (
  checks: CheckDirectory.Checks,
  first: Nodes.DirectoryNode,
  isFull: boolean
): Effect.fn.Return<void, SnapshotFailed> {
  const { reader, tree } = checks
  const pending = [first]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!Nodes.isInIndex(node)) continue
    if (node.isResumed) {
      yield* CheckDirectory.resume(checks, node)
      const excess = tree.totals.excess()
      if (excess !== null) return yield* excess
    }
    if (isFull) reader.pace.spend(compare(node, tree.root.path))
    const below = isStale(node) ? yield* CheckDirectory.check(checks, node, isFull) : new Set<Nodes.DirectoryNode>()
    if (below === null) {
      if (node.parent === null) return yield* Failures.unreadable(new Error("its root cannot be opened"))
      IndexedTree.exclude(tree, node, "unreadable")
      continue
    }
    if (node.watch === null) tree.isWatched = false
    if (IndexedTree.excludeTooLarge(tree, node)) continue
    if (isFull) {
      for (const child of node.children.values()) if (child.kind === "directory") below.add(child)
    }
    for (const child of below) if (isFull || isStale(child)) pending.push(child)
    if (reader.pace.spend(1)) yield* Pace.nextTurn
  }
})

const isStale = ({ stale }: Nodes.DirectoryNode): boolean => stale === "all" || stale.size > 0

/** Checks the reported names. Files with several names are checked under each name, because only one was reported. */
const checkReported = Effect.fnUntraced(function* (
  checks: CheckDirectory.Checks
): Effect.fn.Return<void, SnapshotFailed> {
  const { linked, stale } = checks.tree
  for (let seen = -1; seen !== linked.size;) {
    seen = linked.size
    if (seen > 0) IndexedTree.reportLinked(checks.tree)
    // A directory that is reported during this update is checked after the others.
    for (const node of stale) yield* checkFrom(checks, node, false)
  }
})

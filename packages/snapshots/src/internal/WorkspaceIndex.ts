/**
 * The last known state of the workspace. An update checks every file, or only the reported files if every directory is
 * watched. New contents are written to the store.
 */
import type { Snapshots } from "@bough/tool"
import { hash } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { compare } from "./compare.ts"
import * as Directories from "./Directories.ts"
import * as Failures from "./Failures.ts"
import * as IgnoreRules from "./IgnoreRules.ts"
import type { Limits } from "./Limits.ts"
import * as Leaves from "./Leaves.ts"
import { isAmong, isState, isTemporary, namesIn } from "./names.ts"
import * as Nodes from "./Nodes.ts"
import type * as ObjectStore from "./ObjectStore.ts"
import * as Pace from "./Pace.ts"
import { readRules } from "./readRules.ts"
import * as SavedIndex from "./SavedIndex.ts"
import * as StateDirectories from "./StateDirectories.ts"
import * as Trees from "./Trees.ts"
import * as TreeObject from "./TreeObject.ts"
import type { Watches } from "./Watches.ts"

type Failed = Snapshots.SnapshotFailed

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
  readonly update: Effect.Effect<string, Failed>
  /** The time of the last full check, by the store's clock; null: this process made none. */
  readonly lookedAtMillis: () => number | null
  /** Makes the next update check every file, not only the reported files. */
  readonly distrust: () => void
  /** Removes the contents that the store does not have. */
  readonly verify: () => void
  readonly close: () => void
}

const maxDepth = 200
export const make = (options: IndexOptions): WorkspaceIndex => {
  const { inner, limits, outside, root, store, watches } = options
  const top = Nodes.directory(null, "", null)
  top.rules = options.rulesAbove
  const stale = new Set<Nodes.DirectoryNode>()
  /** Files with more than one name, by inode. The kernel reports a change only for the name that was used. */
  const linked = new Set<number>()
  const isStateDirectory = StateDirectories.make(root)
  const pace = Pace.make()
  /** Files that were found but not yet read. */
  const unread = new Map<Nodes.DirectoryNode, Set<string>>()
  let entries = 0
  let bytes = 0
  let unreadBytes = 0
  /** True if every directory has been watched since its last check. */
  let isWatched = false
  let isLookingAtAll = false
  let lookedAtMillis: number | null = null
  let nowMillis = 0
  let left = outside()
  const reader: Leaves.LeafReader = { ownerUid: root.uid, store, limits, pace, nowMillis: () => nowMillis }

  /**
   * A name that appeared and disappeared between two checks may have been another name of a known file, and the file
   * may have been changed through it. Every file is checked then.
   */
  const report = (node: Nodes.DirectoryNode) => (name: string | null, isStructural: boolean) => {
    if (node === top && name !== null && isStateDirectory(name)) return
    if (name === null || name === ".") {
      // The directory may have been replaced by another directory, which is not watched.
      node.watch?.close()
      node.watch = null
      node.stale = "all"
      isWatched = false
    } else if (node.stale !== "all") {
      node.stale.add(name)
      if (isStructural && !isTemporary(name)) {
        if (node.moved.has(name)) isWatched = false
        node.moved.add(name)
      }
    }
    stale.add(node)
  }

  const count = (node: Nodes.DirectoryNode, seen: { readonly entries: number; readonly bytes: number }): void => {
    entries += seen.entries
    bytes += seen.bytes
    if (node.ignored === null) return
    node.ignored.entries += seen.entries
    node.ignored.bytes += seen.bytes
  }

  /** Subtracts a node from the totals when it is removed from the index. */
  const drop = (parent: Nodes.DirectoryNode, node: Nodes.Node): void => {
    if (node.kind === "leaf") return count(parent, { entries: -1, bytes: -Nodes.bytesOf(node) })
    for (const child of node.children.values()) drop(node, child)
    count(parent, { entries: -1, bytes: 0 })
    node.watch?.close()
    node.watch = null
    stale.delete(node)
  }

  const put = (parent: Nodes.DirectoryNode, name: string, node: Nodes.Node | null): void => {
    const before = parent.children.get(name)
    if (before === node) return
    if (before !== undefined) drop(parent, before)
    if (node === null) parent.children.delete(name)
    else {
      parent.children.set(name, node)
      count(parent, { entries: 1, bytes: node.kind === "leaf" ? Nodes.bytesOf(node) : 0 })
    }
    const isSame = before?.kind === "leaf" && node?.kind === "leaf" && TreeObject.isSame(before.entry, node.entry)
    if (!isSame && !(before === undefined && node === null)) Nodes.touch(parent)
  }

  /** Checks one name of an open directory. Directories whose entries have to be checked go to `below`. */
  const lookAt = Effect.fnUntraced(function* (
    place: { readonly node: Nodes.DirectoryNode; readonly directory: Directories.Directory },
    name: string,
    below: Set<Nodes.DirectoryNode>
  ): Effect.fn.Return<void, Failed> {
    const { directory, node } = place
    const path = directory.prefix + name
    const stats = isState(name) || isTemporary(name) ? null : Directories.look(path)
    const known = node.children.get(name)
    if (stats === null) return put(node, name, null)
    const segments = [...Nodes.segmentsOf(node), name]
    if (isAmong(left, segments)) return put(node, name, null)
    const isIgnored =
      node.ignored !== null || IgnoreRules.isIgnored(node.rules, [...inner, ...segments], stats.isDirectory())
    if (stats.isDirectory()) {
      const isKnown =
        known?.kind === "directory" && known.seen?.ino === stats.ino && (known.ignored !== null) === isIgnored
      if (isKnown) {
        below.add(known)
        return
      }
      if (known?.kind === "leaf" && known.isIgnored && isIgnored && Nodes.isAsSeen(known.seen, stats)) return
      if (segments.length > maxDepth) return put(node, name, Nodes.excluded("too deep", stats, isIgnored))
      const made = Nodes.directory(
        node,
        name,
        isIgnored ? (node.ignored ?? { entries: 0, bytes: 0, unreadBytes: 0 }) : null
      )
      put(node, name, made)
      below.add(made)
      // Names in the directory may have changed while it was not watched.
      isWatched &&= isLookingAtAll
      return
    }
    if (stats.isFile() && stats.nlink > 1) linked.add(stats.ino)
    const isUnchanged =
      known?.kind === "leaf" && known.isSettled && known.isIgnored === isIgnored && Nodes.isAsSeen(known.seen, stats)
    if (isUnchanged) return
    if (stats.isSymbolicLink()) return put(node, name, Leaves.readLink(reader, { path, stats, isIgnored }))
    if (known?.kind === "leaf") return put(node, name, yield* Leaves.readLeaf(reader, { path, stats, isIgnored }))
    // New files are read only after their totals are known to be within the limits.
    put(node, name, { ...Nodes.excluded("changing", stats, isIgnored), isSettled: false })
    const names = unread.get(node) ?? new Set()
    unread.set(node, names.add(name))
    const isRead = stats.isFile() && stats.size <= (isIgnored ? limits.maxIgnoredFileBytes : limits.maxFileBytes)
    if (!isRead) return
    if (node.ignored === null) unreadBytes += stats.size
    else node.ignored.unreadBytes += stats.size
  })

  const readNew = Effect.gen(function* () {
    for (const [node, names] of unread) {
      unread.delete(node)
      const opened = Nodes.isThere(node) ? Directories.openChain(root, Nodes.segmentsOf(node)) : null
      if (opened === null) {
        node.stale = "all"
        isWatched = false
        continue
      }
      yield* Effect.gen(function* () {
        for (const name of names) {
          const path = opened.directory.prefix + name
          const stats = Directories.look(path)
          const known = node.children.get(name)
          if (known?.kind !== "leaf") continue
          const isFile = stats !== null && !stats.isDirectory() && !stats.isSymbolicLink()
          if (!isFile) report(node)(name, true)
          else put(node, name, yield* Leaves.readLeaf(reader, { path, stats, isIgnored: known.isIgnored }))
        }
      }).pipe(Effect.ensuring(Effect.sync(opened.close)))
      if (node.ignored !== null && Nodes.isThere(node) && isTooMuch(node.ignored))
        exclude(Nodes.ignoredTopOf(node), "ignored by git")
    }
  })

  /** Checks the stale names in the directory itself. Fails if the directory is missing. */
  const refresh = Effect.fnUntraced(function* (
    node: Nodes.DirectoryNode,
    below: Set<Nodes.DirectoryNode>
  ): Effect.fn.Return<boolean, Failed> {
    const opened = Directories.openChain(root, Nodes.segmentsOf(node))
    if (opened === null) return false
    const { close, directory } = opened
    return yield* Effect.gen(function* () {
      const wanted = node.stale
      node.stale = new Set()
      node.moved.clear()
      stale.delete(node)
      watch(node, directory)
      const stats = Directories.look(`${directory.prefix}.`)
      if (stats === null) return false
      if (node.seen !== null && node.seen.mode !== stats.mode && node.parent !== null) Nodes.touch(node.parent)
      let names = wanted === "all" ? namesIn(directory) : [...wanted].filter((name) => name !== ".")
      if (names === null) return false
      const isRuled = wanted === "all" || wanted.has(".gitignore")
      if (isRuled && (yield* readRules({ ...options, ownerUid: root.uid }, node, directory)) && node.seen !== null) {
        names = namesIn(directory) ?? []
        // The rules above each child have changed.
        for (const child of node.children.values()) if (child.kind === "directory") child.stale = "all"
      }
      if (wanted === "all") {
        const there = new Set(names)
        for (const name of node.children.keys()) if (!there.has(name)) put(node, name, null)
      }
      node.seen = Nodes.seenOf(stats)
      node.isSettled = Leaves.isSettledAt(stats, nowMillis)
      left = outside()
      for (const name of names) {
        if (pace.spend(2)) yield* Pace.nextTurn
        yield* lookAt({ node, directory }, name, below)
        yield* within(node)
        if (node.ignored !== null && isTooMuch(node.ignored)) break
      }
      return true
    }).pipe(
      // An interrupted check starts again.
      Effect.onError(() => Effect.sync(() => (node.stale = "all"))),
      Effect.ensuring(Effect.sync(close))
    )
  })

  const watch = (node: Nodes.DirectoryNode, directory: Directories.Directory): void => {
    if (watches !== null) node.watch ??= watches.add(`${directory.prefix}.`, report(node))
  }

  /**
   * Prepares a directory that is known from an earlier process: reads its rules and watches it, before it is compared.
   */
  const resume = Effect.fnUntraced(function* (node: Nodes.DirectoryNode): Effect.fn.Return<void> {
    const opened = Directories.openChain(root, Nodes.segmentsOf(node))
    node.isResumed = false
    if (opened === null) return void (node.stale = "all")
    watch(node, opened.directory)
    yield* readRules({ ...options, ownerUid: root.uid }, node, opened.directory)
    opened.close()
  })

  const isTooMuch = (ignored: Nodes.IgnoredTop): boolean =>
    ignored.entries > limits.maxIgnoredEntries || ignored.bytes + ignored.unreadBytes > limits.maxIgnoredBytes

  const within = (node: Nodes.DirectoryNode): Effect.Effect<void, Failed> => {
    if (node.ignored !== null || (entries <= limits.maxEntries && bytes + unreadBytes <= limits.maxBytes))
      return Effect.void
    return Effect.fail(
      entries > limits.maxEntries
        ? Failures.tooLarge(`the workspace has more than ${limits.maxEntries} files and directories`)
        : Failures.tooLarge(`the workspace has more than ${Math.round(limits.maxBytes / 1024 ** 2)} MiB`)
    )
  }

  /**
   * Removes a directory from the index completely, because git ignores it and it is too large, or because it cannot be
   * read.
   */
  const exclude = (node: Nodes.DirectoryNode, reason: TreeObject.Exclusion): void => {
    const { parent } = node
    if (parent === null) return
    const opened = Directories.openChain(root, Nodes.segmentsOf(parent))
    if (opened === null) return
    const stats = Directories.look(opened.directory.prefix + node.name)
    opened.close()
    put(parent, node.name, stats === null ? null : Nodes.excluded(reason, stats, node.ignored !== null))
  }

  /** Checks stale names of the node, then the directories found by that check. */
  const visit = Effect.fnUntraced(function* (
    first: Nodes.DirectoryNode,
    isFull: boolean
  ): Effect.fn.Return<void, Failed> {
    const pending = [first]
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (!Nodes.isThere(node)) continue
      const below = new Set<Nodes.DirectoryNode>()
      if (node.isResumed) yield* resume(node)
      if (isFull) pace.spend(compare(node, root.path))
      const hasWork = node.stale === "all" || node.stale.size > 0
      if (hasWork && !(yield* refresh(node, below))) {
        if (node.parent === null) return yield* Failures.unreadable(new Error("its root cannot be opened"))
        exclude(node, "unreadable")
        continue
      }
      if (node.watch === null) isWatched = false
      if (node.ignored !== null && isTooMuch(node.ignored)) {
        exclude(Nodes.ignoredTopOf(node), "ignored by git")
        continue
      }
      if (isFull) {
        for (const child of node.children.values()) if (child.kind === "directory") below.add(child)
      }
      for (const child of below) if (isFull || child.stale === "all" || child.stale.size > 0) pending.push(child)
      if (pace.spend(1)) yield* Pace.nextTurn
    }
  })

  const lookAtAll = Effect.gen(function* () {
    watches?.reset()
    isWatched = watches !== null
    isLookingAtAll = true
    lookedAtMillis = nowMillis
    yield* Effect.ensuring(
      visit(top, true),
      Effect.sync(() => {
        isLookingAtAll = false
      })
    )
  })

  const markLinked = (node: Nodes.DirectoryNode): void => {
    for (const [name, child] of node.children) {
      if (child.kind === "directory") markLinked(child)
      else if (linked.has(child.seen.ino)) report(node)(name, false)
    }
  }

  const lookAtStale = Effect.gen(function* () {
    for (let seen = -1; seen !== linked.size;) {
      seen = linked.size
      if (seen > 0) markLinked(top)
      // A directory that is reported during this update is checked after the others.
      for (const node of stale) yield* visit(node, false)
    }
  })

  const header = hash("sha256", JSON.stringify([options.rulesAbove, inner, limits]), "base64url")

  return {
    load: (saved) => {
      const children = SavedIndex.decode(saved, header, top)
      if (children === null) return
      for (const [name, node] of children) top.children.set(name, node)
      top.stale = "all"
      Nodes.tally(top, count)
    },
    save: () => SavedIndex.encode(top, header),
    isRestorable: (segments) => Trees.isRestorable(top, segments),
    update: Effect.gen(function* () {
      nowMillis = yield* Clock.currentTimeMillis
      unread.clear()
      unreadBytes = 0
      // Reports that arrive while this waits may show that a full check is needed.
      const isQuick = watches !== null && (yield* watches.settle) && isWatched
      if (isQuick) yield* lookAtStale
      if (!isQuick || !isWatched) yield* lookAtAll
      yield* readNew
      return yield* Trees.make(store, pace, top)
    }).pipe(
      // The index may be incomplete after an interruption.
      Effect.onError(() =>
        Effect.sync(() => {
          isWatched = false
        })
      )
    ),
    lookedAtMillis: () => lookedAtMillis,
    distrust: () => {
      isWatched = false
    },
    verify: () => {
      Trees.forget(top, store)
      // A full check finds missed changes.
      isWatched = false
    },
    close: () => Nodes.release(top)
  }
}

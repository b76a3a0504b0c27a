/**
 * Plans the steps that restore a workspace to its state before some calls. Only the changes of those calls are
 * reverted: other changes of other paths stay, and other changes of the same paths are conflicts.
 */
import type { ReadTree } from "./TreeDiff.ts"
import * as TreeDiff from "./TreeDiff.ts"
import { type Entry, type ExcludedEntry, type Exclusion, isSame } from "./TreeObject.ts"

/**
 * The states around one call; `after` null: it is not recorded, such as after a kill, and all changes up to the next call
 * count as the call's.
 */
export interface Change {
  readonly before: string
  readonly after: string | null
}

export interface Step {
  readonly segments: ReadonlyArray<string>
  /** The current entry; null: there is none. */
  readonly from: Entry | null
  readonly to: Entry | null
}

export interface Plan {
  readonly steps: ReadonlyArray<Step>
  /** Paths that another program or a user has changed since. */
  readonly conflicts: ReadonlyArray<ReadonlyArray<string>>
  /** Paths that stay unchanged, because no snapshot has their earlier content or their current content. */
  readonly lost: ReadonlyArray<{ readonly segments: ReadonlyArray<string>; readonly reason: Exclusion }>
}

interface PathStates {
  readonly segments: ReadonlyArray<string>
  readonly original: Entry | null
  last: Entry | null
  /** True: the path was changed between two calls by another program or a user. */
  isForeign: boolean
}

export interface PlanOptions {
  /** The tree of the current state. */
  readonly now: string
  /** True to also replace entries that are in no snapshot. */
  readonly isForced: boolean
  /** The state from which an interrupted restoration started; null: this is the first attempt. */
  readonly resumedFrom: string | null
}

/** Plans the steps; `changes` are ordered from oldest to newest. Throws if a tree is missing. */
export const make = (read: ReadTree, changes: ReadonlyArray<Change>, options: PlanOptions): Plan => {
  const { isForced, now, resumedFrom } = options
  const places = placesOf(read, changes, now)
  const steps: Array<Step> = []
  const conflicts: Array<ReadonlyArray<string>> = []
  const lost = new Map<string, Plan["lost"][number]>()
  const leave = (segments: ReadonlyArray<string>, { reason }: ExcludedEntry) =>
    lost.set(segments.join("/"), { segments, reason })
  for (const { isForeign, last, original, segments } of places.values()) {
    const present = TreeDiff.lookUp(read, now, segments)
    const above = TreeDiff.excludedAbove(read, now, segments)
    if (above === null && isSame(present, original)) continue
    if (original?.kind === "excluded") {
      leave(segments, original)
      continue
    }
    const from = above?.entry ?? present
    const closed = above?.segments ?? segments
    // A redo could not restore the current content.
    const isKept = from?.kind === "excluded" && !hasNoContent(from, places.get(closed.join("/"))?.original ?? null)
    if (isKept && !isForced) {
      leave(closed, from)
      continue
    }
    const isOurs =
      resumedFrom === null
        ? isSame(present, last)
        : isSame(TreeDiff.lookUp(read, resumedFrom, segments), last) &&
          (isSame(present, last) || isPartlyRestored(present, { original, last }))
    if (isForeign || !isOurs) conflicts.push(segments)
    steps.push({ segments, from, to: original })
  }
  const blocked = blockingSteps(read, steps)
  const above = missingAbove(read, steps, { now, changes })
  const opened = resumedFrom === null ? [] : reopenedSteps(read, steps, { now, resumedFrom })
  return {
    steps: [...steps, ...above, ...blocked, ...opened],
    conflicts: [...conflicts, ...blocked.map(({ segments }) => segments)],
    lost: [...lost.values()]
  }
}

/**
 * Returns true if an unfinished restoration may have left a path in this state: removed, or as a directory that is
 * still writable for its owner. Both states are compared, because the restoration may have been an undo or a redo.
 */
const isPartlyRestored = (from: Entry | null, { last, original }: Pick<PathStates, "original" | "last">): boolean =>
  from === null || (from.kind === "directory" && (original?.kind === "directory" || last?.kind === "directory"))

/**
 * Returns the directories above restored entries that are missing, because another program or a user removed them with
 * the entries: the entries themselves are the conflicts.
 */
const missingAbove = (
  read: ReadTree,
  steps: ReadonlyArray<Step>,
  { changes, now }: { readonly now: string; readonly changes: ReadonlyArray<Change> }
): ReadonlyArray<Step> => {
  const planned = new Set(steps.map(({ segments }) => segments.join("/")))
  return steps
    .filter(({ from, to }) => from === null && to !== null)
    .flatMap(({ segments }) => segments.slice(1).map((_, index) => segments.slice(0, index + 1)))
    .flatMap((segments): ReadonlyArray<Step> => {
      const key = segments.join("/")
      if (planned.has(key) || TreeDiff.lookUp(read, now, segments) !== null) return []
      planned.add(key)
      const to = changes
        .map(({ before }) => TreeDiff.lookUp(read, before, segments))
        .find((entry) => entry?.kind === "directory")
      return to === undefined ? [] : [{ segments, from: null, to }]
    })
}

const ownerMode = 0o700

/** Returns the directories that an interrupted restoration made writable and did not make read-only again. */
const reopenedSteps = (
  read: ReadTree,
  steps: ReadonlyArray<Step>,
  { now, resumedFrom }: { readonly now: string; readonly resumedFrom: string }
): ReadonlyArray<Step> => {
  const planned = new Set(steps.map(({ segments }) => segments.join("/")))
  const above = new Map(steps.map(({ segments }) => [segments.slice(0, -1).join("/"), segments.slice(0, -1)]))
  return [...above].flatMap(([key, segments]): ReadonlyArray<Step> => {
    const from = TreeDiff.lookUp(read, now, segments)
    const to = TreeDiff.lookUp(read, resumedFrom, segments)
    const isOpened =
      from?.kind === "directory" &&
      to?.kind === "directory" &&
      from.mode !== to.mode &&
      from.mode === (to.mode | ownerMode)
    return isOpened && !planned.has(key) ? [{ segments, from, to }] : []
  })
}

/**
 * True for an entry that an undo replaces without loss: a FIFO or socket in the place of a recorded entry, or a
 * directory that a call made unwritable for its owner and that is made writable again.
 */
const hasNoContent = ({ reason }: ExcludedEntry, original: Entry | null): boolean =>
  (reason === "unreadable" && original?.kind === "directory") || (reason === "special file" && original !== null)

const placesOf = (read: ReadTree, changes: ReadonlyArray<Change>, now: string): ReadonlyMap<string, PathStates> => {
  const places = new Map<string, PathStates>()
  changes.forEach(({ after, before }, index) => {
    const end = after ?? changes[index + 1]?.before ?? now
    // The known state of a path has to be valid when the next call begins.
    for (const place of places.values()) {
      if (!place.isForeign && !isSame(TreeDiff.lookUp(read, before, place.segments), place.last)) place.isForeign = true
    }
    for (const { from, segments, to } of TreeDiff.differences(read, before, end)) {
      const key = segments.join("/")
      const known = places.get(key)
      if (known === undefined) places.set(key, { segments, original: from, last: to, isForeign: false })
      else known.last = to
    }
  })
  return places
}

/** Finds the entries in a directory that must make room for another entry, except for those that a step removes. */
const blockingSteps = (read: ReadTree, steps: ReadonlyArray<Step>): ReadonlyArray<Step> => {
  const planned = new Set(steps.map(({ segments }) => segments.join("/")))
  return steps
    .filter(({ from, to }) => from?.kind === "directory" && to !== null && to.kind !== "directory")
    .flatMap(({ from, segments }) =>
      (from?.kind === "directory" ? TreeDiff.allEntries(read, from.id) : [])
        .map((found) => ({ segments: [...segments, ...found.segments], from: found.to, to: null }))
        .filter(({ segments: place }) => !planned.has(place.join("/")))
    )
}

/** Undo, redo and differences of the changes that a session's calls made. */
import { Snapshots } from "@bough/tool"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as AppliedTree from "./internal/AppliedTree.ts"
import * as ByteName from "./internal/ByteName.ts"
import type { Engine, OpenSnapshots, TakeSnapshot } from "./internal/Engine.ts"
import * as Failures from "./internal/Failures.ts"
import { ObjectMissing, pack } from "./internal/ObjectStore.ts"
import * as Plan from "./internal/Plan.ts"
import * as Restorations from "./internal/Restorations.ts"
import * as Restore from "./internal/Restore.ts"
import * as TreeDiff from "./internal/TreeDiff.ts"
import type * as TreeObject from "./internal/TreeObject.ts"

/** The undo would overwrite files that another program or the user changed since. No file was restored. */
export class FilesChanged extends Schema.TaggedError<FilesChanged>()("FilesChanged", {
  /** The paths, at most a hundred. */
  paths: Schema.Array(Schema.String),
  count: Schema.Natural
}) {}

/** The session has no change to undo or redo. */
export class NothingToRestore extends Schema.TaggedError<NothingToRestore>()("NothingToRestore", {}) {}

/**
 * The needed snapshots are missing: they were deleted because of their age, or the store was removed. No file was
 * changed.
 */
export class SnapshotsMissing extends Schema.TaggedError<SnapshotsMissing>()("SnapshotsMissing", {}) {}

/** Some paths could not be restored; the others were. Retry once the cause is removed. */
export class RestoreIncomplete extends Schema.TaggedError<RestoreIncomplete>()("RestoreIncomplete", {
  faults: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })),
  restored: Schema.Natural
}) {}

export type UndoError =
  | FilesChanged
  | NothingToRestore
  | SnapshotsMissing
  | RestoreIncomplete
  | Snapshots.SnapshotFailed

/** The states around one call. `commit` orders the calls of a session and its descendants. */
export interface CallChange {
  readonly turn: number
  readonly commit: number
  readonly before: string
  /** Null: the call was cut off. */
  readonly after: string | null
}

export interface UndoResult {
  /** The turn before which the files were restored, or after which a redo restored them. */
  readonly turn: number
  /** Paths below the root, sorted. */
  readonly written: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  /** Paths that stay unchanged, because no snapshot has their content. */
  readonly lost: ReadonlyArray<{ readonly path: string; readonly reason: string }>
}

/** A file before and after; null: the file is missing, or the entry is neither a file nor a link. */
export interface FileChange {
  readonly path: string
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
  /** A change other than of the content, such as another mode; null: there is none. */
  readonly note: string | null
}

export interface UndoOptions {
  readonly session: string
  /** The calls of the session and its descendants, oldest first. */
  readonly calls: ReadonlyArray<CallChange>
  /** The turn before which the files are restored; null: the last turn that changed files. */
  readonly turn: number | null
  /**
   * True to overwrite files that another program or a user changed since. Their previous state is kept in a snapshot.
   */
  readonly isForced: boolean
  /** The time that identifies the undo for `redo`; default: now. */
  readonly atMillis?: number
  /** The session that can redo the undo, such as a fork; the calls then do not count as undone. Default: `session`. */
  readonly redoneBy?: string
}

/** A part of the changed files, in the order of their paths. */
export interface DiffPage {
  readonly skip: number
  readonly limit: number
}

export interface DiffOptions extends Omit<UndoOptions, "isForced" | "atMillis" | "redoneBy"> {
  /** Default: all of them. The contents of other files are not read. */
  readonly page?: DiffPage
}

export interface Undo {
  readonly undo: (options: UndoOptions) => Effect.Effect<UndoResult, UndoError>
  readonly redo: (options: Pick<UndoOptions, "session" | "isForced">) => Effect.Effect<UndoResult, UndoError>
  /** Fails in the cases in which `undo` fails before any change. */
  readonly check: (options: UndoOptions) => Effect.Effect<void, UndoError>
  /** Returns the time of the undo that `redo` would revert; null: there is none. */
  readonly lastUndo: (options: Pick<UndoOptions, "session">) => Effect.Effect<number | null, UndoError>
  /** Returns the changes that `undo` would revert. */
  readonly diff: (options: DiffOptions) => Effect.Effect<ReadonlyArray<FileChange>, UndoError>
  /** The turns that changed files and were not undone, oldest first. */
  readonly turns: (options: Pick<UndoOptions, "session" | "calls">) => Effect.Effect<ReadonlyArray<number>, UndoError>
}

export const make = (engine: Engine): Undo => ({
  undo: (options) => engine.use((opened, take) => undo({ opened, take }, options)),
  redo: (options) => engine.use((opened, take) => redo({ opened, take }, options)),
  check: (options) => engine.use((opened, take) => Effect.asVoid(makePlan({ opened, take }, options))),
  lastUndo: ({ session }) =>
    engine.use((opened) => Failures.onStore(() => Restorations.redoable(opened, session)?.madeAtMillis ?? null)),
  diff: (options) => engine.use((opened, take) => diff({ opened, take }, options)),
  turns: (options) =>
    engine.use((opened) =>
      attemptRead(() => [
        ...new Set(
          activeCalls(opened, options)
            .filter(isChange)
            .map(({ turn }) => turn)
        )
      ])
    )
})

interface UndoPosition {
  readonly opened: OpenSnapshots
  readonly take: TakeSnapshot
}

/** A number below those of all commits. */
const noCommit = -1

/** Plans the undo without changing anything. */
const makePlan = Effect.fnUntraced(function* (at: UndoPosition, options: UndoOptions) {
  const { opened, take } = at
  const { calls, turn } = yield* attemptRead(() => callsOf(opened, options))
  const now = yield* take(true)
  const session = options.redoneBy ?? options.session
  // Commits are numbered per tree, so the numbers of another session's calls would hide calls of this session.
  const throughCommit = session === options.session ? (calls.at(-1)?.commit ?? 0) : noCommit
  const earlier = yield* Failures.onStore(() => Restorations.findUnfinished(opened, { session, turn, throughCommit }))
  const resumedFrom = earlier?.fromTree ?? null
  const plan = yield* planOf(opened, calls, { now, isForced: options.isForced, resumedFrom })
  return { calls, plan, session, turn, now, throughCommit, earlier }
})

const undo = Effect.fnUntraced(function* (
  at: UndoPosition,
  options: UndoOptions
): Effect.fn.Return<UndoResult, UndoError> {
  const { calls, earlier, now, plan, session, throughCommit, turn } = yield* makePlan(at, options)
  const { opened } = at
  const atMillis = options.atMillis ?? (yield* Clock.currentTimeMillis)
  const fromTree =
    earlier === undefined || plan.conflicts.length === 0
      ? (earlier?.fromTree ?? now)
      : yield* overwriting(at, earlier, plan)
  // A resumed restoration is one restoration with its first attempt, and later changes of others are not part of it.
  const { steps } =
    earlier === undefined
      ? plan
      : yield* attemptRead(() =>
          Plan.make(opened.store.tree, calls, { now: fromTree, isForced: options.isForced, resumedFrom: null })
        )
  // Recorded before the first change, so that a redo can return from an undo that was killed.
  const leadsTo = yield* record(at, fromTree, steps)
  const number = yield* Failures.onStore(() =>
    earlier === undefined
      ? Restorations.begin(opened, { session, turn, throughCommit, fromTree, toTree: leadsTo, atMillis })
      : Restorations.mark(opened, earlier.number, { state: "Started", toTree: leadsTo })
  )
  const { faults, restored } = yield* apply(at, { plan, turn, number, fromTree, toTree: leadsTo })
  const failed = new Set(faults.map(({ segments }) => segments.join("/")))
  const done = steps.filter(({ segments }) => !failed.has(segments.join("/")))
  const toTree = faults.length > 0 ? yield* record(at, fromTree, done) : leadsTo
  const state = faults.length > 0 ? "Started" : "Done"
  yield* Failures.onStore(() => Restorations.mark(opened, number, { state, toTree }))
  return faults.length > 0 ? yield* incomplete(plan, faults) : restored
})

const redo = Effect.fnUntraced(function* (
  at: UndoPosition,
  { isForced, session }: Pick<UndoOptions, "session" | "isForced">
): Effect.fn.Return<UndoResult, UndoError> {
  const { opened, take } = at
  const last = yield* Failures.onStore(() => Restorations.redoable(opened, session))
  if (last === undefined || last.toTree === null) return yield* new NothingToRestore()
  const now = yield* take(true)
  const change = { before: last.fromTree, after: last.toTree }
  // An interrupted undo or redo is between the two states.
  const { number, toTree, turn } = last
  const plan = yield* planOf(opened, [change], { now, isForced, resumedFrom: toTree })
  // From here on, an undo returns to the state before the redo.
  yield* Failures.onStore(() => Restorations.mark(opened, number, { state: "Redoing", toTree }))
  const { faults, restored } = yield* apply(at, { plan, turn, number, fromTree: last.fromTree, toTree })
  if (faults.length > 0) return yield* incomplete(plan, faults)
  yield* Failures.onStore(() => Restorations.mark(opened, number, { state: "Redone", toTree }))
  return restored
})

const diff = Effect.fnUntraced(function* (
  { opened, take }: UndoPosition,
  options: DiffOptions
): Effect.fn.Return<ReadonlyArray<FileChange>, UndoError> {
  const { limit, skip } = options.page ?? { skip: 0, limit: Number.POSITIVE_INFINITY }
  const { calls } = yield* attemptRead(() => callsOf(opened, options))
  const { store } = opened
  const now = calls.at(-1)?.after ?? (yield* take(false))
  return yield* attemptRead(() => {
    const { steps } = Plan.make(store.tree, calls, { now, isForced: true, resumedFrom: null })
    return steps
      .toSorted(byPlace)
      .slice(skip, skip + limit)
      .flatMap(({ from, segments, to }): ReadonlyArray<FileChange> => {
        const path = ByteName.toText(segments.join("/"))
        return [{ path, before: contentOf(opened, to), after: contentOf(opened, from), note: noteOf(to, from) }]
      })
  })
})

const contentOf = ({ store }: OpenSnapshots, entry: TreeObject.Entry | null): Uint8Array | null => {
  if (entry?.kind === "link") return Buffer.from(`${entry.target}\n`, "latin1")
  return entry?.kind === "file" ? store.content(entry.id) : null
}

const noteOf = (before: TreeObject.Entry | null, after: TreeObject.Entry | null): string | null => {
  const words = (entry: TreeObject.Entry | null): string =>
    entry === null
      ? "nothing"
      : entry.kind === "link"
        ? "a link"
        : entry.kind === "excluded"
          ? `a file in no snapshot (${entry.reason})`
          : `a ${entry.kind} of mode ${entry.mode.toString(8).padStart(3, "0")}`
  const isPlain = (entry: TreeObject.Entry | null) => entry === null || entry.kind === "file"
  const isSameMode = before?.kind === "file" && after?.kind === "file" && before.mode === after.mode
  return isPlain(before) && isPlain(after) && (before === null || after === null || isSameMode)
    ? null
    : `${words(before)} → ${words(after)}`
}

/** Returns the calls from a turn on that were not undone, and the turn. */
const callsOf = (
  opened: OpenSnapshots,
  options: Omit<UndoOptions, "isForced">
): { readonly calls: ReadonlyArray<CallChange>; readonly turn: number } => {
  const active = activeCalls(opened, options)
  const turn = options.turn ?? active.findLast(isChange)?.turn
  const calls = turn === undefined ? [] : active.filter((call) => call.turn >= turn)
  if (turn === undefined || !calls.some(isChange)) throw new NothingToRestore()
  return { calls, turn }
}

const isChange = ({ after, before }: CallChange): boolean => before !== after

/** Returns the active calls: a restoration reverts the calls before it, and later calls are new. */
const activeCalls = (
  opened: OpenSnapshots,
  { calls, session }: Pick<UndoOptions, "calls" | "session">
): ReadonlyArray<CallChange> => {
  const undone = Restorations.forSession(opened, session).filter(({ state }) => state === "Done")
  return calls.filter(({ commit, turn }) => !undone.some((made) => turn >= made.turn && commit <= made.throughCommit))
}

const maxNamed = 100

const planOf = Effect.fnUntraced(function* (
  { store }: OpenSnapshots,
  changes: ReadonlyArray<Plan.Change>,
  options: Plan.PlanOptions
): Effect.fn.Return<Plan.Plan, UndoError> {
  const plan = yield* attemptRead(() => {
    const undoPlan = Plan.make(store.tree, changes, options)
    for (const { to } of undoPlan.steps) {
      if (to?.kind === "file" && !store.has(to.id)) throw new ObjectMissing(to.id)
    }
    return undoPlan
  })
  const { conflicts } = plan
  return conflicts.length === 0 || options.isForced
    ? plan
    : yield* new FilesChanged({
        paths: conflicts.slice(0, maxNamed).map((segments) => ByteName.toText(segments.join("/"))),
        count: conflicts.length
      })
})

interface ApplyContext extends Pick<Restorations.Restoration, "number" | "turn" | "fromTree"> {
  readonly plan: Plan.Plan
  readonly toTree: string
}

interface AppliedUndo {
  readonly faults: ReadonlyArray<Restore.Fault>
  readonly restored: UndoResult
}

const apply = Effect.fnUntraced(function* (
  { opened, take }: UndoPosition,
  { fromTree, number, plan, toTree, turn }: ApplyContext
): Effect.fn.Return<AppliedUndo, UndoError> {
  const { root, store } = opened
  if (!root.isSafe) {
    return yield* new Snapshots.SnapshotFailed({
      reason: "Unreadable",
      message: "this platform has no working directory handles, so nothing is restored"
    })
  }
  const secret = yield* Failures.onStore(() => Restorations.secretOf(opened, number))
  const allDifferences = yield* attemptRead(() => TreeDiff.differences(store.tree, fromTree, toTree))
  const places = [...allDifferences, ...plan.steps].map(({ segments }) => segments)
  const faults = yield* Effect.uninterruptible(Restore.apply({ root, store, secret, places }, plan.steps))
  yield* take(true)
  const named = plan.steps.filter(({ from, to }) => !(from?.kind === "directory" && to?.kind === "directory"))
  const pathsOf = (steps: ReadonlyArray<Plan.Step>) =>
    steps.toSorted(byPlace).map(({ segments }) => ByteName.toText(segments.join("/")))
  const restored: UndoResult = {
    turn,
    written: pathsOf(named.filter(({ to }) => to !== null)),
    removed: pathsOf(named.filter(({ to }) => to === null)),
    lost: plan.lost.map(({ reason, segments }) => ({ path: ByteName.toText(segments.join("/")), reason }))
  }
  return { faults, restored }
})

const incomplete = ({ steps }: Plan.Plan, faults: ReadonlyArray<Restore.Fault>): RestoreIncomplete =>
  new RestoreIncomplete({
    faults: faults.map(({ message, segments }) => ({ path: ByteName.toText(segments.join("/")), message })),
    restored: Math.max(0, steps.length - faults.length)
  })

const maxAttempts = 3

/**
 * Records the state to which the steps lead, and returns the name of its tree. Changes that others made meanwhile are not
 * part of it.
 */
const record = Effect.fnUntraced(function* (
  { opened: { store }, take }: UndoPosition,
  fromTree: string,
  steps: AppliedTree.Steps
): Effect.fn.Return<string, UndoError> {
  const atMillis = yield* Clock.currentTimeMillis
  for (let attempt = 1; ; attempt++) {
    const present = yield* take(true)
    const appliedTree = yield* attemptRead(() => AppliedTree.make(store.tree, fromTree, steps))
    // Another process may collect objects again and again.
    if (appliedTree.id === present || attempt > maxAttempts) return present
    const isWritten = yield* Failures.onStore(() => {
      for (const [id, content] of appliedTree.trees) if (!store.has(id)) store.put(id, pack(content))
      return store.commit({ tree: appliedTree.id, atMillis, isDurable: true })
    })
    if (isWritten) return appliedTree.id
  }
})

/**
 * Adds the present entries that a forced second attempt overwrites to the state from which the restoration began, so
 * that a redo returns to them.
 */
const overwriting = Effect.fnUntraced(function* (
  at: UndoPosition,
  { fromTree, number }: Restorations.Restoration,
  { conflicts, steps }: Plan.Plan
): Effect.fn.Return<string, UndoError> {
  const inConflict = new Set(conflicts.map((segments) => segments.join("/")))
  const present = steps
    .filter(({ segments }) => inConflict.has(segments.join("/")))
    .map(({ from, segments }) => ({ segments, to: from }))
  const tree = yield* record(at, fromTree, present)
  yield* Failures.onStore(() => Restorations.startFrom(at.opened, number, tree))
  return tree
})

const byPlace = (a: Plan.Step, b: Plan.Step): number => ByteName.byBytes(a.segments.join("/"), b.segments.join("/"))

/** Runs work on stored trees that may throw. */
const attemptRead = <A>(work: () => A): Effect.Effect<A, UndoError> =>
  Effect.try({
    try: work,
    catch: (cause) =>
      cause instanceof NothingToRestore
        ? cause
        : cause instanceof ObjectMissing
          ? new SnapshotsMissing()
          : Failures.storeFailed(cause)
  })

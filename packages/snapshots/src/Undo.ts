/** Undo, redo and differences of the changes that a session's calls made. */
import { Snapshots } from "@bough/tool"
import { randomBytes } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ByteName from "./internal/ByteName.ts"
import type { Engine, OpenSnapshots, Take } from "./internal/Engine.ts"
import * as Failures from "./internal/Failures.ts"
import { ObjectMissing } from "./internal/ObjectStore.ts"
import * as Plan from "./internal/Plan.ts"
import * as Restore from "./internal/Restore.ts"
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

export interface Restored {
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
  readonly undo: (options: UndoOptions) => Effect.Effect<Restored, UndoError>
  readonly redo: (options: Pick<UndoOptions, "session" | "isForced">) => Effect.Effect<Restored, UndoError>
  /** Fails in the cases in which `undo` fails before any change. */
  readonly check: (options: UndoOptions) => Effect.Effect<void, UndoError>
  /** Returns the time of the undo that `redo` would revert; null: there is none. */
  readonly lastUndo: (options: Pick<UndoOptions, "session">) => Effect.Effect<number | null, UndoError>
  /** Returns the changes that `undo` would revert. */
  readonly diff: (options: DiffOptions) => Effect.Effect<ReadonlyArray<FileChange>, UndoError>
  /** The turns that changed files and were not undone, oldest first. */
  readonly turns: (options: Pick<UndoOptions, "session" | "calls">) => Effect.Effect<ReadonlyArray<number>, UndoError>
}

interface Restoration {
  readonly number: number
  readonly turn: number
  readonly throughCommit: number
  readonly fromTree: string
  readonly toTree: string | null
  readonly madeAtMillis: number
  readonly state: "Started" | "Done" | "Redone"
}

export const make = (engine: Engine): Undo => ({
  undo: (options) => engine.use((opened, take) => undo({ opened, take }, options)),
  redo: (options) => engine.use((opened, take) => redo({ opened, take }, options)),
  check: (options) => engine.use((opened, take) => Effect.asVoid(planned({ opened, take }, options))),
  lastUndo: ({ session }) =>
    engine.use((opened) => Failures.onStore(() => lastDone(opened, session)?.madeAtMillis ?? null)),
  diff: (options) => engine.use((opened, take) => diff({ opened, take }, options)),
  turns: (options) =>
    engine.use((opened) =>
      reading(() => [
        ...new Set(
          activeCalls(opened, options)
            .filter(isChange)
            .map(({ turn }) => turn)
        )
      ])
    )
})

interface At {
  readonly opened: OpenSnapshots
  readonly take: Take
}

/** A number below those of all commits. */
const noCommit = -1

/** Plans the undo without changing anything. */
const planned = Effect.fnUntraced(function* (at: At, options: UndoOptions) {
  const { opened, take } = at
  const { calls, turn } = yield* reading(() => callsOf(opened, options))
  const now = yield* take(true)
  const session = options.redoneBy ?? options.session
  // Commits are numbered per tree, so the numbers of another session's calls would hide calls of this session.
  const throughCommit = session === options.session ? (calls.at(-1)?.commit ?? 0) : noCommit
  const earlier = yield* Failures.onStore(() => unfinished(opened, { session, turn, throughCommit }))
  const resumedFrom = earlier?.fromTree ?? null
  const plan = yield* planOf(opened, calls, { now, isForced: options.isForced, resumedFrom })
  return { plan, session, turn, now, throughCommit, earlier }
})

const undo = Effect.fnUntraced(function* (at: At, options: UndoOptions): Effect.fn.Return<Restored, UndoError> {
  const { earlier, now, plan, session, throughCommit, turn } = yield* planned(at, options)
  const atMillis = options.atMillis ?? (yield* Clock.currentTimeMillis)
  const number =
    earlier?.number ??
    (yield* Failures.onStore(() => begin(at.opened, { session, turn, throughCommit, fromTree: now, atMillis })))
  return yield* apply(at, { plan, turn, number, done: "Done" })
})

const lastDone = (opened: OpenSnapshots, session: string): Restoration | undefined =>
  restorationsOf(opened, session).findLast(({ state }) => state === "Done")

const redo = Effect.fnUntraced(function* (
  at: At,
  { isForced, session }: Pick<UndoOptions, "session" | "isForced">
): Effect.fn.Return<Restored, UndoError> {
  const { opened, take } = at
  const last = yield* Failures.onStore(() => lastDone(opened, session))
  if (last === undefined || last.toTree === null) return yield* new NothingToRestore()
  const now = yield* take(true)
  const change = { before: last.fromTree, after: last.toTree }
  // An interrupted redo is between the two states.
  const plan = yield* planOf(opened, [change], { now, isForced, resumedFrom: last.toTree })
  return yield* apply(at, { plan, turn: last.turn, number: last.number, done: "Redone" })
})

const diff = Effect.fnUntraced(function* (
  { opened, take }: At,
  options: DiffOptions
): Effect.fn.Return<ReadonlyArray<FileChange>, UndoError> {
  const { limit, skip } = options.page ?? { skip: 0, limit: Number.POSITIVE_INFINITY }
  const { calls } = yield* reading(() => callsOf(opened, options))
  const { store } = opened
  const now = calls.at(-1)?.after ?? (yield* take(false))
  return yield* reading(() => {
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
  const undone = restorationsOf(opened, session).filter(({ state }) => state === "Done")
  return calls.filter(({ commit, turn }) => !undone.some((made) => turn >= made.turn && commit <= made.throughCommit))
}

const restorationsOf = ({ store }: OpenSnapshots, session: string): ReadonlyArray<Restoration> =>
  store.database
    .all("SELECT * FROM restoration WHERE session = ? ORDER BY number", session)
    .map((row) => row as unknown as Restoration)

type Beginning = Pick<Restoration, "turn" | "throughCommit" | "fromTree"> & {
  readonly session: string
  readonly atMillis: number
}

/** Returns an undo of the same calls that a killed process had begun; it is continued from its first state. */
const unfinished = (
  opened: OpenSnapshots,
  { session, throughCommit, turn }: Pick<Beginning, "session" | "turn" | "throughCommit">
): Restoration | undefined =>
  restorationsOf(opened, session).findLast(
    (made) => made.state === "Started" && made.turn === turn && made.throughCommit === throughCommit
  )

const begin = (
  { store: { database } }: OpenSnapshots,
  { atMillis, fromTree, session, throughCommit, turn }: Beginning
) =>
  database.transact(true, () => {
    database.run(
      "INSERT INTO restoration (session, turn, throughCommit, fromTree, toTree, madeAtMillis, state) VALUES (?, ?, ?, ?, NULL, ?, 'Started')",
      session,
      turn,
      throughCommit,
      fromTree,
      atMillis
    )
    return Number(database.get("SELECT last_insert_rowid() AS number")?.["number"])
  })

const maxNamed = 100

const planOf = Effect.fnUntraced(function* (
  { store }: OpenSnapshots,
  changes: ReadonlyArray<Plan.Change>,
  options: Plan.PlanOptions
): Effect.fn.Return<Plan.Plan, UndoError> {
  const plan = yield* reading(() => {
    const made = Plan.make(store.tree, changes, options)
    for (const { to } of made.steps) {
      if (to?.kind === "file" && !store.has(to.id)) throw new ObjectMissing(to.id)
    }
    return made
  })
  const { conflicts } = plan
  return conflicts.length === 0 || options.isForced
    ? plan
    : yield* new FilesChanged({
        paths: conflicts.slice(0, maxNamed).map((segments) => ByteName.toText(segments.join("/"))),
        count: conflicts.length
      })
})

interface Applying {
  readonly plan: Plan.Plan
  readonly turn: number
  readonly number: number
  readonly done: "Done" | "Redone"
}

const apply = Effect.fnUntraced(function* (
  { opened, take }: At,
  { done, number, plan, turn }: Applying
): Effect.fn.Return<Restored, UndoError> {
  const { root, store } = opened
  if (!root.isSafe) {
    return yield* new Snapshots.SnapshotFailed({
      reason: "Unreadable",
      message: "this platform has no working directory handles, so nothing is restored"
    })
  }
  const secret = yield* Failures.onStore(() => secretOf(opened, number))
  const faults = yield* Effect.uninterruptible(Restore.apply({ root, store, secret }, plan.steps))
  const toTree = yield* take(true)
  if (faults.length > 0) {
    return yield* new RestoreIncomplete({
      faults: faults.map(({ message, segments }) => ({ path: ByteName.toText(segments.join("/")), message })),
      restored: Math.max(0, plan.steps.length - faults.length)
    })
  }
  yield* Failures.onStore(() =>
    store.database.transact(true, () =>
      done === "Done"
        ? store.database.run("UPDATE restoration SET state = 'Done', toTree = ? WHERE number = ?", toTree, number)
        : store.database.run("UPDATE restoration SET state = 'Redone' WHERE number = ?", number)
    )
  )
  const named = plan.steps.filter(({ from, to }) => !(from?.kind === "directory" && to?.kind === "directory"))
  const pathsOf = (steps: ReadonlyArray<Plan.Step>) =>
    steps.toSorted(byPlace).map(({ segments }) => ByteName.toText(segments.join("/")))
  return {
    turn,
    written: pathsOf(named.filter(({ to }) => to !== null)),
    removed: pathsOf(named.filter(({ to }) => to === null)),
    lost: plan.lost.map(({ reason, segments }) => ({ path: ByteName.toText(segments.join("/")), reason }))
  }
})

const byPlace = (a: Plan.Step, b: Plan.Step): number => ByteName.byBytes(a.segments.join("/"), b.segments.join("/"))

/**
 * Returns the seed of the names of temporary files: it is unpredictable, and the same for every attempt at one
 * restoration.
 */
const secretOf = ({ store: { database } }: OpenSnapshots, number: number): string => {
  const name = `restoration-${number}`
  // The write is durable, so that after a power cut the next attempt finds the temporary files of this one.
  database.transact(true, () =>
    database.run("INSERT OR IGNORE INTO fact VALUES (?, ?)", name, randomBytes(16).toString("hex"))
  )
  return String(database.get("SELECT value FROM fact WHERE name = ?", name)?.["value"])
}

/** Runs work on stored trees that may throw. */
const reading = <A>(work: () => A): Effect.Effect<A, UndoError> =>
  Effect.try({
    try: work,
    catch: (cause) =>
      cause instanceof NothingToRestore
        ? cause
        : cause instanceof ObjectMissing
          ? new SnapshotsMissing()
          : Failures.storeFailed(cause)
  })

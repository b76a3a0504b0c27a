/** Undo, redo and differences of the changes that a conversation made in its workspace. */
import type { Session } from "@bough/protocol"
import { SessionStore, WorkspaceChanges } from "@bough/runtime"
import type { Undo, WorkspaceSnapshots } from "@bough/snapshots"
import * as Effect from "effect/Effect"
import type { Settings } from "../config/Settings.ts"
import { failed, type HostFailure, invalid, withNextStep } from "../HostFailure.ts"
import * as FindSession from "./FindSession.ts"
import * as SessionSnapshots from "./SessionSnapshots.ts"

/** A conversation with its changes and snapshots. */
export interface UndoableSession {
  readonly sessionId: Session.SessionId
  readonly changes: ReadonlyArray<WorkspaceChanges.WorkspaceChange>
  readonly snapshots: WorkspaceSnapshots.WorkspaceSnapshots
}

export type UndoSettings = Pick<Settings, "dataDirectory" | "undo"> & {
  /** The repository or monorepo around a folder; the folder itself if there is neither. */
  readonly workspaceAround: (workspaceRoot: string) => Effect.Effect<string>
}

/** The number of sessions that are searched for changes. */
const searched = 50

/**
 * Opens the named conversation, or else the newest one of the workspace whose calls changed files, until the scope
 * closes.
 */
export const open = Effect.fnUntraced(function* (
  settings: UndoSettings,
  {
    requested: given,
    outside,
    workspaceRoot
  }: {
    readonly requested: string | null
    readonly workspaceRoot: string
    readonly outside: ReadonlyArray<string>
  }
) {
  const found = given === null ? yield* newest(workspaceRoot) : yield* named(given)
  const repositoryRoot = yield* settings.workspaceAround(found.workspaceRoot)
  // Only the store knows a directory that was added for one session.
  const { SnapshotGroup } = yield* Effect.promise(() => import("@bough/snapshots"))
  const states = [...found.changes, ...found.inherited].flatMap(({ after, before }) =>
    after === null ? [before] : [before, after]
  )
  const additionalRoots = SnapshotGroup.rootsIn(SessionSnapshots.directoryIn(settings.dataDirectory), states)
  const snapshots = yield* SessionSnapshots.make(settings, { repositoryRoot, additionalRoots }, outside)
  if (snapshots === null) return yield* invalid("undo is turned off", "", "EnableUndo")
  return { sessionId: found.sessionId, changes: found.changes, snapshots } satisfies UndoableSession
})

const changesOf = Effect.fnUntraced(function* (treeId: Session.SessionId, workspaceRoot: string) {
  const store = yield* SessionStore.SessionStore
  const changes = yield* WorkspaceChanges.read(store, treeId)
  return { sessionId: treeId, workspaceRoot, changes, inherited: yield* originalChanges(store, treeId) }
})

/**
 * Returns the changes of the original session: a fork with files may have changed directories that none of its own
 * calls changed.
 */
const originalChanges = Effect.fnUntraced(function* (
  store: SessionStore.SessionStore["Service"],
  treeId: Session.SessionId
) {
  const openingEntry = (yield* store.entries(treeId, 0, 1)).at(0)?.body
  const origin = openingEntry?._tag === "SessionOpened" ? openingEntry.origin : null
  if (origin?._tag !== "Main" || origin.forkedFrom === null) return []
  const original = yield* Effect.catchTag(store.session(origin.forkedFrom.sessionId), "SessionNotFound", () =>
    Effect.succeed(null)
  )
  return original === null ? [] : yield* WorkspaceChanges.read(store, original.treeId)
})

const named = Effect.fnUntraced(function* (name: string) {
  const store = yield* SessionStore.SessionStore
  const { treeId, workspaceRoot } = yield* store.session(yield* FindSession.byId(name))
  return yield* changesOf(treeId, workspaceRoot)
})

const newest = Effect.fnUntraced(function* (workspaceRoot: string) {
  const store = yield* SessionStore.SessionStore
  let unchanged: Effect.Success<ReturnType<typeof changesOf>> | null = null
  for (const { sessionId } of yield* store.list({ workspaceRoot, limit: searched })) {
    const found = yield* changesOf(sessionId, workspaceRoot)
    if (found.changes.some(({ after, before }) => before !== after)) return found
    if (found.changes.length > 0) unchanged ??= found
  }
  if (unchanged !== null) return unchanged
  return yield* invalid(`no session in ${workspaceRoot} has changed files`, "", "ListSessions")
})

/** Explains an error of a difference, and names another command than the one that failed. */
export const toDiffFailure = (error: Undo.UndoError): HostFailure =>
  error._tag === "NothingToRestore"
    ? invalid("the session has changed no files", "", "ListSessions")
    : toHostFailure(error)

/** Explains an error to the user, with the next command. */
export const toHostFailure = (error: Undo.UndoError): HostFailure => {
  switch (error._tag) {
    case "NothingToRestore":
      return invalid("there is nothing to undo or redo", "", "ShowChanges")
    case "SnapshotsMissing":
      return failed(
        "the workspace states that are needed for this are no longer stored",
        "undo.maxAgeDays and undo.maxStoreMebibytes set how long they are stored",
        error
      )
    case "FilesChanged":
      return failed(
        `changed since by another program or person: ${formatPaths(error.paths, error.count)}; nothing was restored`,
        "add --force to overwrite them; the state before is recorded, and redo returns to it",
        error
      )
    case "RestoreIncomplete":
      return failed(
        `${error.restored} restored, but not ${formatPaths(
          error.faults.map(({ message, path }) => `${path}: ${message}`),
          error.faults.length
        )}`,
        "repeat it after the cause is fixed, or redo to return to the state before",
        error
      )
    case "SnapshotFailed":
      return withNextStep(failed(error.message, "", error), "CheckInstallation")
  }
}

const maxNamed = 10

const formatPaths = (paths: ReadonlyArray<string>, count: number): string =>
  paths.slice(0, maxNamed).join(", ") + (count > maxNamed ? ` and ${count - maxNamed} more` : "")

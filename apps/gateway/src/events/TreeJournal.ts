/**
 * The entries of a tree in the same order for every reader and process: by commit, and within a commit by the age of
 * the sessions. Frames of new and old entries alike are made from it.
 */
import { Frame } from "@bough/gateway-api"
import type { Entry, Session } from "@bough/protocol"
import { EntryPages, type SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"

type Store = SessionStore.SessionStore["Service"]

/** The position up to which a session was read, and the facts for the frame of its next entry. */
export interface SessionCursor {
  readonly sessionId: Session.SessionId
  readonly path: ReadonlyArray<Session.SessionId>
  /** The `seq` of its next entry. */
  seq: number
  turn: number
  step: number
}

/** The position up to which a tree was read: always the end of a commit. */
export interface TreeCursor {
  readonly sessions: Map<Session.SessionId, SessionCursor>
  /** The position of the last entry that was read; null if none was read. */
  position: Frame.FramePosition | null
}

const firstPageSize = 32

const pathOf = Effect.fnUntraced(function* (store: Store, { kind, sessionId }: Session.Summary) {
  if (kind === "Main") return [sessionId]
  const [first] = yield* store.entries(sessionId, 0, 1)
  const parents = first?.body._tag === "SessionOpened" ? (first.body.terms?.parentPath ?? []) : []
  return [...parents, sessionId]
})

const pass = (cursor: SessionCursor, { body, seq }: Entry.Entry): void => {
  cursor.seq = seq + 1
  if (body._tag !== "StepStarted" && body._tag !== "ModelReplied") return
  cursor.turn = body.turn
  cursor.step = body.step
}

/** Makes a cursor before the first entry of a commit, with all earlier entries counted as read. */
const cursorBefore = Effect.fnUntraced(function* (store: Store, session: Session.Summary, commit: number) {
  const { entries, sessionId } = session
  const cursor: SessionCursor = { sessionId, path: yield* pathOf(store, session), seq: entries, turn: 0, step: 0 }
  if (commit === 0) {
    cursor.seq = 0
    return cursor
  }
  // Reads backwards from the end in growing pages, since a reader that reconnects rarely missed much.
  let from = entries
  for (let size = firstPageSize; from > 0; size *= 2) {
    const to = from
    from = Math.max(0, to - size)
    const page = yield* EntryPages.range(store, sessionId, { from, to })
    const first = page.findIndex((entry) => entry.commit >= commit)
    if (first !== -1) cursor.seq = page[first].seq
    const before = first === -1 ? page : page.slice(0, first)
    const step = before.findLast(({ body }) => body._tag === "StepStarted" || body._tag === "ModelReplied")
    if (step !== undefined && "turn" in step.body) {
      cursor.turn = step.body.turn
      cursor.step = step.body.step
      return cursor
    }
  }
  return cursor
})

/** Makes a cursor that has read everything up to that position; null: nothing. */
export const cursorAt = Effect.fnUntraced(function* (
  store: Store,
  treeId: Session.SessionId,
  position: Frame.FramePosition | null
) {
  const sessions = yield* store.sessionsOf(treeId)
  const cursors = yield* Effect.forEach(sessions, (session) => cursorBefore(store, session, position?.commit ?? 0))
  const cursor: TreeCursor = { sessions: new Map(cursors.map((one) => [one.sessionId, one])), position: null }
  if (position !== null) yield* advance(store, treeId, { cursor, upTo: position, use: () => {} })
  return cursor
})

/** Makes a cursor that has read everything that is stored. */
export const cursorAtEnd = Effect.fnUntraced(function* (store: Store, treeId: Session.SessionId) {
  const sessions = yield* store.sessionsOf(treeId)
  const last = yield* Effect.forEach(sessions, ({ entries, sessionId }) =>
    entries === 0 ? Effect.succeed([]) : store.entries(sessionId, entries - 1, 1)
  )
  const commit = Math.max(0, ...last.flat().map((entry) => entry.commit))
  const cursor = yield* cursorAt(store, treeId, commit === 0 ? null : { commit: commit - 1, index: Infinity })
  yield* advance(store, treeId, { cursor, upTo: { commit, index: Infinity }, use: () => {} })
  return cursor
})

export interface Advance {
  readonly cursor: TreeCursor
  /** Excludes later entries; default: those stored now. */
  readonly upTo?: Frame.FramePosition
  readonly use: (frame: Frame.FrameOf<"Entry">) => void
}

/** Advances the cursor past its next entry and returns that entry's frame. */
const frameOf = (
  cursor: TreeCursor,
  treeId: Session.SessionId,
  { at, entry }: { readonly at: SessionCursor; readonly entry: Entry.Entry }
): Frame.FrameOf<"Entry"> => {
  const { commit, sessionId, seq: sequence } = entry
  const position = positionAfter(cursor, commit)
  pass(at, entry)
  cursor.position = position
  const { path, step, turn } = at
  return { _tag: "Entry", id: Frame.format(position), treeId, sessionId, path, turn, step, sequence, entry }
}

const positionAfter = ({ position: place }: TreeCursor, commit: number): Frame.FramePosition => ({
  commit,
  index: place?.commit === commit ? place.index + 1 : 0
})

/**
 * Advances the cursor past an entry that its owner published, without reading the journal. Null: the journal has to be
 * read, because another session of the tree may have stored an earlier entry. This cannot happen in a tree of one session:
 * its owner publishes entries in order, and those of a new child after the parent's of the same commit.
 */
export const follow = (
  cursor: TreeCursor,
  treeId: Session.SessionId,
  entry: Entry.Entry
): Frame.FrameOf<"Entry"> | null => {
  const at = cursor.sessions.size === 1 ? cursor.sessions.get(treeId) : undefined
  return at?.sessionId === entry.sessionId && at.seq === entry.seq ? frameOf(cursor, treeId, { at, entry }) : null
}

/** The order of the entries of one commit: by the age of their sessions, as in `sessionsOf`. */
const byPosition = (ages: ReadonlyMap<Session.SessionId, number>) => (a: Entry.Entry, b: Entry.Entry) =>
  a.commit - b.commit || (ages.get(a.sessionId) ?? 0) - (ages.get(b.sessionId) ?? 0) || a.seq - b.seq

/** Reads from the cursor on, advances it, and passes on each frame. False: the tree was deleted. */
export const advance = Effect.fnUntraced(function* (store: Store, treeId: Session.SessionId, options: Advance) {
  const { cursor, upTo, use } = options
  // One query reads all sessions at the same moment, so it returns all entries of a commit or none.
  const sessions = yield* store.sessionsOf(treeId)
  if (sessions.length === 0) return false
  const ages = new Map(sessions.map(({ sessionId }, age) => [sessionId, age]))
  const found: Array<Entry.Entry> = []
  for (const session of sessions) {
    const known = cursor.sessions.get(session.sessionId) ?? (yield* cursorBefore(store, session, 0))
    cursor.sessions.set(session.sessionId, known)
    if (known.seq < session.entries) {
      found.push(...(yield* EntryPages.range(store, session.sessionId, { from: known.seq, to: session.entries })))
    }
  }
  if (sessions.length > 1) found.sort(byPosition(ages))
  for (const entry of found) {
    if (upTo !== undefined && Frame.isAfter(positionAfter(cursor, entry.commit), upTo)) break
    const at = cursor.sessions.get(entry.sessionId)
    if (at !== undefined) use(frameOf(cursor, treeId, { at, entry }))
  }
  return true
})

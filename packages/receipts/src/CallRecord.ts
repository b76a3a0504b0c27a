/**
 * Collects the entries of each call of a session tree, and returns the call when it ends. A pure fold, whose memory is
 * bounded by the number of open calls.
 */
import { type Entry, OpenCalls, type Receipt, type Session } from "@bough/protocol"

interface CallOrigin {
  /** The turn of the call; null: a user made the call. */
  readonly turn: number | null
  readonly step: number | null
  readonly model: string | null
  /** The arguments exactly as the model wrote them; null: no recorded reply contains them. */
  readonly written: string | null
  /** The labels of the session when the model asked for the call. */
  readonly labels: ReadonlyArray<Session.Label>
}

/** A call that has ended. */
export interface CallRecord extends CallOrigin {
  /** The id of the entry that ended the call. */
  readonly id: Session.EntryId
  readonly sessionId: Session.SessionId
  /** The ids of the sessions from the Main down to this session. */
  readonly sessionPath: ReadonlyArray<Session.SessionId>
  readonly toolCallId: Session.ToolCallId
  readonly tool: string
  /** The version of the tool, if several versions are in use; null: the entry names no version. */
  readonly version: number | null
  /** The approval requests of the call. `decided` null: the request was open when the call ended. */
  readonly asked: ReadonlyArray<OpenCalls.AskedRequest>
  /** The intents of the call, oldest first. */
  readonly started: ReadonlyArray<Entry.BodyOf<"CallStarted">>
  readonly outcome: Entry.Outcome
  /** The receipt; null: no code of the tool ran. */
  readonly receipt: Receipt.Receipt | null
  /** True if a fork copied the call from another session. */
  readonly copied: boolean
}

interface SessionCalls {
  readonly path: ReadonlyArray<Session.SessionId>
  readonly isCopy: (entry: Entry.Entry) => boolean
  readonly calls: OpenCalls.OpenCallsState
}

/** The sessions of one tree by id. */
export type CallRecordState = Map<Session.SessionId, SessionCalls>

/** Returns the state before the first entry. `append` changes it in place. */
export const empty = (): CallRecordState => new Map()

/** Returns a predicate: whether the session with this opening entry copied an entry from another session. */
export const copies = (first: Entry.Entry): ((entry: Entry.Entry) => boolean) => {
  const { body } = first
  if (body._tag !== "SessionOpened") return () => false
  const copied = body.terms?.copied
  if (copied !== undefined) return ({ seq }) => seq > 0 && seq <= copied
  const isFork = body.origin._tag === "Main" && body.origin.forkedFrom !== null
  return ({ commit, seq }) => isFork && seq > 0 && commit === first.commit
}

/** Adds the next entry of a session. Returns the call that ends with this entry, if a call ends. */
export const append = (state: CallRecordState, entry: Entry.Entry): CallRecord | null => {
  const { body } = entry
  if (body._tag === "SessionOpened") {
    state.set(entry.sessionId, {
      path: [...(body.terms?.parentPath ?? []), entry.sessionId],
      isCopy: copies(entry),
      calls: OpenCalls.empty()
    })
  }
  const session = state.get(entry.sessionId)
  return session === undefined ? null : take(session, entry)
}

const take = (session: SessionCalls, entry: Entry.Entry): CallRecord | null => {
  const open = OpenCalls.append(session.calls, entry)
  const { body } = entry
  if (body._tag !== "CallEnded") return null
  const { outcome, receipt, tool, toolCallId, version = null } = body
  return {
    ...askingOf(open),
    id: entry.id,
    sessionId: entry.sessionId,
    sessionPath: session.path,
    toolCallId,
    tool,
    version,
    asked: open?.requests ?? [],
    started: open?.intents ?? [],
    outcome,
    receipt,
    copied: session.isCopy(entry)
  }
}

const askingOf = (open: OpenCalls.OpenCall | null): CallOrigin =>
  open === null || open.askedFor === null
    ? { turn: null, step: null, model: null, written: null, labels: [] }
    : { ...open.askedFor, written: open.call.arguments, labels: open.labels }

/**
 * Checks that each entry continues the order and the digest chain of its session, and that each new session was spawned
 * in the tree. Pure.
 */
import { Canonical, Entry, type Session } from "@bough/protocol"
import { type Fault, compareValues } from "./Mismatch.ts"

interface Tail {
  readonly nextSeq: number
  readonly digest: string
}

export interface EntryCheckState {
  readonly sessions: Map<Session.SessionId, Tail>
  readonly spawned: Set<Session.SessionId>
  commit: number
}

export const empty = (): EntryCheckState => ({ sessions: new Map(), spawned: new Set(), commit: 0 })

/**
 * Returns the contradiction; null: there is none. The entries must be passed in the order in which they were
 * committed.
 */
export const check = (state: EntryCheckState, entry: Entry.Entry): Fault | null => {
  const { body, commit, digest, id, seq, sessionId } = entry
  const tail = state.sessions.get(sessionId) ?? { nextSeq: 0, digest: "" }
  const fault =
    (tail.nextSeq === 0 && state.sessions.size > 0 && !state.spawned.has(sessionId)
      ? {
          what: `session ${sessionId}`,
          expected: "a session that another one started",
          found: "a session that no session started"
        }
      : null) ??
    compareValues(`the number of the entry in session ${sessionId}`, tail.nextSeq, seq) ??
    compareValues("the id of the entry", Entry.idOf(sessionId, seq), id) ??
    (commit < state.commit
      ? { what: "the commit", expected: `at least ${state.commit}`, found: String(commit) }
      : null) ??
    ((seq === 0) === (body._tag === "SessionOpened")
      ? null
      : { what: "the kind of entry", expected: seq === 0 ? "SessionOpened" : "another one", found: body._tag }) ??
    compareValues(`the digest of entry ${seq}`, Canonical.chain(tail.digest, Canonical.stringify(body)), digest)
  if (fault !== null) return fault
  state.sessions.set(sessionId, { nextSeq: seq + 1, digest })
  state.commit = commit
  if (body._tag === "ChildSpawned") state.spawned.add(body.childId)
  return null
}

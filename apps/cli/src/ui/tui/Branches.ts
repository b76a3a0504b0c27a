/** The sessions below a transcript that have not ended, by id. Pure. */
import type { Session } from "@bough/protocol"

export type Branches = ReadonlyMap<string, Session.SessionState>

/** Sets the state of a session; one that has ended is left out. */
export const withState = (before: Branches, sessionId: string, state: Session.SessionState): Branches => {
  const branches = new Map(before)
  if (state === "Active" || state === "Suspended") branches.set(sessionId, state)
  else branches.delete(sessionId)
  return branches
}

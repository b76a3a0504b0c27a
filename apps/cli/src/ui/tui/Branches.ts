/** The sessions below a transcript that have not ended, by id. Pure. */
import type { Session } from "@bough/protocol"

export type Branches = ReadonlyMap<string, Session.SessionState>

/** Sets the state of a session; one that has ended is left out. */
export const withState = <View extends { readonly branches: Branches }>(
  view: View,
  sessionId: string,
  state: Session.SessionState
): View => {
  const branches = new Map(view.branches)
  if (state === "Active" || state === "Suspended") branches.set(sessionId, state)
  else branches.delete(sessionId)
  return { ...view, branches }
}

/** The sessions of a tree in the reader of a turn, by id: the Main and its descendants. */
import type { Approval, Session } from "@bough/protocol"
import * as SessionView from "./SessionView.ts"
import type { JournalPositions } from "./TurnEvent.ts"

export class TurnSessions {
  readonly main: SessionView.SessionView
  readonly #views = new Map<Session.SessionId, SessionView.SessionView>()
  readonly #positions: JournalPositions | null

  /** `positions`: the journal positions after which entries are emitted; null: none is known yet. */
  constructor(mainId: Session.SessionId, positions: JournalPositions | null) {
    this.#positions = positions
    this.main = this.view(mainId)
  }

  /** Returns the view of a session, which is made if it is the first mention of the session. */
  view(sessionId: Session.SessionId): SessionView.SessionView {
    const known = this.#views.get(sessionId)
    if (known !== undefined) return known
    const newView = SessionView.make(sessionId)
    newView.reportedFrom = this.#positions?.[sessionId] ?? null
    this.#views.set(sessionId, newView)
    return newView
  }

  find(sessionId: Session.SessionId): SessionView.SessionView | undefined {
    return this.#views.get(sessionId)
  }

  all(): Iterable<SessionView.SessionView> {
    return this.#views.values()
  }

  /** The Main and its descendants that have not ended. */
  live(): ReadonlyArray<Session.SessionId> {
    const liveIds: Array<Session.SessionId> = []
    const visit = (sessionId: Session.SessionId): void => {
      liveIds.push(sessionId)
      const view = this.#views.get(sessionId)
      if (view !== undefined) for (const childId of SessionView.liveChildren(view)) visit(childId)
    }
    visit(this.main.sessionId)
    return liveIds
  }

  /** Returns true if a call that a user decided about has neither ended nor made another request. */
  isDecidedCallOpen({ approvalId, sessionPath, toolCallId }: Approval.Request): boolean {
    const view = this.#views.get(sessionPath.at(-1) ?? this.main.sessionId)
    const open = view?.state.openCalls.get(toolCallId)
    return open !== undefined && open.requests.at(-1)?.request.approvalId === approvalId
  }

  /** Returns true if the Main is idle and each of its live children waits for a decision. */
  isIdle(): boolean {
    return (
      SessionView.isIdle(this.main) &&
      SessionView.liveChildren(this.main).every((childId) => this.#waitsForDecision(childId))
    )
  }

  /** Returns true if only a decision can continue a child; a child without further work is about to end. */
  #waitsForDecision(sessionId: Session.SessionId): boolean {
    const view = this.#views.get(sessionId)
    if (view === undefined || !SessionView.isIdle(view)) return false
    const children = SessionView.liveChildren(view)
    return (
      children.every((childId) => this.#waitsForDecision(childId)) &&
      (children.length > 0 || SessionView.pendingRequests(view).length > 0)
    )
  }
}

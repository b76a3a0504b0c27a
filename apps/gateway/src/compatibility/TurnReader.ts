/**
 * Reads one turn of a tree from its journals and its live events, in any order and with repetitions, and emits everything
 * once. Pure: the caller reads the journal, before the first event and after each gap.
 */
import { type Approval, Entry, type Event, type EventStream, type Session, Usage } from "@bough/protocol"
import { SessionState } from "@bough/runtime"
import * as EntryEvents from "./EntryEvents.ts"
import * as SessionView from "./SessionView.ts"
import type { TurnEnd, JournalPositions, TurnEvent } from "./TurnEvent.ts"

/** The point after which a stream begins. */
export type Start =
  /**
   * Reads the turn of the message with that id. `fromSeq`: the first entry of the Main to read, before which nothing was
   * open or running. Default: the first of all.
   */
  | { readonly _tag: "Message"; readonly messageId: string; readonly fromSeq?: number }
  /**
   * The stream begins after these positions in the journals. It ends when the calls of `decided` have ended and the
   * message, if any, is answered.
   */
  | {
      readonly _tag: "Places"
      readonly places: JournalPositions
      readonly decided: ReadonlyArray<Approval.Request>
      readonly messageId: string | null
    }

export interface TurnReader {
  /** Takes the next journal entry of a session; an entry that was read before has no effect. */
  readonly entry: (entry: Entry.Entry) => ReadonlyArray<TurnEvent>
  readonly event: (published: EventStream.PublishedItem) => ReadonlyArray<TurnEvent>
  /** Called when events were lost. Text whose beginning may have been lost is not emitted until the next reply. */
  readonly gap: () => void
  /** Sets the state of a session from its row, which was read before its entries. */
  readonly setState: (sessionId: Session.SessionId, state: Session.SessionState) => void
  /** Marks the end of the first reading of the journal: later entries of known sessions are new. */
  readonly endInitialRead: () => void
  /** The `seq` of the first entry that has not been read. */
  readonly nextSeq: (sessionId: Session.SessionId) => number
  /** Sessions whose journals have to be read: the Main and its live descendants. */
  readonly live: () => ReadonlyArray<Session.SessionId>
  /** How the turn ended; null: it has not ended. */
  readonly ending: () => TurnEnd | null
}

export const make = (mainId: Session.SessionId, start: Start): TurnReader => {
  const views = new Map<Session.SessionId, SessionView.SessionView>()
  let usage = Usage.zero
  let failure: { readonly error: string; readonly message: string } | null = null
  /** True if the session has received the message that the stream answers. */
  let hasMessage = start.messageId === null

  const viewOf = (sessionId: Session.SessionId): SessionView.SessionView => {
    const known = views.get(sessionId)
    if (known !== undefined) return known
    const newView = SessionView.make(sessionId)
    newView.reportedFrom = start._tag === "Places" ? (start.places[sessionId] ?? null) : null
    views.set(sessionId, newView)
    return newView
  }
  const main = viewOf(mainId)
  if (start._tag === "Message") main.state.nextSeq = start.fromSeq ?? 0

  /** Emits the start of a child before the child's first event. */
  const withAnnouncements = (
    view: SessionView.SessionView,
    events: ReadonlyArray<TurnEvent>
  ): ReadonlyArray<TurnEvent> => {
    if (events.length === 0 || view.isAnnounced || view.spawned === null) return events
    view.isAnnounced = true
    const { kind, parentId, title, toolCallId } = view.spawned
    const { sessionId } = view
    return [{ _tag: "ChildStarted", sessionId, parentId, kind, title, toolCallId }, ...events]
  }

  const takeMessage = ({ body, seq, sessionId }: Entry.Entry): void => {
    if (hasMessage || sessionId !== mainId || body._tag !== "UserMessage" || body.messageId !== start.messageId) return
    hasMessage = true
    main.reportedFrom ??= seq + 1
  }

  const spawn = (view: SessionView.SessionView, entry: Entry.Entry): void => {
    const { body } = entry
    if (body._tag !== "ChildSpawned" || body.purpose !== undefined) return
    const child = viewOf(body.childId)
    child.spawned = { ...body, parentId: entry.sessionId }
    child.isInTurn = true
    // A child whose start was emitted is reported completely.
    if (view.reportedFrom !== null && entry.seq >= view.reportedFrom) child.reportedFrom ??= 0
  }

  const entry: TurnReader["entry"] = (entry) => {
    const view = viewOf(entry.sessionId)
    if (entry.seq < view.state.nextSeq) {
      markRepeated(view, entry)
      return []
    }
    const isReported = view.reportedFrom !== null && entry.seq >= view.reportedFrom
    const before = EntryEvents.callBefore(view, entry)
    SessionState.append(view.state, entry)
    const { body } = entry
    if (body._tag === "StateChanged" && body.state !== "Active") view.isInTurn = false
    if (body._tag === "StepStarted") SessionView.awaitStep(view, body)
    takeMessage(entry)
    spawn(view, entry)
    const events = isReported ? EntryEvents.fromEntry(view, entry, before) : []
    if (isReported) usage = Usage.add(usage, Entry.usageOf(body) ?? Usage.zero)
    if (body._tag === "ModelReplied") view.awaited = null
    const child = body._tag === "ChildEnded" ? views.get(body.childId) : undefined
    // The child's own last entry may come after its parent's.
    if (body._tag === "ChildEnded" && child !== undefined && isReported && child.spawned !== null) {
      return [
        ...withAnnouncements(child, [{ _tag: "ChildEnded", sessionId: body.childId, result: body.result }]),
        ...withAnnouncements(view, events)
      ]
    }
    return withAnnouncements(view, events)
  }

  /** Takes the live event of an entry that was already read: all deltas after it will arrive. */
  const markRepeated = (view: SessionView.SessionView, { body }: Entry.Entry): void => {
    if (body._tag !== "StepStarted" || !SessionView.isAwaited(view, body)) return
    view.receivesDeltas = true
    view.runs.rewind()
  }

  const deltaEvents = (view: SessionView.SessionView, event: DeltaEvent): ReadonlyArray<TurnEvent> => {
    const { sessionId, step, turn } = event
    if (!SessionView.isReported(view) || !view.receivesDeltas || !SessionView.isAwaited(view, event)) return []
    const kind = event._tag === "TextDelta" ? "Text" : "Reasoning"
    const text = view.runs.take(kind, event.text)
    return text === "" ? [] : [{ _tag: kind, sessionId, turn, step, text }]
  }

  const transient = (
    view: SessionView.SessionView,
    { entries, event }: EventStream.PublishedItem
  ): ReadonlyArray<TurnEvent> => {
    // The entries already contain a later state.
    const isCurrent = entries >= view.state.nextSeq
    switch (event._tag) {
      case "TextDelta":
      case "ReasoningDelta":
        return deltaEvents(view, event)
      case "ToolStarted":
      case "ToolProgressed":
        return SessionView.isReported(view) ? EntryEvents.fromCall(view, event) : []
      case "MessageSent": {
        if (!SessionView.isReported(view) || !isCurrent) return []
        const { from, messageId, sessionId, text } = event
        const title = from.kind === "Main" ? "" : from.title
        return [{ _tag: "MessageSent", sessionId, messageId, title, text }]
      }
      case "Notice":
        return SessionView.isReported(view) && isCurrent
          ? [{ _tag: "Notice", sessionId: event.sessionId, message: event.message }]
          : []
      case "TurnStarted":
        if (isCurrent) view.isInTurn = true
        return []
      case "TurnEnded":
        if (isCurrent) view.isInTurn = false
        return []
      case "TurnFailed": {
        if (!isCurrent || !SessionView.isReported(view)) return []
        const { error, message, retryInMillis, sessionId } = event
        if (retryInMillis !== null) return [{ _tag: "Notice", sessionId, message }]
        view.isInTurn = false
        if (sessionId === mainId) failure = { error, message }
        return []
      }
      case "Recorded":
      case "Attached":
      // The entries contain the same facts.
      case "ApprovalAsked":
      case "ApprovalEnded":
        return []
    }
  }

  const event: TurnReader["event"] = (published) => {
    const event = published.event
    if (event._tag === "Recorded") {
      const view = viewOf(event.sessionId)
      const isNew = event.entry.seq >= view.state.nextSeq
      const events = entry(event.entry)
      if (isNew && event.entry.body._tag === "StepStarted") view.receivesDeltas = true
      return events
    }
    const view = views.get(event.sessionId)
    return view === undefined ? [] : withAnnouncements(view, transient(view, published))
  }

  /** The Main and its descendants that have not ended. */
  const live = (): ReadonlyArray<Session.SessionId> => {
    const found: Array<Session.SessionId> = []
    const visit = (sessionId: Session.SessionId): void => {
      found.push(sessionId)
      const view = views.get(sessionId)
      if (view !== undefined) for (const childId of SessionView.liveChildren(view)) visit(childId)
    }
    visit(mainId)
    return found
  }

  /** Calls that a user has decided about, and that have neither ended nor made another request. */
  const isDecidedCallOpen = ({ approvalId, sessionPath, toolCallId }: Approval.Request): boolean => {
    const view = views.get(sessionPath.at(-1) ?? mainId)
    const open = view?.state.openCalls.get(toolCallId)
    return open !== undefined && open.requests.at(-1)?.request.approvalId === approvalId
  }

  /** Returns true if only a decision can continue a child; a child without further work is about to end. */
  const waitsForDecision = (sessionId: Session.SessionId): boolean => {
    const view = views.get(sessionId)
    if (view === undefined || !SessionView.isIdle(view)) return false
    const children = SessionView.liveChildren(view)
    return children.every(waitsForDecision) && (children.length > 0 || SessionView.pendingRequests(view).length > 0)
  }

  const isOver = (): boolean => SessionView.isIdle(main) && SessionView.liveChildren(main).every(waitsForDecision)

  const ending: TurnReader["ending"] = () => {
    if (!hasMessage) return null
    const found = live().flatMap((sessionId) => views.get(sessionId) ?? [])
    const pending = found.flatMap(SessionView.pendingRequests)
    const places = Object.fromEntries(found.map(({ sessionId, state }) => [sessionId, state.nextSeq]))
    const endState = { usage, pending, places }
    if (failure !== null) return { status: "failed", reason: failure.message, error: failure.error, ...endState }
    if (!isOver() || (start._tag === "Places" && start.decided.some(isDecidedCallOpen))) return null
    const { closedReason } = main.state
    if (closedReason !== null) return { status: "stopped", reason: closedReason, error: null, ...endState }
    if (pending.length > 0)
      return { status: "suspended", reason: waitingText(pending.length), error: null, ...endState }
    return { status: "completed", reason: "", error: null, ...endState }
  }

  return {
    entry,
    event,
    gap: () => {
      for (const view of views.values()) view.receivesDeltas = false
    },
    setState: (sessionId, state) => {
      viewOf(sessionId).isInTurn = state === "Active"
    },
    endInitialRead: () => {
      for (const view of views.values()) if (view !== main) view.reportedFrom ??= view.state.nextSeq
    },
    nextSeq: (sessionId) => viewOf(sessionId).state.nextSeq,
    live,
    ending
  }
}

type DeltaEvent = Extract<Event.Event, { readonly _tag: "TextDelta" | "ReasoningDelta" }>

const waitingText = (calls: number): string =>
  calls === 1 ? "one call waits for an approval" : `${calls} calls wait for an approval`

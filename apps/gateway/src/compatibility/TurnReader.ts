/**
 * Reads one turn of a tree from its journals and its live events, in any order and with repetitions, and emits everything
 * once. Pure: the caller reads the journal, before the first event and after each gap.
 */
import { type Approval, Entry, type Event, type EventStream, type Session, Usage } from "@bough/protocol"
import { SessionState } from "@bough/runtime"
import * as EntryEvents from "./EntryEvents.ts"
import * as SessionView from "./SessionView.ts"
import type { TurnEnd, JournalPositions, TurnEvent } from "./TurnEvent.ts"
import { TurnSessions } from "./TurnSessions.ts"

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
      readonly _tag: "Positions"
      readonly positions: JournalPositions
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

class TurnFold implements TurnReader {
  readonly #start: Start
  readonly #sessions: TurnSessions
  #usage = Usage.zero
  #failure: { readonly error: string; readonly message: string } | null = null
  /** True if the session has received the message that the stream answers. */
  #hasMessage: boolean

  constructor(mainId: Session.SessionId, start: Start) {
    this.#start = start
    this.#sessions = new TurnSessions(mainId, start._tag === "Positions" ? start.positions : null)
    this.#hasMessage = start.messageId === null
    if (start._tag === "Message") this.#sessions.main.state.nextSeq = start.fromSeq ?? 0
  }

  entry(entry: Entry.Entry): ReadonlyArray<TurnEvent> {
    const view = this.#sessions.view(entry.sessionId)
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
    this.#takeMessage(entry)
    this.#spawn(view, entry)
    const events = isReported ? EntryEvents.fromEntry(view, entry, before) : []
    if (isReported) this.#usage = Usage.add(this.#usage, Entry.usageOf(body) ?? Usage.zero)
    if (body._tag === "ModelReplied") view.awaited = null
    const ending = body._tag === "ChildEnded" && isReported ? this.#childEnded(body) : []
    return [...ending, ...withAnnouncement(view, events)]
  }

  event(published: EventStream.PublishedItem): ReadonlyArray<TurnEvent> {
    const { event } = published
    if (event._tag === "Recorded") {
      const view = this.#sessions.view(event.sessionId)
      const isNew = event.entry.seq >= view.state.nextSeq
      const events = this.entry(event.entry)
      if (isNew && event.entry.body._tag === "StepStarted") view.receivesDeltas = true
      return events
    }
    const view = this.#sessions.find(event.sessionId)
    return view === undefined ? [] : withAnnouncement(view, this.#transient(view, published))
  }

  gap(): void {
    for (const view of this.#sessions.all()) view.receivesDeltas = false
  }

  setState(sessionId: Session.SessionId, state: Session.SessionState): void {
    this.#sessions.view(sessionId).isInTurn = state === "Active"
  }

  endInitialRead(): void {
    for (const view of this.#sessions.all()) {
      if (view !== this.#sessions.main) view.reportedFrom ??= view.state.nextSeq
    }
  }

  nextSeq(sessionId: Session.SessionId): number {
    return this.#sessions.view(sessionId).state.nextSeq
  }

  live(): ReadonlyArray<Session.SessionId> {
    return this.#sessions.live()
  }

  ending(): TurnEnd | null {
    if (!this.#hasMessage) return null
    const live = this.#sessions.live().flatMap((sessionId) => this.#sessions.find(sessionId) ?? [])
    const pending = live.flatMap(SessionView.pendingRequests)
    const positions = Object.fromEntries(live.map(({ sessionId, state }) => [sessionId, state.nextSeq]))
    const endState = { usage: this.#usage, pending, positions }
    if (this.#failure !== null) {
      return { status: "failed", reason: this.#failure.message, error: this.#failure.error, ...endState }
    }
    if (!this.#sessions.isIdle() || this.#hasOpenDecidedCall()) return null
    const { closedReason } = this.#sessions.main.state
    if (closedReason !== null) return { status: "stopped", reason: closedReason, error: null, ...endState }
    if (pending.length > 0)
      return { status: "suspended", reason: waitingText(pending.length), error: null, ...endState }
    return { status: "completed", reason: "", error: null, ...endState }
  }

  #hasOpenDecidedCall(): boolean {
    return (
      this.#start._tag === "Positions" &&
      this.#start.decided.some((request) => this.#sessions.isDecidedCallOpen(request))
    )
  }

  #takeMessage({ body, seq, sessionId }: Entry.Entry): void {
    const { main } = this.#sessions
    if (this.#hasMessage || sessionId !== main.sessionId) return
    if (body._tag !== "UserMessage" || body.messageId !== this.#start.messageId) return
    this.#hasMessage = true
    main.reportedFrom ??= seq + 1
  }

  #spawn(view: SessionView.SessionView, { body, seq, sessionId }: Entry.Entry): void {
    if (body._tag !== "ChildSpawned" || body.purpose !== undefined) return
    const child = this.#sessions.view(body.childId)
    child.spawned = { ...body, parentId: sessionId }
    child.isInTurn = true
    // A child whose start was emitted is reported completely.
    if (view.reportedFrom !== null && seq >= view.reportedFrom) child.reportedFrom ??= 0
  }

  /** Emits the end of a child from the parent's entry: the child's own last entry may come later. */
  #childEnded({ childId, result }: Entry.BodyOf<"ChildEnded">): ReadonlyArray<TurnEvent> {
    const child = this.#sessions.find(childId)
    if (child === undefined || child.spawned === null) return []
    return withAnnouncement(child, [{ _tag: "ChildEnded", sessionId: childId, result }])
  }

  #transient(view: SessionView.SessionView, { entries, event }: EventStream.PublishedItem): ReadonlyArray<TurnEvent> {
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
      case "TurnFailed":
        return isCurrent && SessionView.isReported(view) ? this.#turnFailed(view, event) : []
      case "Recorded":
      case "Attached":
      // The entries contain the same facts.
      case "ApprovalAsked":
      case "ApprovalEnded":
        return []
    }
  }

  #turnFailed(
    view: SessionView.SessionView,
    { error, message, retryInMillis, sessionId }: Extract<Event.Event, { readonly _tag: "TurnFailed" }>
  ): ReadonlyArray<TurnEvent> {
    if (retryInMillis !== null) return [{ _tag: "Notice", sessionId, message }]
    view.isInTurn = false
    if (view === this.#sessions.main) this.#failure = { error, message }
    return []
  }
}

export const make = (mainId: Session.SessionId, start: Start): TurnReader => new TurnFold(mainId, start)

/** Emits the start of a child before the child's first event. */
const withAnnouncement = (
  view: SessionView.SessionView,
  events: ReadonlyArray<TurnEvent>
): ReadonlyArray<TurnEvent> => {
  if (events.length === 0 || view.isAnnounced || view.spawned === null) return events
  view.isAnnounced = true
  const { kind, parentId, title, toolCallId } = view.spawned
  const { sessionId } = view
  return [{ _tag: "ChildStarted", sessionId, parentId, kind, title, toolCallId }, ...events]
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

type DeltaEvent = Extract<Event.Event, { readonly _tag: "TextDelta" | "ReasoningDelta" }>

const waitingText = (calls: number): string =>
  calls === 1 ? "one call waits for an approval" : `${calls} calls wait for an approval`

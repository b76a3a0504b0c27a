/** A turn as it happens, from a host's events and its store's journals: `TurnReader` with its effects. */
import type { EventStream, Session } from "@bough/protocol"
import { EntryPages, type Host, type SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { TurnEvent } from "./TurnEvent.ts"
import * as TurnReader from "./TurnReader.ts"

export interface Sources {
  readonly host: Pick<Host.Host["Service"], "attach">
  readonly store: Pick<SessionStore.SessionStore["Service"], "entries" | "sessionsOf">
  /**
   * The interval at which the journal is read even without an event, because only the journal shows what another process
   * recorded.
   */
  readonly lookMillis: number
}

export type Failure =
  | SessionStore.SessionNotFound
  | SessionStore.TreeBusy
  | SessionStore.StoreFailed
  | SessionStore.JournalCorrupt

/** The stream ends with `Ended`. Interrupting the stream does not stop the session. */
export const followTurn = (
  sources: Sources,
  mainId: Session.SessionId,
  start: TurnReader.Start
): Stream.Stream<TurnEvent, Failure> =>
  Stream.suspend(() => {
    const reader = TurnReader.make(mainId, start)
    const withEnding = (events: ReadonlyArray<TurnEvent>): ReadonlyArray<TurnEvent> => {
      const ending = reader.ending()
      return ending === null ? events : [...events, { _tag: "Ended", sessionId: mainId, ...ending }]
    }
    const take = (item: EventStream.Item | null): Effect.Effect<ReadonlyArray<TurnEvent>, Failure> => {
      if (item !== null && item._tag === "Published") return readPublished(sources, reader, item)
      if (item !== null) reader.gap()
      return readJournals(sources, reader, mainId)
    }
    const first = Stream.fromEffect(
      Effect.tap(readJournals(sources, reader, mainId), () => Effect.sync(() => reader.endInitialRead()))
    )
    const items = Stream.merge(
      sources.host.attach(mainId, null),
      Stream.as(Stream.drop(Stream.tick(sources.lookMillis), 1), null)
    )
    return Stream.concat(first, Stream.mapEffect(items, take)).pipe(
      Stream.map(withEnding),
      Stream.flattenIterable,
      Stream.takeUntil(({ _tag }) => _tag === "Ended")
    )
  })

/** Reads the entries that were missed before this event, and emits them first. */
const readPublished = (
  sources: Sources,
  reader: TurnReader.TurnReader,
  item: EventStream.PublishedItem
): Effect.Effect<ReadonlyArray<TurnEvent>, Failure> => {
  const { event } = item
  if (event._tag !== "Recorded" || event.entry.seq <= reader.nextSeq(event.sessionId)) {
    return Effect.sync(() => reader.event(item))
  }
  return Effect.map(readSession(sources, reader, event.sessionId), (missed) => [...missed, ...reader.event(item)])
}

/** Continues to read the journals of the Main and its descendants. */
const readJournals = Effect.fnUntraced(function* (
  sources: Sources,
  reader: TurnReader.TurnReader,
  mainId: Session.SessionId
): Effect.fn.Return<ReadonlyArray<TurnEvent>, Failure> {
  // Rows are read first: a row that was read after the entries could say that the turn is over, although entries of the
  // turn were recorded in between and have not been emitted.
  const rows = new Map((yield* sources.store.sessionsOf(mainId)).map((row) => [row.sessionId, row.state]))
  const turnEvents: Array<TurnEvent> = []
  const read = new Set<Session.SessionId>()
  for (
    let unread = reader.live();
    unread.length > 0;
    unread = reader.live().filter((sessionId) => !read.has(sessionId))
  ) {
    for (const sessionId of unread) {
      const state = rows.get(sessionId)
      if (state !== undefined) reader.setState(sessionId, state)
      turnEvents.push(...(yield* readSession(sources, reader, sessionId)))
      read.add(sessionId)
    }
  }
  return turnEvents
})

const readSession = Effect.fnUntraced(function* (
  { store }: Sources,
  reader: TurnReader.TurnReader,
  sessionId: Session.SessionId
): Effect.fn.Return<ReadonlyArray<TurnEvent>, Failure> {
  const turnEvents: Array<TurnEvent> = []
  let next: number | null = reader.nextSeq(sessionId)
  while (next !== null) {
    const page: EntryPages.EntryPage = yield* EntryPages.page(store, sessionId, next)
    for (const entry of page.entries) turnEvents.push(...reader.entry(entry))
    next = page.next
  }
  return turnEvents
})

/**
 * Reads the journal of a session from an entry on, a page at a time. `page`, `forEach` and `stream` have only the current
 * page in memory; `collect` and `range` return all the entries that they read.
 */
import type { Entry, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { JournalCorrupt, SessionStore, StoreFailed } from "../ports/SessionStore.ts"

type Store = Pick<SessionStore["Service"], "entries">

/** The number of entries that are read at once. */
export const pageSize = 256

export interface EntryPage {
  /** Oldest first. */
  readonly entries: ReadonlyArray<Entry.Entry>
  /** The first number of the next page; null: this is the last page. */
  readonly next: number | null
}

/** The page that begins at `fromSeq`. */
export const page = (
  store: Store,
  sessionId: Session.SessionId,
  fromSeq: number
): Effect.Effect<EntryPage, JournalCorrupt | StoreFailed> =>
  Effect.map(store.entries(sessionId, fromSeq, pageSize), (entries) => ({
    entries,
    next: entries.length < pageSize ? null : fromSeq + entries.length
  }))

/** Passes every entry to `use`, oldest first. */
export const forEach = Effect.fnUntraced(function* (
  store: Store,
  sessionId: Session.SessionId,
  use: (entry: Entry.Entry) => void
): Effect.fn.Return<void, JournalCorrupt | StoreFailed> {
  let next: number | null = 0
  while (next !== null) {
    const read: EntryPage = yield* page(store, sessionId, next)
    for (const entry of read.entries) use(entry)
    next = read.next
  }
})

/** Streams every entry, oldest first; only pulled pages are read. */
export const stream = (
  store: Store,
  sessionId: Session.SessionId
): Stream.Stream<Entry.Entry, JournalCorrupt | StoreFailed> =>
  Stream.paginate(0, (fromSeq) =>
    Effect.map(page(store, sessionId, fromSeq), ({ entries, next }) => [entries, Option.fromNullOr(next)] as const)
  )

/** Returns the entries through a given one, oldest first; null: all of them. */
export const collect = (
  store: Store,
  sessionId: Session.SessionId,
  throughSeq: number | null = null
): Effect.Effect<ReadonlyArray<Entry.Entry>, JournalCorrupt | StoreFailed> =>
  throughSeq === null
    ? Stream.runCollect(stream(store, sessionId))
    : Stream.runCollect(Stream.takeWhile(stream(store, sessionId), ({ seq }) => seq <= throughSeq))

/** Returns the entries of a session in a range of numbers, oldest first; fewer if the journal ends earlier. */
export const range = Effect.fnUntraced(function* (
  store: Store,
  sessionId: Session.SessionId,
  span: { readonly from: number; readonly to: number }
): Effect.fn.Return<ReadonlyArray<Entry.Entry>, JournalCorrupt | StoreFailed> {
  const found: Array<Entry.Entry> = []
  while (span.from + found.length < span.to) {
    const remaining = span.to - span.from - found.length
    const read = yield* store.entries(sessionId, span.from + found.length, Math.min(pageSize, remaining))
    if (read.length === 0) return found
    found.push(...read)
  }
  return found
})

/**
 * The entries of a session and its descendants in the order of their commits, a page at a time. Only the current pages
 * are in memory.
 */
import type { Entry, Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import type { JournalCorrupt, SessionStore, StoreFailed } from "../ports/SessionStore.ts"
import * as EntryPages from "./EntryPages.ts"

interface Cursor {
  readonly sessionId: Session.SessionId
  page: ReadonlyArray<Entry.Entry>
  /** The index of the next entry in the page. */
  at: number
  /** The start of the next page; null if this is the last page. */
  next: number | null
}

/**
 * Passes each entry to `use`. Entries that are appended meanwhile may or may not be included; the entries of each
 * session have no gaps.
 */
export const forEach = Effect.fnUntraced(function* <E, R>(
  store: SessionStore["Service"],
  sessionId: Session.SessionId,
  use: (entry: Entry.Entry) => Effect.Effect<void, E, R>
): Effect.fn.Return<void, E | JournalCorrupt | StoreFailed, R> {
  let cursors: ReadonlyArray<Cursor> = [cursorOf(sessionId)]
  while (true) {
    for (const cursor of cursors) {
      if (cursor.at < cursor.page.length) continue
      const read: EntryPages.EntryPage =
        cursor.next === null
          ? { entries: [], next: null }
          : yield* EntryPages.page(store, cursor.sessionId, cursor.next)
      cursor.page = read.entries
      cursor.at = 0
      cursor.next = read.next
    }
    cursors = cursors.filter(({ page }) => page.length > 0)
    if (cursors.length === 0) return
    // Read until the page ends or a child begins.
    while (true) {
      const next = cursors.reduce((first, cursor) => (commitOf(cursor) < commitOf(first) ? cursor : first))
      const entry = next.page[next.at++]
      yield* use(entry)
      if (entry.body._tag === "ChildSpawned") cursors = [...cursors, cursorOf(entry.body.childId)]
      if (entry.body._tag === "ChildSpawned" || next.at === next.page.length) break
    }
  }
})

const cursorOf = (sessionId: Session.SessionId): Cursor => ({ sessionId, page: [], at: 0, next: 0 })

const commitOf = ({ at, page }: Cursor): number => page[at].commit

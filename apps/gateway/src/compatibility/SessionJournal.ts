/** Reads the journal of a conversation: its entries, and whether its tree is quiet. */
import type { Entry, Session } from "@bough/protocol"
import { EntryPages, type SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"

type Store = SessionStore.SessionStore["Service"]

/** A session with more entries contains a message. */
const maxOpeningEntries = 16

const endStates: ReadonlySet<Session.SessionState> = new Set(["Completed", "Failed", "Expired", "Cancelled"])

export const entriesFrom = Effect.fnUntraced(function* (store: Store, sessionId: Session.SessionId, fromSeq: number) {
  const entries: Array<Entry.Entry> = []
  let next: number | null = fromSeq
  while (next !== null) {
    const page: EntryPages.EntryPage = yield* EntryPages.page(store, sessionId, next)
    entries.push(...page.entries)
    next = page.next
  }
  return entries
})

/** Returns the length of the Main's journal if its tree has no open call and no running work; else null. */
export const lengthIfQuiet = Effect.fnUntraced(function* (store: Store, sessionId: Session.SessionId) {
  const rows = yield* store.sessionsOf(sessionId)
  const main = rows.find((row) => row.sessionId === sessionId)
  if (main === undefined || main.state === "Active") return null
  if (rows.some((row) => row !== main && !endStates.has(row.state))) return null
  return (yield* store.pendingApprovals(sessionId)).length > 0 ? null : main.entries
}, Effect.orDie)

export const isWithoutMessages = (store: Store, { entries, sessionId }: Session.Summary) =>
  entries > maxOpeningEntries
    ? Effect.succeed(false)
    : Effect.map(Effect.orDie(entriesFrom(store, sessionId, 0)), (all) =>
        all.every(({ body }) => body._tag !== "UserMessage")
      )

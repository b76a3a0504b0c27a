/** Messages that another process has put into the inbox of a session that waits at its prompt. */
import type { Inbox, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

export interface Arrived {
  readonly command: Extract<Inbox.Command, { readonly _tag: "SendMessage" | "SteerSession" }>
  readonly dedupeKey: string
}

/** Returns once a message with an unknown key waits, and marks that key as known, so that each message is answered once. */
export const messagesElsewhere = Effect.fnUntraced(function* (sessionId: Session.SessionId, known: Set<string>) {
  const store = yield* SessionStore.SessionStore
  const unread = Effect.map(store.inbox(sessionId), (rows) =>
    rows.flatMap(({ command, dedupeKey }): ReadonlyArray<Arrived> => {
      const isMessage = command._tag === "SendMessage" || command._tag === "SteerSession"
      if (!isMessage || command.sessionId !== sessionId || known.has(dedupeKey)) return []
      known.add(dedupeKey)
      return [{ command, dedupeKey }]
    })
  )
  const found = yield* SessionStore.inboxChanges(store, sessionId).pipe(
    Stream.mapEffect(() => unread),
    Stream.filter((messages) => messages.length > 0),
    Stream.take(1),
    Stream.runCollect
  )
  return found.flat()
})

/** Returns the messages that wait for the next step of an interrupted turn, such as those that were typed before a crash. */
export const waitingSteering = Effect.fnUntraced(function* (sessionId: Session.SessionId) {
  const store = yield* SessionStore.SessionStore
  const rows = yield* store.inbox(sessionId)
  return rows.flatMap(({ command, dedupeKey }) =>
    command._tag === "SteerSession" && command.sessionId === sessionId ? [{ command, dedupeKey }] : []
  )
})

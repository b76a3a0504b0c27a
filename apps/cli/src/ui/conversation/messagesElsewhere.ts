/** Messages that another process has put into the inbox of a session that waits at its prompt. */
import type { Inbox, Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

export interface ArrivedMessage {
  readonly command: Extract<Inbox.Command, { readonly _tag: "SendMessage" | "SteerSession" }>
  readonly dedupeKey: string
}

/** Returns once a message with an unknown key waits, and marks that key as known, so that each message is answered once. */
export const messagesElsewhere = Effect.fnUntraced(function* (sessionId: Session.SessionId, known: Set<string>) {
  const store = yield* SessionStore.SessionStore
  const unread = Effect.map(store.inbox(sessionId), (rows) =>
    rows.flatMap((row): ReadonlyArray<ArrivedMessage> => {
      if (!isMessageTo(row, sessionId) || known.has(row.dedupeKey)) return []
      known.add(row.dedupeKey)
      return [row]
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

/**
 * Returns the messages that no step of an interrupted turn has read, such as those that were typed before a crash, and
 * the message that began the turn, if the journal has no entry of that message yet.
 */
export const waitingMessages = Effect.fnUntraced(function* (sessionId: Session.SessionId) {
  const store = yield* SessionStore.SessionStore
  return (yield* store.inbox(sessionId)).flatMap((row) => (isMessageTo(row, sessionId) ? [row] : []))
})

const isMessageTo = (row: Inbox.Row, sessionId: Session.SessionId): row is Inbox.Row & ArrivedMessage =>
  (row.command._tag === "SendMessage" || row.command._tag === "SteerSession") && row.command.sessionId === sessionId

/**
 * Finds the session of a conversation in another protocol: by the client's id, or by the conversation's text, because
 * chat completions have no id.
 */
import { Session } from "@bough/protocol"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import type { ChatMessage } from "./TurnInput.ts"

export interface Conversation {
  readonly sessionId: Session.SessionId
  /**
   * The length of the session's journal when the key was stored; null: the key names the current state of the session.
   */
  readonly entries: number | null
}

export class Conversations extends Context.Service<
  Conversations,
  {
    /** Null: the user has no conversation with that key. */
    readonly find: (userKey: string, key: string) => Effect.Effect<Conversation | null>
    readonly remember: (userKey: string, key: string, conversation: Conversation) => Effect.Effect<void>
  }
>()("@bough/gateway/Conversations") {}

/**
 * The key of a conversation's text: the same for every client that sends the same words, with any spacing or division
 * into parts.
 */
export const keyOfWords = (said: ReadonlyArray<ChatMessage>): string => {
  const hash = createHash("sha256")
  let role: ChatMessage["role"] | null = null
  for (const each of said) {
    if (each.role !== role) hash.update(`\n${each.role}:`)
    role = each.role
    hash.update(each.text.replace(/\s+/gu, ""))
  }
  return `words:${hash.digest("hex")}`
}

const ongoingTurn = -1

interface Row {
  readonly session_id: string
  /** PostgreSQL gives a BIGINT as text. */
  readonly entries: number | string
}

export const layer: Layer.Layer<Conversations, never, SqlClient.SqlClient> = Layer.effect(
  Conversations,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return Conversations.of({
      find: Effect.fnUntraced(function* (userKey, key) {
        const [row] = yield* sql<Row>`
          SELECT session_id, entries FROM compatibility_conversations
          WHERE user_key = ${userKey} AND conversation_key = ${key}`
        if (row === undefined) return null
        const entries = Number(row.entries)
        return { sessionId: Session.SessionId.make(row.session_id), entries: entries === ongoingTurn ? null : entries }
      }, Effect.orDie),
      remember: Effect.fnUntraced(function* (userKey, key, { entries, sessionId }) {
        const nowMillis = yield* Clock.currentTimeMillis
        const row = {
          user_key: userKey,
          conversation_key: key,
          session_id: sessionId,
          entries: entries ?? ongoingTurn,
          created_at_millis: nowMillis
        }
        yield* sql`
          INSERT INTO compatibility_conversations ${sql.insert(row)}
          ON CONFLICT (user_key, conversation_key) DO UPDATE SET session_id = excluded.session_id, entries = excluded.entries`
      }, Effect.orDie)
    })
  })
)

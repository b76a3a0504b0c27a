/** Conversations that a request identifies only by their text, as chat completions do. */
import { Authorization } from "@bough/gateway-api"
import type { Session } from "@bough/protocol"
import * as Effect from "effect/Effect"
import { defaultAgent } from "../../sessions/AgentCatalog.ts"
import * as Conversations from "../Conversations.ts"
import { HostedTurns } from "../HostedTurns.ts"
import type { EventOf } from "../TurnEvent.ts"
import { type ChatMessage, withHistory } from "../TurnInput.ts"
import type { OpenedRequest } from "./OpenedRequests.ts"
import type * as RequestReader from "./RequestReader.ts"

type Principal = Authorization.Principal

/**
 * Returns the session that continues these messages, or a fork of it if its conversation has continued differently
 * since.
 */
const sessionOfWords = Effect.fnUntraced(function* (
  principal: Principal,
  { agent, history }: Pick<WantedConversation, "agent" | "history">
) {
  const conversations = yield* Conversations.Conversations
  const turns = yield* HostedTurns
  if (history.length === 0) return null
  const found = yield* conversations.find(Authorization.userKey(principal), Conversations.keyOfWords(history))
  if (found === null) return null
  const session = yield* Effect.option(turns.find(principal, found.sessionId))
  if (session._tag === "None" || session.value.agent !== agent || found.entries === null) return null
  const later = yield* turns.entries(found.sessionId, found.entries)
  if (later.every(({ body }) => body._tag !== "UserMessage")) return found.sessionId
  return yield* Effect.orElseSucceed(turns.fork(principal, found.sessionId, found.entries), () => null)
})

export interface WantedConversation {
  readonly agent: string
  readonly history: ReadonlyArray<ChatMessage>
  readonly instructions: ReadonlyArray<string>
  readonly content: RequestReader.Content | null
}

/** Opens the session for a request without a session id. */
export const openByWords = Effect.fnUntraced(function* (
  principal: Principal,
  key: string,
  wanted: Pick<WantedConversation, "agent" | "history">
) {
  const turns = yield* HostedTurns
  const known = yield* sessionOfWords(principal, wanted)
  const sessionId = known ?? (yield* turns.create(principal, keyOf(key, wanted.agent), wanted.agent))
  const { entries } = yield* turns.find(principal, sessionId)
  return { sessionId, entries, isNew: known === null, places: null }
})

/** The message of the request: a new session gets the conversation so far with it. */
export const messageOf = ({ isNew }: Pick<OpenedRequest, "isNew">, wanted: Omit<WantedConversation, "agent">) => {
  const { media, text } = wanted.content ?? { media: [], text: "" }
  return { media, text: isNew ? withHistory(wanted, text) : text }
}

/** Includes the agent, so that the same request for another agent is another session. */
const keyOf = (key: string, agent: string): string =>
  agent === defaultAgent ? `openai:${key}` : `openai:${agent}:${key}`

export interface StoredConversation {
  readonly sessionId: Session.SessionId
  readonly said: ReadonlyArray<ChatMessage>
  readonly ended: EventOf<"Ended">
}

/** Records the conversation by its text, for the next request that sends it along. */
export const remember = (principal: Principal, { ended, said, sessionId }: StoredConversation) =>
  Effect.flatMap(Conversations.Conversations, (conversations) =>
    conversations.remember(Authorization.userKey(principal), Conversations.keyOfWords(said), {
      sessionId,
      entries: ended.positions[sessionId] ?? null
    })
  )

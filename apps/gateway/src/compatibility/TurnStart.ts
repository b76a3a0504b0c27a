/** Starts a turn: records the decisions of the user, and sends the message. */
import { Authorization } from "@bough/gateway-api"
import type { Approval, Session } from "@bough/protocol"
import { Host, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { AgentCatalog } from "../sessions/AgentCatalog.ts"
import { requireMoney } from "./SessionCreation.ts"
import * as SessionJournal from "./SessionJournal.ts"
import { type TurnInput, withHistory } from "./TurnInput.ts"
import * as TurnLookup from "./TurnLookup.ts"
import type { Start } from "./TurnReader.ts"
import { refuse, sessionNotFound } from "./TurnRefused.ts"

type Principal = Authorization.Principal

export interface OpenedTurn {
  readonly sessionId: Session.SessionId
  readonly start: Start
}

/** The id of a message in its entry. */
export const messageIdOf = (principal: Principal, key: string): string =>
  `from:${Authorization.userKey(principal)}:${key}`

/** Records the decisions and sends the message: durable on return. */
export const beginTurn = Effect.fnUntraced(function* (
  principal: Principal,
  sessionId: Session.SessionId,
  input: TurnInput
) {
  const store = yield* SessionStore.SessionStore
  const { answers, message } = input
  const summary = yield* TurnLookup.findSession(store, principal, sessionId)
  yield* requireAllowed(principal, summary, input)
  const requests = yield* Effect.forEach(answers, ({ approvalId }) =>
    TurnLookup.findRequest(store, sessionId, approvalId)
  )
  yield* Effect.forEach(requests, (request, index) => decide(principal, request, answers[index]), { discard: true })
  const positions = input.positions ?? { [sessionId]: summary.entries }
  if (message === null) {
    const start: Start = { _tag: "Positions", positions, decided: requests, messageId: null }
    return { sessionId, start }
  }
  const messageId = messageIdOf(principal, message.key)
  if (answers.length > 0) {
    yield* sendMessage(principal, summary, message)
    const start: Start = { _tag: "Positions", positions, decided: requests, messageId }
    return { sessionId, start }
  }
  const fromSeq = yield* SessionJournal.lengthIfQuiet(store, sessionId)
  const isNew = yield* sendMessage(principal, summary, message)
  const start: Start = { _tag: "Message", messageId, ...(fromSeq === null || !isNew ? {} : { fromSeq }) }
  return { sessionId, start }
})

const requireAllowed = Effect.fnUntraced(function* (
  principal: Principal,
  summary: Session.Summary,
  { answers, message }: TurnInput
) {
  const catalog = yield* AgentCatalog
  if (answers.length > 0 && !principal.scopes.has("approve")) {
    return yield* refuse("scope_missing", "deciding an approval needs a token with the scope approve")
  }
  const missing = yield* catalog.missing(summary)
  if (missing !== null) return yield* refuse("unknown_agent", missing)
  if (message !== null) yield* requireMoney(principal)
})

const decide = Effect.fnUntraced(function* (
  principal: Principal,
  { approvalId }: Approval.Request,
  { approved, reason }: TurnInput["answers"][number]
) {
  const host = yield* Host.Host
  const decision: Approval.Decision = approved ? { _tag: "Approved", rule: null } : { _tag: "Denied", words: reason }
  yield* host.decide(approvalId, decision, Authorization.userKey(principal)).pipe(
    Effect.catchTags({
      // The first decision counts; its outcome is reported.
      ApprovalClosed: () => Effect.void,
      ApprovalNotFound: Effect.die,
      SessionNotFound: Effect.die,
      NotAuthorised: sessionNotFound,
      PrincipalRefused: Effect.die,
      StoreFailed: Effect.die
    })
  )
})

/** Returns false if the session already had the message. */
const sendMessage = Effect.fnUntraced(function* (
  principal: Principal,
  summary: Session.Summary,
  { before, key, media, text: words }: Exclude<TurnInput["message"], null>
) {
  const host = yield* Host.Host
  const store = yield* SessionStore.SessionStore
  const isFirst = before !== undefined && (yield* SessionJournal.isWithoutMessages(store, summary))
  const text = isFirst ? withHistory(before, words) : words
  const sender = { principal: Authorization.userKey(principal), key }
  const sent = yield* host.send(summary.sessionId, { text, media }, sender).pipe(
    Effect.catchTags({
      SessionNotFound: sessionNotFound,
      NotAuthorised: sessionNotFound,
      NotAMain: sessionNotFound,
      PrincipalRefused: Effect.die,
      StoreFailed: Effect.die
    })
  )
  return sent.inserted
})

/** Opens conversations, sends messages and decisions, and follows their effects, for the routes of all protocols. */
import { Authorization } from "@bough/gateway-api"
import type { Entry, Session } from "@bough/protocol"
import { Host, SessionStore } from "@bough/runtime"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Stream from "effect/Stream"
import { Quotas } from "../accounts/Quotas.ts"
import { AgentCatalog, defaultAgent } from "../sessions/AgentCatalog.ts"
import { Workspaces } from "../sessions/Workspaces.ts"
import { followTurn, type Failure } from "./FollowTurn.ts"
import { createSession, forkSession } from "./SessionCreation.ts"
import * as SessionJournal from "./SessionJournal.ts"
import type { TurnEvent } from "./TurnEvent.ts"
import type { TurnInput } from "./TurnInput.ts"
import * as TurnLookup from "./TurnLookup.ts"
import { sessionNotFound, type TurnRefused } from "./TurnRefused.ts"
import { beginTurn, type OpenedTurn } from "./TurnStart.ts"

type Principal = Authorization.Principal

export class HostedTurns extends Context.Service<
  HostedTurns,
  {
    /**
     * Creates a session; the same idempotency key of the same user returns the same session. Default: the gateway's own
     * agent.
     */
    readonly create: (
      principal: Principal,
      key: string,
      agent?: string
    ) => Effect.Effect<Session.SessionId, TurnRefused>
    /** Returns a Main of the user; a Main of another user is not found. */
    readonly find: (principal: Principal, sessionId: string) => Effect.Effect<Session.Summary, TurnRefused>
    /** The Main of an approval's tree. */
    readonly findByApproval: (principal: Principal, approvalId: string) => Effect.Effect<Session.Summary, TurnRefused>
    /** The journal of a Main from an entry on; default: from its first. */
    readonly entries: (sessionId: Session.SessionId, fromSeq?: number) => Effect.Effect<ReadonlyArray<Entry.Entry>>
    /** True if the tree has never had a child session. */
    readonly isAlone: (sessionId: Session.SessionId) => Effect.Effect<boolean>
    /** Forks a session: the new one begins with the first `entries` entries. */
    readonly fork: (
      principal: Principal,
      sessionId: Session.SessionId,
      entries: number
    ) => Effect.Effect<Session.SessionId, TurnRefused>
    /** Records the decisions and sends the message: durable on return. */
    readonly begin: (
      principal: Principal,
      sessionId: Session.SessionId,
      input: TurnInput
    ) => Effect.Effect<OpenedTurn, TurnRefused>
    readonly follow: (opened: OpenedTurn) => Stream.Stream<TurnEvent, Failure>
    readonly cancel: (principal: Principal, sessionId: Session.SessionId) => Effect.Effect<void, TurnRefused>
  }
>()("@bough/gateway/HostedTurns") {}

/** The interval at which a stream reads the journal even if no event arrives. */
const lookMillis = 15_000

type Ports = Host.Host | SessionStore.SessionStore | Workspaces | Quotas | AgentCatalog

const make = Effect.gen(function* () {
  const host = yield* Host.Host
  const store = yield* SessionStore.SessionStore
  // Only these services are passed on: the whole context would also contain a span and a scope.
  const ports: Context.Context<Ports> = Context.make(Host.Host, host).pipe(
    Context.add(SessionStore.SessionStore, store),
    Context.add(Workspaces, yield* Workspaces),
    Context.add(Quotas, yield* Quotas),
    Context.add(AgentCatalog, yield* AgentCatalog)
  )
  return HostedTurns.of({
    create: (principal, key, agent = defaultAgent) =>
      Effect.provideContext(createSession(principal, key, agent), ports),
    find: (principal, sessionId) => TurnLookup.findSession(store, principal, sessionId),
    findByApproval: (principal, approvalId) => TurnLookup.findSessionOfApproval(store, principal, approvalId),
    entries: (sessionId, fromSeq = 0) => Effect.orDie(SessionJournal.entriesFrom(store, sessionId, fromSeq)),
    isAlone: (sessionId) => Effect.orDie(Effect.map(store.sessionsOf(sessionId), (rows) => rows.length === 1)),
    fork: (principal, sessionId, entries) => Effect.provideContext(forkSession(principal, sessionId, entries), ports),
    begin: (principal, sessionId, input) => Effect.provideContext(beginTurn(principal, sessionId, input), ports),
    follow: ({ sessionId, start }) => followTurn({ host, store, lookMillis }, sessionId, start),
    cancel: Effect.fnUntraced(function* (principal, sessionId) {
      yield* TurnLookup.findSession(store, principal, sessionId)
      yield* host.cancel(sessionId, "stopped by the user", { principal: Authorization.userKey(principal) }).pipe(
        Effect.catchTags({
          SessionNotFound: sessionNotFound,
          NotAuthorised: sessionNotFound,
          PrincipalRefused: Effect.die,
          StoreFailed: Effect.die
        })
      )
    })
  })
})

export const layer: Layer.Layer<HostedTurns, never, Ports> = Layer.effect(HostedTurns, make)

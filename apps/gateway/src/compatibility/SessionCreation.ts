/** Creates and forks conversations within the quotas of their tenants. */
import { Authorization } from "@bough/gateway-api"
import type { Session } from "@bough/protocol"
import { Fork, Host } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { TenantId } from "../accounts/Principal.ts"
import { Quotas } from "../accounts/Quotas.ts"
import { AgentCatalog } from "../sessions/AgentCatalog.ts"
import { Workspaces } from "../sessions/Workspaces.ts"
import { refuse, sessionNotFound } from "./TurnRefused.ts"

/** Fails if the tenant's money for the day is spent: a message would start a turn that fails. */
export const requireMoney = Effect.fnUntraced(function* ({ tenant }: Authorization.Principal) {
  const quotas = yield* Quotas
  yield* Effect.catchTag(quotas.require(TenantId.make(tenant), "moneyPerDay"), "QuotaExceeded", ({ message }) =>
    refuse("quota_exceeded", message)
  )
})

/** Counts a new session, and removes it if the tenant may have no more. */
const countSession = Effect.fnUntraced(function* ({ tenant }: Authorization.Principal, sessionId: Session.SessionId) {
  const host = yield* Host.Host
  const quotas = yield* Quotas
  yield* Effect.catchTag(quotas.take(TenantId.make(tenant), "sessions", 1), "QuotaExceeded", ({ message }) =>
    Effect.andThen(Effect.orDie(host.remove(sessionId)), refuse("quota_exceeded", message))
  )
})

/** Creates a session; the same key of the same user returns the same session. */
export const createSession = Effect.fnUntraced(function* (
  principal: Authorization.Principal,
  key: string,
  agent: string
) {
  const host = yield* Host.Host
  const workspaces = yield* Workspaces
  yield* requireMoney(principal)
  const workspace = yield* workspaces.create(principal, key)
  const user = Authorization.userKey(principal)
  const created = yield* host.create({ name: agent, user, workspaceRoot: workspace.path, key }).pipe(
    Effect.catchTags({
      TreeBusy: () => refuse("session_busy", "the session is being made; try again"),
      // The user created the session with another agent or workspace through the gateway's own API.
      KeyReused: () => refuse("session_exists", "the user has another session with the key of this conversation"),
      PrincipalRefused: Effect.die,
      LeaseLost: Effect.die,
      StoreFailed: Effect.die
    })
  )
  if (created.inserted) {
    yield* Effect.onError(countSession(principal, created.sessionId), () => workspaces.remove(workspace.path))
  }
  return created.sessionId
})

/** Forks a session: the new one begins with the first `entries` entries. */
export const forkSession = Effect.fnUntraced(function* (
  principal: Authorization.Principal,
  sessionId: Session.SessionId,
  entries: number
) {
  const catalog = yield* AgentCatalog
  const forked = yield* Fork.fork(sessionId, entries - 1).pipe(
    Effect.catchTags({
      NotAStepBoundary: ({ message }) => refuse("not_a_step_boundary", message),
      SessionNotFound: sessionNotFound,
      JournalCorrupt: Effect.die,
      LeaseLost: Effect.die,
      StoreFailed: Effect.die
    })
  )
  yield* countSession(principal, forked)
  yield* catalog.copy(sessionId, forked)
  return forked
})

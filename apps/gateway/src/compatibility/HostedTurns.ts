/** Opens conversations, sends messages and decisions, and follows their effects, for the routes of all protocols. */
import { Authorization } from "@bough/gateway-api"
import type { Approval, Entry, Session } from "@bough/protocol"
import { EntryPages, Fork, Host, SessionStore } from "@bough/runtime"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import { TenantId } from "../accounts/Principal.ts"
import { Quotas } from "../accounts/Quotas.ts"
import { AgentCatalog, defaultAgent } from "../sessions/AgentCatalog.ts"
import { Workspaces } from "../sessions/Workspaces.ts"
import { followTurn, type Failure } from "./FollowTurn.ts"
import type { TurnEvent } from "./TurnEvent.ts"
import { type TurnInput, withHistory } from "./TurnInput.ts"
import type { Start } from "./TurnReader.ts"

/** The request was refused; each protocol reports this in its own form. */
export class TurnRefused extends Schema.TaggedError<TurnRefused>()("TurnRefused", {
  reason: Schema.Literals([
    "not_found",
    "approval_not_found",
    "scope_missing",
    "session_busy",
    "session_exists",
    "not_a_step_boundary",
    "quota_exceeded",
    "too_many_streams",
    "unknown_agent"
  ]),
  message: Schema.String
}) {}

type Principal = Authorization.Principal

export interface OpenedTurn {
  readonly sessionId: Session.SessionId
  readonly start: Start
}

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

/** A session with more entries contains a message. */
const maxOpeningEntries = 16

const endStates: ReadonlySet<Session.SessionState> = new Set(["Completed", "Failed", "Expired", "Cancelled"])

const refused = (reason: TurnRefused["reason"], message: string) => Effect.fail(new TurnRefused({ reason, message }))
const sessionNotFound = () => refused("not_found", "there is no such conversation")

/** The id of a message in its entry. */
export const messageIdOf = (principal: Principal, key: string): string =>
  `from:${Authorization.userKey(principal)}:${key}`

const entriesFrom = Effect.fnUntraced(function* (
  store: SessionStore.SessionStore["Service"],
  sessionId: Session.SessionId,
  fromSeq: number
) {
  const entries: Array<Entry.Entry> = []
  let next: number | null = fromSeq
  while (next !== null) {
    const page: EntryPages.EntryPage = yield* EntryPages.page(store, sessionId, next)
    entries.push(...page.entries)
    next = page.next
  }
  return entries
})

const make = Effect.gen(function* () {
  const host = yield* Host.Host
  const store = yield* SessionStore.SessionStore
  const workspaces = yield* Workspaces
  const quotas = yield* Quotas
  const catalog = yield* AgentCatalog

  const find = Effect.fnUntraced(function* (principal: Principal, sessionId: string) {
    const session = yield* Effect.catchTags(store.session(sessionId), {
      SessionNotFound: sessionNotFound,
      StoreFailed: Effect.die
    })
    return session.kind === "Main" && session.user === Authorization.userKey(principal)
      ? session
      : yield* sessionNotFound()
  })

  /** Counts a new session, and removes it if the tenant may have no more. */
  const count = ({ tenant }: Principal, sessionId: Session.SessionId) =>
    Effect.catchTag(quotas.take(TenantId.make(tenant), "sessions", 1), "QuotaExceeded", ({ message }) =>
      Effect.andThen(Effect.orDie(host.remove(sessionId)), refused("quota_exceeded", message))
    )

  /** Fails if the tenant's money for the day is spent: a message would start a turn that fails. */
  const requireMoney = ({ tenant }: Principal) =>
    Effect.catchTag(quotas.require(TenantId.make(tenant), "moneyPerDay"), "QuotaExceeded", ({ message }) =>
      refused("quota_exceeded", message)
    )

  const create = Effect.fnUntraced(function* (principal: Principal, key: string, agent = defaultAgent) {
    yield* requireMoney(principal)
    const workspace = yield* workspaces.create(principal, key)
    const user = Authorization.userKey(principal)
    const created = yield* host.create({ name: agent, user, workspaceRoot: workspace.path, key }).pipe(
      Effect.catchTags({
        TreeBusy: () => refused("session_busy", "the session is being made; try again"),
        // The user created the session with another agent or workspace through the gateway's own API.
        KeyReused: () => refused("session_exists", "the user has another session with the key of this conversation"),
        PrincipalRefused: Effect.die,
        LeaseLost: Effect.die,
        StoreFailed: Effect.die
      })
    )
    if (created.inserted) {
      yield* Effect.onError(count(principal, created.sessionId), () => workspaces.remove(workspace.path))
    }
    return created.sessionId
  })

  const approvalNotFound = (approvalId: string) =>
    refused("approval_not_found", `this conversation has no approval ${JSON.stringify(approvalId)}`)

  const findApproval = (approvalId: string) =>
    Effect.catchTags(store.approval(approvalId), {
      ApprovalNotFound: () => approvalNotFound(approvalId),
      StoreFailed: Effect.die
    })

  /** The request of an approval in that tree. */
  const requestOf = Effect.fnUntraced(function* (sessionId: Session.SessionId, approvalId: string) {
    const { request } = yield* findApproval(approvalId)
    return request.sessionPath[0] === sessionId ? request : yield* approvalNotFound(approvalId)
  })

  const decide = (
    principal: Principal,
    decided: ReadonlyArray<readonly [Approval.Request, TurnInput["answers"][number]]>
  ) =>
    Effect.forEach(
      decided,
      ([{ approvalId }, { approved, reason }]) =>
        host
          .decide(
            approvalId,
            approved ? { _tag: "Approved", rule: null } : { _tag: "Denied", words: reason },
            Authorization.userKey(principal)
          )
          .pipe(
            Effect.catchTags({
              // The first decision counts; its outcome is reported.
              ApprovalClosed: () => Effect.void,
              ApprovalNotFound: Effect.die,
              SessionNotFound: Effect.die,
              NotAuthorised: sessionNotFound,
              PrincipalRefused: Effect.die,
              StoreFailed: Effect.die
            })
          ),
      { discard: true }
    )

  /** Returns the length of the Main's journal if its tree has no open call and no running work; else null. */
  const quietAt = Effect.fnUntraced(function* (sessionId: Session.SessionId) {
    const rows = yield* store.sessionsOf(sessionId)
    const main = rows.find((row) => row.sessionId === sessionId)
    if (main === undefined || main.state === "Active") return null
    if (rows.some((row) => row !== main && !endStates.has(row.state))) return null
    return (yield* store.pendingApprovals(sessionId)).length > 0 ? null : main.entries
  }, Effect.orDie)

  const isWithoutMessages = ({ entries, sessionId }: Session.Summary) =>
    entries > maxOpeningEntries
      ? Effect.succeed(false)
      : Effect.map(Effect.orDie(entriesFrom(store, sessionId, 0)), (all) =>
          all.every(({ body }) => body._tag !== "UserMessage")
        )

  const begin = Effect.fnUntraced(function* (principal: Principal, sessionId: Session.SessionId, input: TurnInput) {
    const { answers, message } = input
    const summary = yield* find(principal, sessionId)
    if (answers.length > 0 && !principal.scopes.has("approve")) {
      return yield* refused("scope_missing", "deciding an approval needs a token with the scope approve")
    }
    const missing = yield* catalog.missing(summary)
    if (missing !== null) return yield* refused("unknown_agent", missing)
    if (message !== null) yield* requireMoney(principal)
    const requests = yield* Effect.forEach(answers, ({ approvalId }) => requestOf(sessionId, approvalId))
    yield* decide(
      principal,
      requests.map((request, index) => [request, answers[index]] as const)
    )
    const messageId = message === null ? null : messageIdOf(principal, message.key)
    const quiet = message === null || answers.length > 0 ? null : yield* quietAt(sessionId)
    let isNew = false
    if (message !== null) {
      const { before, key, media } = message
      const isFirst = before !== undefined && (yield* isWithoutMessages(summary))
      const text = isFirst ? withHistory(before, message.text) : message.text
      const sent = yield* host
        .send(sessionId, { text, media }, { principal: Authorization.userKey(principal), key })
        .pipe(
          Effect.catchTags({
            SessionNotFound: sessionNotFound,
            NotAuthorised: sessionNotFound,
            NotAMain: sessionNotFound,
            PrincipalRefused: Effect.die,
            StoreFailed: Effect.die
          })
        )
      isNew = sent.inserted
    }
    const start: Start =
      messageId !== null && answers.length === 0
        ? { _tag: "Message", messageId, ...(quiet === null || !isNew ? {} : { fromSeq: quiet }) }
        : { _tag: "Places", places: input.places ?? { [sessionId]: summary.entries }, decided: requests, messageId }
    return { sessionId, start }
  })

  return HostedTurns.of({
    create,
    find,
    findByApproval: Effect.fnUntraced(function* (principal, approvalId) {
      const { request } = yield* findApproval(approvalId)
      return yield* Effect.mapError(
        find(principal, request.sessionPath[0]),
        () =>
          new TurnRefused({
            reason: "approval_not_found",
            message: `there is no approval ${JSON.stringify(approvalId)}`
          })
      )
    }),
    entries: (sessionId, fromSeq = 0) => Effect.orDie(entriesFrom(store, sessionId, fromSeq)),
    isAlone: (sessionId) => Effect.orDie(Effect.map(store.sessionsOf(sessionId), (rows) => rows.length === 1)),
    fork: (principal, sessionId, entries) =>
      Fork.fork(sessionId, entries - 1).pipe(
        Effect.provideService(SessionStore.SessionStore, store),
        Effect.catchTags({
          NotAStepBoundary: ({ message }) => refused("not_a_step_boundary", message),
          SessionNotFound: sessionNotFound,
          JournalCorrupt: Effect.die,
          LeaseLost: Effect.die,
          StoreFailed: Effect.die
        }),
        Effect.tap((forked) => count(principal, forked)),
        Effect.tap((forked) => catalog.copy(sessionId, forked))
      ),
    begin,
    follow: ({ sessionId, start }) => followTurn({ host, store, lookMillis }, sessionId, start),
    cancel: Effect.fnUntraced(function* (principal, sessionId) {
      yield* find(principal, sessionId)
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

export const layer: Layer.Layer<
  HostedTurns,
  never,
  Host.Host | SessionStore.SessionStore | Workspaces | Quotas | AgentCatalog
> = Layer.effect(HostedTurns, make)

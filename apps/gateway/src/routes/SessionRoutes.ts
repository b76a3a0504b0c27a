/** Handlers of sessions. */
import { Api, Authorization, Problem } from "@bough/gateway-api"
import * as RecordedMode from "@bough/host/session/RecordedMode"
import { Canonical, type Session } from "@bough/protocol"
import { Fork, Host, SessionStore, TreeEntries } from "@bough/runtime"
import { ConversationIndex } from "@bough/tool"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { Quotas } from "../accounts/Quotas.ts"
import { AgentCatalog, defaultAgent } from "../sessions/AgentCatalog.ts"
import { OwnSessions } from "../sessions/OwnSessions.ts"
import * as SessionQuota from "../sessions/SessionQuota.ts"
import { SessionRemoval } from "../sessions/SessionRemoval.ts"
import { type Workspace, Workspaces } from "../sessions/Workspaces.ts"
import * as Cursor from "./Cursor.ts"
import * as IfMatch from "./IfMatch.ts"

const defaultLimit = 50
/** The maximum number of entries that a search indexes before it answers. */
const maxIndexed = 20_000
/** The maximum number of lines that wait for the reader of an export. */
const exportBuffer = 16

/** The ETag of the editable facts of a session. */
const eTagOf = ({ archivedAtMillis, title }: Session.Summary): string =>
  `"${Canonical.digestOf({ title, isArchived: archivedAtMillis !== undefined })
    .replace("sha256:", "")
    .slice(0, 32)}"`

export const layer = HttpApiBuilder.group(
  Api.Api,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* SessionStore.SessionStore
    const host = yield* Host.Host
    const ownSessions = yield* OwnSessions
    const workspaces = yield* Workspaces
    const quotas = yield* Quotas
    const removal = yield* SessionRemoval
    const catalog = yield* AgentCatalog

    const conversations = yield* ConversationIndex.ConversationIndex
    const withETag = (session: Session.Summary) =>
      HttpApiSchema.withHeaders({ body: ownSessions.view(session), headers: { etag: eTagOf(session) } })
    const busy = ({ waitSeconds }: SessionStore.TreeBusy) =>
      new Problem.Conflict({
        code: "session_busy",
        detail: `the session is at work${waitSeconds === null ? "" : `; ask again in ${waitSeconds} s`}`
      })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const principal = yield* Authorization.CurrentPrincipal
        const limit = query.limit ?? defaultLimit
        const after = query.cursor === undefined ? null : yield* Cursor.decode(query.cursor)
        const page = yield* Effect.orDie(
          store.list({
            workspaceRoot: null,
            user: Authorization.userKey(principal),
            limit: limit + 1,
            ...(query.archived === "any" ? {} : { isArchived: query.archived === "true" }),
            ...(query.title === undefined ? {} : { titleContains: query.title }),
            ...(query.state === undefined ? {} : { state: query.state }),
            ...(after === null ? {} : { after })
          })
        )
        const items = page.slice(0, limit)
        const last = items.at(-1)
        return {
          items: items.map(ownSessions.view),
          next: page.length > limit && last !== undefined ? Cursor.encode(last) : null
        }
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const principal = yield* Authorization.CurrentPrincipal
        const key = headers["idempotency-key"] ?? null
        const user = Authorization.userKey(principal)
        const agent = payload.agent ?? defaultAgent
        const { model, workspaceId } = payload
        const workspace = workspaceId === undefined ? null : yield* workspaces.find(principal, workspaceId)
        if (workspaceId !== undefined && workspace === null) {
          return yield* new Problem.NotFound({ detail: "no such workspace" })
        }
        const agents = yield* catalog.agents(user, workspace?.path ?? null)
        const chosen = agents.find(({ name }) => name === agent)
        if (chosen === undefined) {
          const detail = `the agents are ${agents.map(({ name }) => name).join(", ")}`
          return yield* new Problem.Unprocessable({ code: "unknown_agent", detail })
        }
        if (model !== undefined) {
          const models = yield* catalog.models(user)
          if (!models.some(({ name }) => name === model)) {
            const detail = `the models are ${models.map(({ name }) => name).join(", ")}`
            return yield* new Problem.Unprocessable({ code: "unknown_model", detail })
          }
        }
        // By naming an agent of the workspace, the user trusts the current file that defines it.
        if (workspace !== null && chosen.from === "workspace") yield* catalog.trust(user, workspace.path, agent)
        const create = ({ path }: Workspace) =>
          host.create({ name: agent, user, workspaceRoot: path, ...(key === null ? {} : { key }) }).pipe(
            Effect.catchTags({
              KeyReused: () =>
                Effect.fail(
                  new Problem.Conflict({
                    code: "idempotency_key_reused",
                    detail: "the key was used to create another session"
                  })
                ),
              TreeBusy: (error) => Effect.fail(busy(error)),
              PrincipalRefused: Effect.die,
              LeaseLost: Effect.die,
              StoreFailed: Effect.die
            })
          )
        const created = yield* SessionQuota.createCounted(quotas, principal, {
          take:
            workspace === null
              ? workspaces.createForSession(principal, key)
              : Effect.as(SessionQuota.takeSession(quotas, principal), workspace),
          create,
          isNew: ({ inserted }) => inserted
        }).pipe(Effect.catchTag("QuotaExceeded", SessionQuota.refuse))
        if (model !== undefined) yield* catalog.choose(created.sessionId, model)
        return ownSessions.view(yield* ownSessions.find(created.sessionId))
      }),
      search: Effect.fnUntraced(function* ({ query }) {
        const user = Authorization.userKey(yield* Authorization.CurrentPrincipal)
        const { messages } = yield* Effect.orDie(
          conversations.search({
            user,
            text: query.text,
            limit: query.limit ?? defaultLimit,
            workspaceRoot: null,
            without: null,
            // Nothing is left to redact: known secrets were redacted before the journals were stored.
            catchUp: { redact: (text) => text, maxEntries: maxIndexed }
          })
        )
        return {
          items: messages.map(({ seq, sessionId, speaker, text, title, updatedAtMillis }) => ({
            sessionId,
            sequence: seq,
            speaker,
            text,
            title,
            updatedAtMillis
          }))
        }
      }),
      get: ({ params }) => Effect.map(ownSessions.find(params.sessionId), withETag),
      change: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const session = yield* ownSessions.find(params.sessionId)
        const condition = headers["if-match"]
        const stale = () => new Problem.PreconditionFailed({ detail: "the session was changed: read it again" })
        if (!IfMatch.isSatisfied(condition, eTagOf(session))) return yield* stale()
        const { archived, title } = payload
        const changed = yield* store
          .describe(session.sessionId, {
            ...(title === undefined ? {} : { title }),
            ...(archived === undefined ? {} : { isArchived: archived }),
            // If two requests have read the same state, only one of them changes it.
            ...(condition === undefined ? {} : { expected: session })
          })
          .pipe(
            Effect.catchTags({
              SessionNotFound: () => Effect.fail(new Problem.NotFound({})),
              DescriptionChanged: () => Effect.fail(stale()),
              StoreFailed: Effect.die
            })
          )
        return withETag(changed)
      }),
      mode: Effect.fnUntraced(function* ({ params }) {
        const { treeId } = yield* ownSessions.find(params.sessionId)
        const recorded = yield* RecordedMode.read(treeId).pipe(
          Effect.provideService(SessionStore.SessionStore, store),
          Effect.catchTag("SessionNotFound", () => Effect.fail(new Problem.NotFound({}))),
          Effect.catchTags({ JournalCorrupt: Effect.die, StoreFailed: Effect.die })
        )
        return { mode: recorded ?? "auto" }
      }),
      changeMode: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const { sessionId } = yield* ownSessions.find(params.sessionId)
        const user = Authorization.userKey(yield* Authorization.CurrentPrincipal)
        const key = headers["idempotency-key"]
        const from = { principal: user, ...(key === undefined ? {} : { key }) }
        yield* Effect.catchTags(host.changeMode(sessionId, payload.mode, from), {
          SessionNotFound: () => Effect.fail(new Problem.NotFound({})),
          NotAuthorised: () => Effect.fail(new Problem.NotFound({})),
          PrincipalRefused: Effect.die,
          StoreFailed: Effect.die
        })
        return payload
      }),
      fork: Effect.fnUntraced(function* ({ params, payload }) {
        const { sessionId, treeId } = yield* ownSessions.find(params.sessionId)
        const fork = Fork.fork(sessionId, payload.throughSeq ?? null).pipe(
          Effect.provideService(SessionStore.SessionStore, store),
          Effect.catchTags({
            NotAStepBoundary: ({ message }) =>
              Effect.fail(new Problem.Unprocessable({ code: "not_a_step_boundary", detail: message })),
            SessionNotFound: () => Effect.fail(new Problem.NotFound({})),
            JournalCorrupt: Effect.die,
            LeaseLost: Effect.die,
            StoreFailed: Effect.die
          })
        )
        const principal = yield* Authorization.CurrentPrincipal
        const forkId = yield* SessionQuota.createCounted(quotas, principal, {
          take: SessionQuota.takeSession(quotas, principal),
          create: () => fork,
          isNew: () => true
        }).pipe(Effect.catchTag("QuotaExceeded", SessionQuota.refuse))
        yield* catalog.copy(treeId, forkId)
        return ownSessions.view(yield* ownSessions.find(forkId))
      }),
      export: Effect.fnUntraced(function* ({ params }) {
        const { sessionId } = yield* ownSessions.find(params.sessionId)
        return Stream.callback<Uint8Array, SessionStore.JournalCorrupt | SessionStore.StoreFailed>(
          (queue) =>
            TreeEntries.forEach(store, sessionId, (entry) =>
              Effect.asVoid(Queue.offer(queue, Buffer.from(`${JSON.stringify(entry)}\n`)))
            ).pipe(
              Effect.matchCauseEffect({
                onFailure: (cause) => Queue.failCause(queue, cause),
                onSuccess: () => Queue.end(queue)
              })
            ),
          { bufferSize: exportBuffer, strategy: "suspend" }
        )
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const session = yield* ownSessions.find(params.sessionId)
        if (session.kind !== "Main") {
          return yield* new Problem.Conflict({
            code: "not_a_main_session",
            detail: `it is deleted with the session ${session.treeId}`
          })
        }
        yield* removal.remove(session).pipe(Effect.mapError(busy))
      })
    })
  })
)

/** Handlers of sessions. */
import { Api, Authorization, Problem } from "@bough/gateway-api"
import { Host, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { OwnSessions } from "../sessions/OwnSessions.ts"
import { Workspaces } from "../sessions/Workspaces.ts"
import * as Cursor from "./Cursor.ts"

/** The agent of sessions where the request names none. */
export const defaultAgent = "bough"
const defaultLimit = 50

export const layer = HttpApiBuilder.group(
  Api.Api,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* SessionStore.SessionStore
    const host = yield* Host.Host
    const own = yield* OwnSessions
    const workspaces = yield* Workspaces

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
            ...(query.state === undefined ? {} : { state: query.state }),
            ...(after === null ? {} : { after })
          })
        )
        const items = page.slice(0, limit)
        const last = items.at(-1)
        return {
          items: items.map(own.view),
          next: page.length > limit && last !== undefined ? Cursor.encode(last) : null
        }
      }),
      create: Effect.fnUntraced(function* ({ headers, payload }) {
        const principal = yield* Authorization.CurrentPrincipal
        const key = headers["idempotency-key"] ?? null
        const agent = payload.agent ?? defaultAgent
        if (agent !== defaultAgent) {
          return yield* new Problem.Unprocessable({ code: "unknown_agent", detail: "there is no agent of that name" })
        }
        const workspace =
          payload.workspaceId === undefined
            ? yield* workspaces.create(principal, key)
            : yield* workspaces.find(principal, payload.workspaceId)
        if (workspace === null) return yield* new Problem.NotFound({ detail: "no such workspace" })
        const created = yield* host
          .create({
            name: agent,
            user: Authorization.userKey(principal),
            workspaceRoot: workspace.path,
            ...(key === null ? {} : { key })
          })
          .pipe(
            Effect.catchTags({
              KeyReused: () =>
                Effect.fail(
                  new Problem.Conflict({ code: "idempotency_key_reused", detail: "the key made another session" })
                ),
              TreeBusy: (error) => Effect.fail(busy(error)),
              PrincipalRefused: Effect.die,
              LeaseLost: Effect.die,
              StoreFailed: Effect.die
            })
          )
        return own.view(yield* own.find(created.sessionId))
      }),
      get: ({ params }) => Effect.map(own.find(params.sessionId), own.view),
      remove: Effect.fnUntraced(function* ({ params }) {
        const session = yield* own.find(params.sessionId)
        if (session.kind !== "Main") {
          return yield* new Problem.Conflict({
            code: "not_a_main_session",
            detail: `it is deleted with the session ${session.treeId}`
          })
        }
        yield* host.remove(session.sessionId).pipe(
          Effect.catchTags({
            TreeBusy: (error) => Effect.fail(busy(error)),
            SessionNotFound: () => Effect.void,
            StoreFailed: Effect.die
          })
        )
      })
    })
  })
)

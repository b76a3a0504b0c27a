/** Handlers of workspaces. */
import { Api, Authorization, Problem, type Workspaces as WorkspacesApi } from "@bough/gateway-api"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as SessionQuota from "../sessions/SessionQuota.ts"
import { type Workspace, Workspaces } from "../sessions/Workspaces.ts"
import * as RowCursor from "./RowCursor.ts"

const defaultLimit = 50

/** A workspace as the API shows it: without its path on disk. */
const view = ({ path: _, ...workspace }: Workspace): WorkspacesApi.Workspace => workspace

export const layer = HttpApiBuilder.group(
  Api.Api,
  "workspaces",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* SessionStore.SessionStore
    const workspaces = yield* Workspaces

    const find = Effect.fnUntraced(function* (id: string) {
      const principal = yield* Authorization.CurrentPrincipal
      return (yield* workspaces.find(principal, id)) ?? (yield* new Problem.NotFound({}))
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const principal = yield* Authorization.CurrentPrincipal
        const limit = query.limit ?? defaultLimit
        const after = query.cursor === undefined ? null : yield* RowCursor.decode(query.cursor)
        const rows = yield* workspaces.list(principal, { limit: limit + 1, after })
        return RowCursor.page(rows.map(view), limit)
      }),
      upload: Effect.fnUntraced(function* ({ headers, payload }) {
        const principal = yield* Authorization.CurrentPrincipal
        const uploaded = yield* workspaces.upload(principal, headers["idempotency-key"] ?? null, payload).pipe(
          Effect.catchTags({
            QuotaExceeded: SessionQuota.refuse,
            HttpApiPayloadTooLarge: () => Effect.fail(new Problem.PayloadTooLarge({}))
          })
        )
        return view(uploaded)
      }),
      get: ({ params }) => Effect.map(find(params.workspaceId), view),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { path } = yield* find(params.workspaceId)
        const [used] = yield* Effect.orDie(store.list({ workspaceRoot: path, limit: 1 }))
        if (used !== undefined) {
          return yield* new Problem.Conflict({
            code: "workspace_in_use",
            detail: `session ${used.sessionId} uses the workspace`
          })
        }
        yield* workspaces.remove(path)
      })
    })
  })
)

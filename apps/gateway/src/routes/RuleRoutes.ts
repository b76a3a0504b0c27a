/** Handlers of rules. */
import { Api, Authorization, Problem } from "@bough/gateway-api"
import { AgentHost } from "@bough/host"
import * as SavedRules from "@bough/host/rules/SavedRules"
import { Host, Journal, SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { OwnSessions } from "../sessions/OwnSessions.ts"
import { UserHosts } from "../sessions/UserHosts.ts"
import { Workspaces } from "../sessions/Workspaces.ts"

export const layer = HttpApiBuilder.group(
  Api.Api,
  "rules",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* SessionStore.SessionStore
    const host = yield* Host.Host
    const ownSessions = yield* OwnSessions
    const hostOf = yield* UserHosts
    const workspaces = yield* Workspaces
    const dataDirectory = Effect.map(Authorization.CurrentPrincipal, (principal) =>
      AgentHost.dataDirectory(hostOf(Authorization.userKey(principal)))
    )
    const saved = Effect.map(dataDirectory, (directory) => SavedRules.all(directory).rules)
    return handlers.handleAll({
      list: () =>
        Effect.map(saved, (rules) => ({
          items: rules.map(({ id, keptAtMillis, rule, scope, workspaceRoot }) => ({
            id,
            rule,
            scope,
            workspaceId: workspaceRoot === null ? null : workspaces.idOf(workspaceRoot),
            savedAtMillis: keptAtMillis
          }))
        })),
      remove: Effect.fnUntraced(function* ({ params }) {
        // Only a listed id is used as a file name.
        const found = (yield* saved).find(({ id }) => id === params.ruleId)
        if (found === undefined) return yield* new Problem.NotFound({})
        SavedRules.remove(yield* dataDirectory, found.id)
      }),
      ofSession: Effect.fnUntraced(function* ({ params }) {
        const { treeId } = yield* ownSessions.find(params.sessionId)
        const { state } = yield* Effect.orDie(Journal.load(store, treeId))
        return { items: state.rules }
      }),
      revoke: Effect.fnUntraced(function* ({ headers, params, payload }) {
        const principal = yield* Authorization.CurrentPrincipal
        const { sessionId } = yield* ownSessions.find(params.sessionId)
        const key = headers["idempotency-key"]
        const from = { principal: Authorization.userKey(principal), ...(key === undefined ? {} : { key }) }
        return yield* Effect.catchTags(host.revoke(sessionId, payload.rule, from), {
          SessionNotFound: () => Effect.fail(new Problem.NotFound({})),
          NotAuthorised: () => Effect.fail(new Problem.NotFound({})),
          PrincipalRefused: Effect.die,
          StoreFailed: Effect.die
        })
      })
    })
  })
)

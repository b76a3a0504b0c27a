/** Handlers of health and readiness. */
import { Api, Authorization, Problem } from "@bough/gateway-api"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Drain } from "../operations/Drain.ts"
import * as ServerMetrics from "../operations/ServerMetrics.ts"
import { version } from "../Version.ts"

const ok = { status: "ok", version } as const

export const layer = HttpApiBuilder.group(
  Api.Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const store = yield* SessionStore.SessionStore
    const drain = yield* Drain
    const collect = yield* ServerMetrics.collect
    return handlers.handleAll({
      metrics: Effect.fnUntraced(function* () {
        const { isOperator } = yield* Authorization.CurrentPrincipal
        // An admin of one tenant does not see the others.
        if (!isOperator) {
          return yield* new Problem.Forbidden({
            code: "scope_missing",
            detail: "this needs an admin of the operator's tenant"
          })
        }
        return yield* collect
      }),
      health: () => Effect.succeed(ok),
      ready: Effect.fnUntraced(function* () {
        if (drain.isDraining()) return yield* drain.problem
        yield* Effect.mapError(
          store.list({ workspaceRoot: null, limit: 1 }),
          () => new Problem.Unavailable({ code: "store_unavailable", retryAfterSeconds: 5 })
        )
        return ok
      })
    })
  })
)

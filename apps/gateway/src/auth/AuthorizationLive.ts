/** The middleware that finds the principal of a request and holds it to the scope that the endpoint needs. */
import { Authorization, Problem } from "@bough/gateway-api"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as HttpServerRespondable from "effect/http/HttpServerRespondable"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { Accounts } from "../accounts/Accounts.ts"

const unauthenticated = () => new Problem.Unauthenticated({ detail: "send a valid token: Authorization: Bearer …" })

/** Null: the principal has the scope of the endpoint. */
const missingScope = ({ scopes }: Authorization.Principal, { annotations }: HttpApiEndpoint.Top) => {
  const scope = Context.get(annotations, Authorization.RequiredScope)
  return scopes.has(scope)
    ? null
    : new Problem.Forbidden({ code: "scope_missing", detail: `this needs a token with the scope ${scope}` })
}

export const layer: Layer.Layer<Authorization.Authorization, never, Accounts> = Layer.effect(
  Authorization.Authorization,
  Effect.gen(function* () {
    const accounts = yield* Accounts
    type Handler = (typeof Authorization.Authorization)["Service"]["bearer"]
    const handler: Handler = Effect.fnUntraced(function* (http, { credential, endpoint }) {
      // The next scheme is tried.
      if (Redacted.value(credential) === "") return yield* unauthenticated()
      const found = yield* Effect.option(accounts.authenticate(credential))
      // A credential that was sent decides: a problem that were a failure would have the next scheme tried.
      if (found._tag === "None") return yield* HttpServerRespondable.toResponse(unauthenticated())
      const forbidden = missingScope(found.value, endpoint)
      if (forbidden !== null) return yield* HttpServerRespondable.toResponse(forbidden)
      return yield* Effect.provideService(http, Authorization.CurrentPrincipal, found.value)
    })
    return Authorization.Authorization.of({ bearer: handler, cookie: handler })
  })
)

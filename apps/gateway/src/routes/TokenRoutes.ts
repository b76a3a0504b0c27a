/** Handlers of the user's own credentials. */
import { Api, Authorization, Problem } from "@bough/gateway-api"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../accounts/Accounts.ts"
import type { TokenId } from "../accounts/Principal.ts"
import * as RequestActor from "./RequestActor.ts"

/** A token for programs cannot issue tokens, because they would outlive its revocation. */
const mayManage = ({ kind, scopes }: Authorization.Principal): boolean => kind === "cookie" || scopes.has("admin")

const forbidden = () =>
  new Problem.Forbidden({
    code: "scope_missing",
    detail: "credentials are managed in a signed-in page, or with a token with the scope admin"
  })

export const layer = HttpApiBuilder.group(
  Api.Api,
  "tokens",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { principal } = yield* RequestActor.current
        return { items: yield* accounts.credentials(principal.tenant, principal.user) }
      }),
      create: Effect.fnUntraced(function* ({ payload }) {
        const { actor, principal } = yield* RequestActor.current
        if (!mayManage(principal)) return yield* forbidden()
        const { label, lifetimeSeconds, scopes } = payload
        const excessScopes = scopes.filter((scope) => !principal.scopes.has(scope))
        const notHeld = (names: ReadonlyArray<string>) =>
          new Problem.Unprocessable({ code: "scope_not_held", detail: `this sign-in lacks ${names.join(", ")}` })
        if (excessScopes.length > 0) return yield* notHeld(excessScopes)
        const lifetimeMillis = lifetimeSeconds === null ? null : lifetimeSeconds * 1000
        const { tenant, user } = principal
        const { credential, secret } = yield* accounts
          .issue({ tenant, user, scopes, label, lifetimeMillis }, actor)
          .pipe(
            Effect.catchTags({
              ScopeNotHeld: (error) => Effect.fail(notHeld(error.scopes)),
              // The user was removed while this request ran.
              AccountNotFound: () => Effect.fail(forbidden())
            })
          )
        return { credential, secret: Redacted.value(secret) }
      }),
      revoke: Effect.fnUntraced(function* ({ params }) {
        const { actor, principal } = yield* RequestActor.current
        if (!mayManage(principal) && params.tokenId !== principal.tokenId) return yield* forbidden()
        const { tenant, user } = principal
        yield* accounts
          .revoke({ tokenId: params.tokenId as TokenId, tenant, user }, actor)
          .pipe(Effect.mapError(() => new Problem.NotFound({})))
      })
    })
  })
)

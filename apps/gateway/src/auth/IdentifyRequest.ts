/** Finds the principal of a request by the credential that it presents, within the rates of its address and its token. */
import { Problem } from "@bough/gateway-api"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as Redacted from "effect/Redacted"
import { Accounts } from "../accounts/Accounts.ts"
import type { Principal } from "../accounts/Principal.ts"
import { AccessPolicy } from "./AccessPolicy.ts"
import * as PresentedCredential from "./PresentedCredential.ts"
import * as RequestGuard from "./RequestGuard.ts"
import * as SignInGuard from "./SignInGuard.ts"

export type Refusal = Problem.Unauthenticated | Problem.Forbidden | Problem.TooManyRequests

const unauthenticated = () =>
  new Problem.Unauthenticated({ detail: "sign in, or send a valid token: Authorization: Bearer …" })

/** Makes the function that finds the principal of a request; a refusal is a failure. */
export const make = Effect.gen(function* () {
  const accounts = yield* Accounts
  const policy = yield* AccessPolicy
  const signInGuard = yield* SignInGuard.make

  return Effect.fnUntraced(function* (
    request: HttpServerRequest.HttpServerRequest
  ): Effect.fn.Return<Principal, Refusal> {
    const presented = PresentedCredential.fromRequest(request, policy.cookie)
    if (presented._tag === "None") return yield* unauthenticated()
    const secret: Redacted.Redacted = presented.secret
    const address = RequestGuard.addressOf(request)
    const found = yield* Effect.result(signInGuard.count(address, accounts.authenticate(secret)))
    if (found._tag === "Failure") {
      return yield* found.failure._tag === "AddressDelayed"
        ? RequestGuard.tooManyRequests(found.failure.retryAfterMillis)
        : unauthenticated()
    }
    if (presented._tag === "Cookie" && !PresentedCredential.isFromOwnPage(request, secret, policy.allowed)) {
      return yield* new Problem.Forbidden({
        code: "csrf_failed",
        detail: `a request with the cookie needs the header ${PresentedCredential.csrfHeader} of its sign-in`
      })
    }
    const rate = policy.perToken.take(found.success.tokenId, yield* Clock.currentTimeMillis)
    return rate.isAllowed ? found.success : yield* RequestGuard.tooManyRequests(rate.retryAfterMillis)
  })
})

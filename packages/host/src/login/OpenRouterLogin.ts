/**
 * The login that OpenRouter documents for every program: a page in the browser with PKCE, whose code is exchanged for an
 * API key of the user. OpenRouter registers no client and returns no state parameter, so the redirect's path
 * contains the state.
 */
import * as Redirect from "@bough/mcp/client/auth/Redirect"
import { OpenRouter } from "@bough/models"
import * as NodeFetch from "@bough/models/NodeFetch"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { failed, type HostFailure } from "../HostFailure.ts"
import { type LoginUser, returnedTo } from "./ProviderLogin.ts"

export const provider = "openrouter"

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ key: Schema.NonEmptyString })))

const timeoutMillis = 20_000

/** Returns the key. */
export const logIn = Effect.fnUntraced(function* (
  variables: Readonly<Record<string, string | undefined>>,
  user: LoginUser
): Effect.fn.Return<string, HostFailure, Scope.Scope> {
  const client = yield* Effect.promise(() => import("openid-client"))
  const [state, verifier] = [client.randomState(), client.randomPKCECodeVerifier()]
  const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(verifier))
  const redirect = yield* Effect.mapError(
    Redirect.listen({ port: 0, state, host: "localhost", isStateInPath: true }),
    ({ message }) => notLoggedIn(message)
  )
  const api = OpenRouter.baseUrl(variables).replace(/\/+$/u, "")
  const page = new URL("/auth", api)
  page.search = new URLSearchParams({
    callback_url: redirect.url,
    code_challenge: challenge,
    code_challenge_method: "S256"
  }).toString()
  yield* user.show({ url: page.href, code: null })
  const { code } = yield* returnedTo(redirect, user, provider)
  const send = NodeFetch.sender({ idleMillis: timeoutMillis, environment: variables })
  const answer = yield* Effect.tryPromise({
    try: (signal) =>
      send(new URL(`${api}/auth/keys`), {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: JSON.stringify({ code, code_verifier: verifier, code_challenge_method: "S256" }),
        signal
      }).then(({ response, status }) => NodeFetch.textOf(response).then((text) => ({ status, text }))),
    catch: (cause) => notLoggedIn(cause instanceof Error ? cause.message : "no answer")
  })
  const found = answer.status >= 200 && answer.status < 300 ? decode(answer.text) : Option.none()
  if (Option.isNone(found)) return yield* notLoggedIn(`the code was not exchanged for a key: status ${answer.status}`)
  return found.value.key
}, Effect.scoped)

const notLoggedIn = (reason: string): HostFailure =>
  failed(`not logged in at ${provider}: ${reason}`, "try to log in again")

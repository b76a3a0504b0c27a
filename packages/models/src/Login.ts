/** The token of a user's login at a provider, which is sent in place of a key. */
import { Model } from "@bough/runtime"
import * as Effect from "effect/Effect"
import type { Send } from "./NodeFetch.ts"

export interface Login {
  /**
   * Returns a token that is valid now, refreshed if needed. `refused`: the token that the provider has just rejected;
   * null: none.
   */
  readonly token: (refused: string | null) => Effect.Effect<string, LoginRequired>
  /** Every token that was used, which must not appear in a message. It grows when a token is refreshed. */
  readonly secrets: ReadonlyArray<string>
}

/** The reason why there is no token, and the command that helps. */
export interface LoginRequired {
  readonly message: string
  readonly hint: string
  /** True if the login may still be valid, for example when the authorization server is unreachable. */
  readonly isTransient: boolean
}

/** Headers in which providers' packages send a key. */
const keyHeaders: ReadonlySet<string> = new Set(["authorization", "x-api-key", "x-goog-api-key", "api-key"])

/** Sends with the token of the login and without a key; a token that the provider rejects is refreshed once. */
export const withLogin =
  (send: Send, login: Login, model: string): Send =>
  (target, sending) => {
    const headers = Object.entries(sending.headers).filter(([name]) => !keyHeaders.has(name.toLowerCase()))
    const ask = (token: string) =>
      send(target, { ...sending, headers: { ...Object.fromEntries(headers), authorization: `Bearer ${token}` } })
    const tokenAfter = (refused: string | null) =>
      Effect.runPromise(Effect.result(login.token(refused))).then((result) => {
        if (result._tag === "Success") return result.success
        throw toModelError(result.failure, model)
      })
    return tokenAfter(null).then((token) =>
      ask(token).then((answer) => {
        if (answer.status !== 401) return answer
        return tokenAfter(token).then((renewed) => {
          if (renewed === token) return answer
          answer.response.destroy()
          return ask(renewed)
        })
      })
    )
  }

const toModelError = ({ hint, isTransient, message }: LoginRequired, model: string): Model.ModelError =>
  new Model.ModelError({
    reason: isTransient ? "Unreachable" : "Refused",
    model,
    message: `${model}: ${message}`,
    hint,
    retryable: isTransient,
    retryAfterMillis: null
  })

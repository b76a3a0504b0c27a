/**
 * Receives the redirect at the end of a login: from the browser, on a loopback port that is open only for this
 * login, or as an address that the user pastes.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { createHash, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ServerFailed } from "../Ports.ts"

export interface RedirectResult {
  readonly code: string
  /** The issuer that the redirect names; null: it names none. */
  readonly issuer: string | null
}

export interface Redirect {
  readonly url: string
  readonly outcome: Effect.Effect<RedirectResult, ServerFailed>
  /** Reads the address of a redirect that the browser could not follow; null: the address belongs to another login. */
  readonly read: (address: string) => Result.Result<RedirectResult, ServerFailed> | null
}

export interface RedirectOptions {
  /** 0: any free port. */
  readonly port: number
  readonly state: string
  /** The name of this machine in the address, which some authorization servers prescribe; default: 127.0.0.1. */
  readonly host?: "127.0.0.1" | "localhost"
  /** True if the state is the last part of the path, for authorization servers that return none. */
  readonly isStateInPath?: boolean
}

const basePath = "/callback"

const isSame = (actual: string, expected: string): boolean => timingSafeEqual(digest(actual), digest(expected))

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

const resultOf = ({ searchParams }: URL): Result.Result<RedirectResult, ServerFailed> => {
  const code = searchParams.get("code")
  if (code !== null && code !== "") return Result.succeed({ code, issuer: searchParams.get("iss") })
  const error = `${searchParams.get("error") ?? "no code"} ${searchParams.get("error_description") ?? ""}`
  const message = `the login was refused: ${error
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
    .trim()
    .slice(0, 300)}`
  return Result.fail(new ServerFailed({ message }))
}

/** Listens until the scope closes. A redirect with another state is refused and has no effect. */
export const listen = Effect.fnUntraced(function* ({
  host = "127.0.0.1",
  isStateInPath = false,
  port,
  state
}: RedirectOptions) {
  const path = isStateInPath ? `${basePath}/${state}` : basePath
  const isOwn = ({ pathname, searchParams }: URL): boolean =>
    isSame(pathname, path) && (isStateInPath || isSame(searchParams.get("state") ?? "", state))
  const outcome = yield* Deferred.make<RedirectResult, ServerFailed>()
  const server = createServer((request, response) => {
    const answer = (status: number, text: string): void => {
      response.writeHead(status, {
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        connection: "close"
      })
      response.end(text)
    }
    // Any page in the browser can send a request here, even one whose path is not a URL, such as "//".
    const target = URL.parse(request.url ?? "/", "http://127.0.0.1")
    const isCallback = target !== null && (target.pathname === path || target.pathname.startsWith(`${basePath}/`))
    if (request.method !== "GET" || !isCallback) return answer(404, "there is nothing here")
    if (!isOwn(target)) return answer(400, "this is not the response to the running login")
    const result = resultOf(target)
    Deferred.doneUnsafe(outcome, Effect.fromResult(result))
    answer(
      200,
      Result.isFailure(result)
        ? "The login was refused. You can close this page."
        : "You are logged in. You can close this page."
    )
  })
  yield* Effect.acquireRelease(
    Effect.callback<void, ServerFailed>((resume) => {
      server.once("error", ({ message }) => resume(Effect.fail(new ServerFailed({ message }))))
      server.listen(port, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeIdleConnections()
      })
  )
  const redirect: Redirect = {
    url: `http://${host}:${(server.address() as AddressInfo).port}${path}`,
    outcome: Deferred.await(outcome),
    read: (address) => {
      const target = URL.parse(address.trim())
      return target === null || !isOwn(target) ? null : resultOf(target)
    }
  }
  return redirect
})

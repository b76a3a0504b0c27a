/** Waits for the browser's redirect at the end of a login, on a loopback port that is opened only for this login. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { createHash, timingSafeEqual } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ServerFailed } from "../Ports.ts"

export interface Returned {
  readonly code: string
  /** The issuer that the redirect names; null: it names none. */
  readonly issuer: string | null
}

export interface Redirect {
  readonly url: string
  readonly returned: Effect.Effect<Returned, ServerFailed>
}

const path = "/callback"

const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected))

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Listens until the scope closes. `port` 0: any free port. A redirect with another state is refused and has no effect. */
export const listen = Effect.fnUntraced(function* ({ port, state }: { readonly port: number; readonly state: string }) {
  const returned = yield* Deferred.make<Returned, ServerFailed>()
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
    if (request.method !== "GET" || target?.pathname !== path) return answer(404, "there is nothing here")
    const { searchParams } = target
    if (!isSame(searchParams.get("state") ?? "", state)) return answer(400, "this is no answer to the login that runs")
    const code = searchParams.get("code")
    if (code === null || code === "") {
      const error = `${searchParams.get("error") ?? "no code"} ${searchParams.get("error_description") ?? ""}`
      const message = `the login was refused: ${error
        .replaceAll(/[\p{Cc}\p{Cf}]/gu, "")
        .trim()
        .slice(0, 300)}`
      Deferred.doneUnsafe(returned, Effect.fail(new ServerFailed({ message })))
      return answer(200, "The login was refused. You can close this page.")
    }
    Deferred.doneUnsafe(returned, Effect.succeed({ code, issuer: searchParams.get("iss") }))
    answer(200, "You are logged in. You can close this page.")
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
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    returned: Deferred.await(returned)
  }
  return redirect
})

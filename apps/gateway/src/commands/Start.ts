/** `start`: serves until a signal ends it. */
import type { Scope as ScopeName } from "@bough/gateway-api/Authorization"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { Accounts } from "../accounts/Accounts.ts"
import * as Server from "../Server.ts"

export interface StartOptions extends Server.ServerOptions {
  /** Prints a line for the operator. */
  readonly print: (line: string) => void
}

const first = { tenant: "default", user: "admin" }
const firstScopes: ReadonlyArray<ScopeName> = ["read", "chat", "approve", "admin"]
const firstTokenMillis = 24 * 60 * 60 * 1000

/** Makes the first tenant with its admin, and a token for today, where the data is new; null: there are tenants. */
const firstToken = Effect.gen(function* () {
  const accounts = yield* Accounts
  if ((yield* accounts.tenants).length > 0) return null
  yield* accounts.addTenant(first.tenant)
  yield* accounts.addUser(first)
  const nowMillis = yield* Clock.currentTimeMillis
  const expiresAtMillis = nowMillis + firstTokenMillis
  const { secret } = yield* accounts.issue({ ...first, name: "first start", scopes: firstScopes, expiresAtMillis })
  return Redacted.value(secret)
})

const announce = ({ print }: StartOptions) =>
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const url = HttpServer.formatAddress(address)
    print(`bough-gateway listens on ${url}`)
    const token = yield* firstToken
    if (token === null) return
    print(`The first admin is ${first.tenant}/${first.user}; this token is valid for 24 hours and is not shown again:`)
    print(`  ${token}`)
    print("Try it:")
    print(
      `  curl -s ${url}/api/v1/sessions -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" -d "{}"`
    )
  })

/** Serves until it is interrupted. */
export const start = (options: StartOptions) =>
  Layer.effectDiscard(announce(options)).pipe(Layer.provideMerge(Server.layer(options)), Layer.launch)

/**
 * A gateway with the scripted model of `GatewayModel`: the server of `apps/gateway` unchanged, except for limits that
 * one client alone would exceed. Its first message has the address, tokens of one user, and the folder of the
 * workspaces.
 */
import { Accounts, Principal, Server } from "@bough/gateway"
import { Host } from "@bough/runtime"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { join } from "node:path"
import * as GatewayModel from "../gateway/GatewayModel.ts"
import * as Questions from "../gateway/Questions.ts"

export interface GatewayOptions {
  readonly directory: string
  readonly maxLoaded: number
  readonly idleMillis?: number
  readonly maxIdleOpen?: number
  readonly restMillis?: number
  /** The number of tokens to issue: each token may have 64 open streams. */
  readonly tokens: number
}

export interface GatewayReady {
  readonly url: string
  readonly tokens: ReadonlyArray<string>
  readonly workspaces: string
}

const options = JSON.parse(process.argv[2]) as GatewayOptions
const tenant = Principal.TenantId.make("bench")
const user = Principal.UserId.make("ada")
const commandLine = { tenant: null, user: null, tokenId: null, address: null }
const unlimited = { burst: 1e9, perSecond: 1e9 }

const announce = Effect.gen(function* () {
  const { address } = yield* HttpServer.HttpServer
  const accounts = yield* Accounts.Accounts
  const host = yield* Host.Host
  const scopes = ["read", "chat", "approve"] as const
  // In a folder that was served before, the tokens exist already.
  yield* Effect.ignore(accounts.addTenant({ tenant, name: "bench" }, commandLine))
  yield* Effect.ignore(accounts.addUser({ tenant, user, name: "ada", scopes }, commandLine))
  const issue = accounts.issue({ tenant, user, scopes, label: "bench", lifetimeMillis: null }, commandLine)
  const issued = yield* Effect.forEach(Array.from({ length: options.tokens }), () => issue)
  const ready: GatewayReady = {
    url: HttpServer.formatAddress(address),
    tokens: issued.map(({ secret }) => Redacted.value(secret)),
    workspaces: join(options.directory, "tenants", tenant, "workspaces")
  }
  Questions.serve(ready, { loaded: () => Effect.runPromise(host.loaded) })
})

const fiber = Effect.runFork(
  Layer.launch(
    Layer.provideMerge(
      Layer.effectDiscard(announce),
      Server.layer({
        dataDirectory: options.directory,
        host: "127.0.0.1",
        port: 0,
        maxLoaded: options.maxLoaded,
        ...(options.maxIdleOpen === undefined ? {} : { maxIdleOpen: options.maxIdleOpen }),
        ...(options.restMillis === undefined ? {} : { restMillis: options.restMillis }),
        ...(options.idleMillis === undefined ? {} : { idleMillis: options.idleMillis }),
        environment: { variables: { PATH: process.env["PATH"] }, platform: process.platform },
        access: { rateLimits: { perToken: unlimited, perAddress: unlimited } },
        model: () => GatewayModel.model
      })
    )
  )
)
process.once("SIGTERM", () => fiber.interruptUnsafe())
fiber.addObserver(() => process.exit(0))

/** A gateway that really listens, over a folder of its own, with scripted models; and requests over real HTTP. */
import type { Authorization } from "@bough/gateway-api"
import type { Session } from "@bough/protocol"
import type { Model } from "@bough/runtime"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Accounts } from "../src/accounts/Accounts.ts"
import { type AuditLog, commandLine } from "../src/accounts/AuditLog.ts"
import { TenantId, UserId } from "../src/accounts/Principal.ts"
import type { Quotas } from "../src/accounts/Quotas.ts"
import * as Server from "../src/Server.ts"
import * as AnswerCheck from "./api/AnswerCheck.ts"

export interface GatewayOptions {
  readonly dataDirectory?: string
  readonly model?: (session: Session.Summary) => Model.Model["Service"] | null
  readonly access?: Server.ServerOptions["access"]
  readonly webhooks?: Server.ServerOptions["webhooks"]
  readonly catalog?: Server.ServerOptions["catalog"]
  readonly retention?: Server.ServerOptions["retention"]
  readonly maxIdleOpen?: number
  readonly restMillis?: number
  /** Variables of the gateway's process beside PATH. */
  readonly variables?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: any // oxlint-disable-line typescript/no-explicit-any -- a test reads what it expects
}

export interface Request {
  readonly method?: string
  readonly token?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Gateway {
  readonly url: string
  readonly dataDirectory: string
  readonly request: (path: string, request?: Request) => Effect.Effect<Answer>
  /** Opens a response whose body is read while it arrives; aborted with the scope. */
  readonly context: Context.Context<Accounts | AuditLog | Quotas>
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A folder that is removed with the scope. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-gateway-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** Fails if an answer departed from the document. */
const withoutDepartures = ({ departures, end }: AnswerCheck.CheckedAnswers): Effect.Effect<void> =>
  Effect.flatMap(Effect.promise(end), () =>
    departures.length === 0 ? Effect.void : Effect.die(new Error(departures.join("\n")))
  )

/** Starts a gateway until the scope closes, which fails if an answer departed from the document of the API. */
export const start = Effect.fnUntraced(function* (options: GatewayOptions = {}) {
  let answers: AnswerCheck.CheckedAnswers | null = null
  // Runs after the server has closed.
  yield* Effect.addFinalizer(() => Effect.suspend(() => (answers === null ? Effect.void : withoutDepartures(answers))))
  const dataDirectory = options.dataDirectory ?? (yield* folder)
  const context = yield* Layer.build(
    Server.layer({
      dataDirectory,
      host: "127.0.0.1",
      port: 0,
      environment: { variables: { PATH: process.env["PATH"], ...options.variables }, platform: process.platform },
      ...(options.maxIdleOpen === undefined ? {} : { maxIdleOpen: options.maxIdleOpen }),
      ...(options.restMillis === undefined ? {} : { restMillis: options.restMillis }),
      ...(options.model === undefined ? {} : { model: options.model }),
      ...(options.catalog === undefined ? {} : { catalog: options.catalog }),
      ...(options.retention === undefined ? {} : { retention: options.retention }),
      ...(options.webhooks === undefined ? {} : { webhooks: options.webhooks }),
      ...(options.access === undefined ? {} : { access: options.access })
    })
  )
  const url = HttpServer.formatAddress(Context.get(context, HttpServer.HttpServer).address)
  answers = AnswerCheck.begin(Number(new URL(url).port))
  const request: Gateway["request"] = (path, { body, headers = {}, method, token } = {}) =>
    Effect.promise(async (signal) => {
      const response = await fetch(`${url}${path}`, {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          ...(typeof token === "string" ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        signal
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, json: parsed(text) }
    })
  return { url, dataDirectory, request, context } satisfies Gateway
})

const allScopes: ReadonlyArray<Authorization.Scope> = ["read", "chat", "approve", "admin"]

/** Creates an admin of the operator's tenant, and returns a token. */
export const operator = Effect.fnUntraced(function* ({ context }: Gateway) {
  const accounts = Context.get(context, Accounts)
  const [tenant, user] = [TenantId.make("operators"), UserId.make("root")]
  yield* Effect.ignore(accounts.addTenant({ tenant, name: "Operators", isOperator: true }, commandLine))
  yield* Effect.ignore(accounts.addUser({ tenant, user, name: "Root", scopes: allScopes }, commandLine))
  const request = { tenant, user, label: "test", scopes: allScopes, lifetimeMillis: null }
  const { secret } = yield* accounts.issue(request, commandLine)
  return Redacted.value(secret)
})

/** Creates a user, with the tenant if it is missing, and returns a token. */
export const user = Effect.fnUntraced(function* (
  { context }: Gateway,
  name: string,
  scopes: ReadonlyArray<Authorization.Scope> = allScopes
) {
  const accounts = Context.get(context, Accounts)
  const [tenant, user] = [TenantId.make(name.split("/")[0]), UserId.make(name.split("/")[1])]
  yield* Effect.ignore(accounts.addTenant({ tenant, name: tenant }, commandLine))
  yield* Effect.ignore(accounts.addUser({ tenant, user, name: user, scopes: allScopes }, commandLine))
  const { secret } = yield* accounts.issue({ tenant, user, label: "test", scopes, lifetimeMillis: null }, commandLine)
  return Redacted.value(secret)
})

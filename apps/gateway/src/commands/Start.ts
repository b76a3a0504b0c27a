/** `start`: serves until a signal ends it. */
import * as SpanExport from "@bough/host/telemetry/SpanExport"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as FirstAdmin from "../accounts/FirstAdmin.ts"
import { AccessPolicy } from "../auth/AccessPolicy.ts"
import * as JsonLog from "../operations/JsonLog.ts"
import * as Server from "../Server.ts"
import { version } from "../Version.ts"
import * as ListenFailed from "./ListenFailed.ts"

export interface StartOptions extends Server.ServerOptions {
  readonly log: JsonLog.LogLevel
  /** Writes a line of the log. */
  readonly writeLog: (line: string) => void
  /** Prints a line for the operator. */
  readonly print: (line: string) => void
}

const announce = ({ print }: StartOptions) =>
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const { publicUrl } = yield* AccessPolicy
    print(`bough-gateway listens on ${HttpServer.formatAddress(address)}`)
    const invitation = yield* FirstAdmin.invite
    if (invitation === null) return
    const { user, tenant } = invitation.link.credential
    const token = Redacted.value(invitation.token.secret)
    print(`Sign in as the first admin, ${tenant}/${user}, with this link; it works once, within an hour:`)
    print(`  ${publicUrl}/sign-in#${Redacted.value(invitation.link.secret)}`)
    print("Try the API; the token is valid for an hour and is not shown again:")
    print(
      `  curl -s ${publicUrl}/api/v1/sessions -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" -d "{}"`
    )
  })

/** Serves until it is interrupted. */
export const start = (options: StartOptions) =>
  Layer.effectDiscard(announce(options)).pipe(
    Layer.provideMerge(Server.layer(options)),
    Layer.provide(
      SpanExport.layer({
        variables: options.environment.variables,
        name: "bough-gateway",
        version,
        onNotice: (sentence) => options.print(sentence)
      })
    ),
    Layer.provide(JsonLog.layer(options.log, options.writeLog)),
    Layer.launch,
    Effect.catchTag("ServeError", (error) => Effect.fail(ListenFailed.fromServeError(options)(error)))
  )

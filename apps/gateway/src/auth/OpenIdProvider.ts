/** The provider of the configuration, if it names one. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Accounts } from "../accounts/Accounts.ts"
import { AccessPolicy } from "./AccessPolicy.ts"
import type { AuthSettings } from "./AuthSettings.ts"
import * as OpenIdConnect from "./OpenIdConnect.ts"

/** The variable that the configuration names for the client's secret is not set. */
export class ClientSecretMissing extends Schema.TaggedError<ClientSecretMissing>()("ClientSecretMissing", {
  variable: Schema.String
}) {
  override get message(): string {
    return `openid.clientSecretVariable names ${this.variable}, which is not set: set it, or remove the key`
  }
}

export class OpenIdProvider extends Context.Service<
  OpenIdProvider,
  { readonly provider: OpenIdConnect.OpenIdConnect["Service"] | null }
>()("@bough/gateway/OpenIdProvider") {}

export const callbackPath = "/auth/openid/callback"

type Variables = Readonly<Record<string, string | undefined>>

const make = Effect.fnUntraced(function* ({ openid }: AuthSettings, variables: Variables) {
  if (openid === undefined) return OpenIdProvider.of({ provider: null })
  const policy = yield* AccessPolicy
  const variable = openid.clientSecretVariable
  const secret = variable === undefined ? null : variables[variable]
  if (variable !== undefined && (secret === undefined || secret === ""))
    return yield* new ClientSecretMissing({ variable })
  const provider = yield* OpenIdConnect.make({
    settings: openid,
    clientSecret: secret === null || secret === undefined ? null : Redacted.make(secret),
    redirectUrl: policy.publicUrl + callbackPath,
    cookieLifetimeMillis: policy.cookieLifetimeMillis
  })
  return OpenIdProvider.of({ provider })
})

export const layer = (
  settings: AuthSettings,
  variables: Variables
): Layer.Layer<OpenIdProvider, ClientSecretMissing, AccessPolicy | Accounts | SqlClient> =>
  Layer.effect(OpenIdProvider, make(settings, variables))

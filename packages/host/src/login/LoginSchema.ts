/** The configuration of a model provider: its address, its API key, and a login by OAuth. */
import * as Schema from "effect/Schema"
import { describe } from "../ConfigFields.ts"

const url = Schema.NonEmptyString.check(Schema.isPattern(/^https?:\/\/\S+$/u, { expected: "an http or https URL" }))

export const Login = Schema.Struct({
  clientId: Schema.NonEmptyString.annotate({
    description: "Id of the client that is registered for Bough, or for you, at the authorization server"
  }),
  clientSecret: describe(
    Schema.NonEmptyString,
    "Secret of the client, if it has one; write ${NAME} to read it from an environment variable"
  ),
  issuer: describe(
    url,
    "The authorization server, which publishes its endpoints; without it, the endpoints below are needed"
  ),
  authorizationEndpoint: describe(url, "Page of the login in the browser"),
  deviceEndpoint: describe(url, "Endpoint of logins by a code that is typed on another device"),
  tokenEndpoint: describe(url, "Endpoint that issues and refreshes tokens"),
  revocationEndpoint: describe(url, "Endpoint that ends tokens at a logout"),
  flow: describe(
    Schema.Literals(["browser", "device"]),
    "How to log in: in the browser of this machine (the default), or by a code on any device"
  ),
  scopes: describe(Schema.Array(Schema.NonEmptyString), "Scopes to ask for"),
  parameters: describe(
    Schema.Record(Schema.String, Schema.NonEmptyString),
    "Further parameters of the login's first request, such as audience"
  ),
  redirectHost: describe(
    Schema.Literals(["127.0.0.1", "localhost"]),
    "Name of this machine in the address that the browser returns to, as registered; default: 127.0.0.1"
  ),
  redirectPort: describe(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 65_535 })),
    "Port of that address; default: any free port"
  )
})
export type Login = typeof Login.Type

export const Provider = Schema.Struct({
  baseUrl: describe(Schema.NonEmptyString, "URL of the API"),
  apiKey: describe(Schema.NonEmptyString, "API key; write ${NAME} to read it from an environment variable"),
  oauth: describe(Login, "Login at the provider by OAuth, in place of an API key; bough login NAME logs in")
})

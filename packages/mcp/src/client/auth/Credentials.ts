/**
 * A login at a server: tokens, the registered client, and the authorization server. Decoded by a schema, stored as
 * JSON.
 */
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { OAuthSettings } from "../../ServerConfig.ts"

const StoredCredentials = Schema.fromJsonString(
  Schema.Struct({
    v: Schema.Literal(1),
    /** The client in the SDK's format, with its authorization server, which the SDK checks before each use. */
    client: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)),
    tokens: Schema.NullOr(
      Schema.StructWithRest(
        Schema.Struct({ access_token: Schema.String, refresh_token: Schema.optionalKey(Schema.String) }),
        [Schema.Record(Schema.String, Schema.Json)]
      )
    ),
    discovery: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)),
    /** The server's last challenge; null: the server did not require a login. */
    challenge: Schema.NullOr(
      Schema.Struct({ scope: Schema.NullOr(Schema.String), resourceMetadata: Schema.NullOr(Schema.String) })
    )
  })
)
export type StoredCredentials = typeof StoredCredentials.Type

const decode = Schema.decodeUnknownOption(StoredCredentials)

export const none: StoredCredentials = { v: 1, client: null, tokens: null, discovery: null, challenge: null }

/** Reads a login; damaged text counts as no login, so that the user logs in again. */
export const read = (text: string | null): StoredCredentials => Option.getOrElse(decode(text), () => none)

/** Stores the login at one server, readable only by the user. */
export interface Store {
  readonly load: () => string | null
  readonly save: (text: string) => void
  /**
   * Runs work that replaces the tokens under a lock between processes, because a refresh token is valid once. Absent:
   * only this process uses the store.
   */
  readonly exclusively?: <A>(work: Effect.Effect<A>) => Effect.Effect<A>
}

type Client = Pick<OAuthSettings, "clientId" | "clientSecret">

/** Returns every text that must be redacted: tokens, and the secret of the client in both of its forms. */
export const secretsOf = (
  { client, tokens }: StoredCredentials,
  { clientId, clientSecret }: Client
): ReadonlyArray<string> => [
  ...[tokens?.access_token, tokens?.refresh_token, tokens?.["id_token"]].filter((text) => typeof text === "string"),
  ...formsOf(client?.["client_id"], client?.["client_secret"]),
  ...formsOf(clientId, clientSecret)
]

/** A secret as it is sent in a body, and as it is sent in a header. */
const formsOf = (id: unknown, secret: unknown): ReadonlyArray<string> =>
  typeof secret === "string" ? [secret, Buffer.from(`${String(id)}:${secret}`).toString("base64")] : []

const shortestSecret = 8

/** Redacts secrets. Very short values are skipped, because they could be ordinary words. */
export const hide = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets.reduce(
    (shown, secret) => (secret.length < shortestSecret ? shown : shown.replaceAll(secret, "[token]")),
    text
  )

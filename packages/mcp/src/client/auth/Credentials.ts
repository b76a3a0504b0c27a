/** A login at a server: tokens, the client that was registered, and where. Read from text by a schema, printed as JSON. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const Stored = Schema.fromJsonString(
  Schema.Struct({
    v: Schema.Literal(1),
    /** As the SDK stores it, with the authorization server that it came from; the SDK checks it before each use. */
    client: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)),
    tokens: Schema.NullOr(
      Schema.StructWithRest(
        Schema.Struct({ access_token: Schema.String, refresh_token: Schema.optionalKey(Schema.String) }),
        [Schema.Record(Schema.String, Schema.Json)]
      )
    ),
    discovery: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)),
    /** The last words of the server that asked for a login; null: it did not ask. */
    challenge: Schema.NullOr(
      Schema.Struct({ scope: Schema.NullOr(Schema.String), resourceMetadata: Schema.NullOr(Schema.String) })
    )
  })
)
export type Stored = typeof Stored.Type

const decode = Schema.decodeUnknownOption(Stored)

export const none: Stored = { v: 1, client: null, tokens: null, discovery: null, challenge: null }

/** A damaged text is as none: the user logs in again. */
export const read = (text: string | null): Stored => Option.getOrElse(decode(text), () => none)

/** Keeps the login at one server; only the user may read it. */
export interface Store {
  readonly load: () => string | null
  readonly save: (text: string) => void
}

/** Every text that must appear nowhere. */
export const secretsOf = ({ client, tokens }: Stored): ReadonlyArray<string> =>
  [tokens?.access_token, tokens?.refresh_token, tokens?.["id_token"], client?.["client_secret"]].filter(
    (text): text is string => typeof text === "string" && text.length >= 8
  )

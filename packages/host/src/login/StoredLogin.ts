/** The tokens of a login at a provider as they are stored. */
import * as Canonical from "@bough/protocol/Canonical"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { join } from "node:path"
import * as LoginFile from "./LoginFile.ts"
import type { Login } from "./LoginSchema.ts"

const Stored = Schema.fromJsonString(
  Schema.Struct({
    v: Schema.Literal(1),
    accessToken: Schema.NonEmptyString,
    refreshToken: Schema.NullOr(Schema.NonEmptyString),
    /** Null: the authorization server does not say when the token expires. */
    expiresAtMillis: Schema.NullOr(Schema.Finite)
  })
)
export type StoredLogin = typeof Stored.Type

const decode = Schema.decodeUnknownOption(Stored)

/** Reads the login; null: there is none. Damaged text counts as none, so that the user logs in again. */
export const read = ({ load }: LoginFile.LoginFile): StoredLogin | null => Option.getOrNull(decode(load()))

export const save = (file: LoginFile.LoginFile, stored: StoredLogin): void => file.save(JSON.stringify(stored))

/** Deletes the tokens; an empty file remains. */
export const remove = (file: LoginFile.LoginFile): void => file.save("")

/** The file of a login; another client or authorization server has another one. */
export const fileOf = (dataDirectory: string, provider: string, login: Login): LoginFile.LoginFile => {
  const { clientId, issuer = null, tokenEndpoint = null } = login
  const digest = Canonical.digestOf({ provider, clientId, issuer, tokenEndpoint }).slice("sha256:".length)
  return LoginFile.make(join(dataDirectory, "logins"), digest)
}

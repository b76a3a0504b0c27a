/** Tenants, users and tokens: who may do what. Routes reach it only through the middleware of the API. */
import type { Authorization } from "@bough/gateway-api"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"

/** The secret opens nothing: unknown, expired and revoked ones look alike. */
export class SecretRefused extends Schema.TaggedError<SecretRefused>()("SecretRefused", {}) {}

/** A tenant or user of that name cannot be made, or does not exist. */
export class AccountRefused extends Schema.TaggedError<AccountRefused>()("AccountRefused", {
  reason: Schema.Literals(["exists", "missing", "invalid"]),
  message: Schema.String
}) {}

export interface UserName {
  readonly tenant: string
  readonly user: string
}

export interface TokenOptions extends UserName {
  /** A name for people, such as "laptop". */
  readonly name: string
  readonly scopes: ReadonlyArray<Authorization.Scope>
  /** Null: it does not expire. */
  readonly expiresAtMillis: number | null
}

export interface Token extends TokenOptions {
  readonly id: string
  readonly createdAtMillis: number
  readonly revokedAtMillis: number | null
}

/** The only time that the secret is known: its digest is stored. */
export interface IssuedToken {
  readonly token: Token
  readonly secret: Redacted.Redacted
}

export class Accounts extends Context.Service<
  Accounts,
  {
    readonly authenticate: (secret: Redacted.Redacted) => Effect.Effect<Authorization.Principal, SecretRefused>
    readonly issue: (options: TokenOptions) => Effect.Effect<IssuedToken, AccountRefused>
    /** Ends the token, and within a second every stream that it opened, in every process. False: there is none to end. */
    readonly revoke: (tokenId: string) => Effect.Effect<boolean>
    readonly tokens: (of: UserName) => Effect.Effect<ReadonlyArray<Token>>
    readonly addTenant: (tenant: string) => Effect.Effect<void, AccountRefused>
    readonly tenants: Effect.Effect<ReadonlyArray<string>>
    readonly addUser: (of: UserName) => Effect.Effect<void, AccountRefused>
    readonly users: (tenant: string) => Effect.Effect<ReadonlyArray<string>>
    /** Ids of tokens that are revoked from now on, by any process. */
    readonly revocations: Stream.Stream<string>
  }
>()("@bough/gateway/Accounts") {}

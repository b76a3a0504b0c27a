/**
 * The accounts of the gateway: tenants, users and their credentials. Every read queries the store; no result is cached.
 */
import type { Authorization } from "@bough/gateway-api"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { AccessScope } from "./AccessScope.ts"
import type { Actor } from "./AuditLog.ts"
import type { Principal, TenantId, TokenId, UserId } from "./Principal.ts"

/** The credential is missing, malformed, unknown, expired or revoked; the client does not learn which. */
export class CredentialRejected extends Schema.TaggedError<CredentialRejected>()("CredentialRejected", {
  /**
   * False for a secret that was issued and has expired or was revoked: its use does not count as an attempt to guess a
   * secret.
   */
  isGuess: Schema.Boolean
}) {}

/** The tenant, user or credential does not exist, or is another tenant's. */
export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {
  kind: Schema.Literals(["tenant", "user", "token"]),
  id: Schema.String
}) {
  override get message(): string {
    return `there is no ${this.kind} ${JSON.stringify(this.id)}`
  }
}

/** The id is in use, or was used by a removed tenant or user: ids are never reused. */
export class AccountExists extends Schema.TaggedError<AccountExists>()("AccountExists", {
  kind: Schema.Literals(["tenant", "user"]),
  id: Schema.String
}) {
  override get message(): string {
    return `the id ${JSON.stringify(this.id)} of a ${this.kind} is in use or was used before`
  }
}

/** A credential was requested with scopes that its user lacks. */
export class ScopeNotHeld extends Schema.TaggedError<ScopeNotHeld>()("ScopeNotHeld", {
  scopes: Schema.Array(Schema.String)
}) {
  override get message(): string {
    return `the user does not have the scope ${this.scopes.join(", ")}`
  }
}

export interface Tenant {
  readonly tenant: TenantId
  readonly name: string
  readonly isOperator: boolean
  readonly createdAtMillis: number
}

export interface User {
  readonly tenant: TenantId
  readonly user: UserId
  readonly name: string
  /** The scopes of the user: a credential can have no others. */
  readonly scopes: ReadonlyArray<AccessScope>
  readonly createdAtMillis: number
}

/** A listed credential, without its secret. */
export interface Credential {
  readonly tokenId: TokenId
  readonly kind: "token" | "cookie" | "link"
  readonly tenant: TenantId
  readonly user: UserId
  readonly scopes: ReadonlyArray<AccessScope>
  readonly label: string
  readonly createdAtMillis: number
  readonly expiresAtMillis: number | null
  /** The minute of the latest use; null: it was never used. */
  readonly lastUsedAtMillis: number | null
}

export interface IssuedCredential {
  readonly credential: Credential
  /** The secret, shown once: the store contains only its hash. */
  readonly secret: Redacted.Redacted
}

export interface CredentialRequest {
  readonly tenant: TenantId
  readonly user: UserId
  readonly scopes: ReadonlyArray<AccessScope>
  readonly label: string
  /** The lifetime from now; null: it does not expire. */
  readonly lifetimeMillis: number | null
}

export class Accounts extends Context.Service<
  Accounts,
  {
    readonly authenticate: (secret: Redacted.Redacted) => Effect.Effect<Principal, CredentialRejected>

    readonly addTenant: (
      tenant: { readonly tenant: TenantId; readonly name: string; readonly isOperator?: boolean },
      actor: Actor
    ) => Effect.Effect<Tenant, AccountExists>
    readonly tenants: Effect.Effect<ReadonlyArray<Tenant>>
    /** Removes the tenant's users and all of their credentials; its data stays. */
    readonly removeTenant: (tenant: TenantId, actor: Actor) => Effect.Effect<void, AccountNotFound>

    readonly addUser: (
      user: Pick<User, "tenant" | "user" | "name" | "scopes">,
      actor: Actor
    ) => Effect.Effect<User, AccountExists | AccountNotFound>
    readonly users: (tenant: TenantId) => Effect.Effect<ReadonlyArray<User>>
    /** Applies to existing credentials too: they never have more scopes than their user. */
    readonly setUserScopes: (
      user: Pick<User, "tenant" | "user" | "scopes">,
      actor: Actor
    ) => Effect.Effect<void, AccountNotFound>
    /** Ends the credentials of the user; the user's data stays. */
    readonly removeUser: (user: Pick<User, "tenant" | "user">, actor: Actor) => Effect.Effect<void, AccountNotFound>

    /** Issues a bearer token. */
    readonly issue: (
      request: CredentialRequest,
      actor: Actor
    ) => Effect.Effect<IssuedCredential, AccountNotFound | ScopeNotHeld>
    /** Issues a secret that signs in once, within its lifetime. */
    readonly issueLink: (
      request: CredentialRequest,
      actor: Actor
    ) => Effect.Effect<IssuedCredential, AccountNotFound | ScopeNotHeld>
    /**
     * Exchanges a sign-in link or a token for a cookie with its scopes. A link works once; of two simultaneous exchanges, one
     * succeeds. The cookie of a token expires and is revoked with the token.
     */
    readonly signIn: (
      secret: Redacted.Redacted,
      options: { readonly lifetimeMillis: number; readonly address: string | null }
    ) => Effect.Effect<IssuedCredential, CredentialRejected>
    /** Issues a cookie for a user whose identity the caller has verified. */
    readonly issueCookie: (
      request: CredentialRequest,
      actor: Actor
    ) => Effect.Effect<IssuedCredential, AccountNotFound | ScopeNotHeld>
    /** The tenant's live credentials: those of one user, or of all users. */
    readonly credentials: (tenant: TenantId, user?: UserId) => Effect.Effect<ReadonlyArray<Credential>>
    /**
     * Ends the credential if it belongs to the tenant, and to the user if one is named; repeated calls fail with
     * AccountNotFound.
     */
    readonly revoke: (
      credential: { readonly tokenId: TokenId; readonly tenant: TenantId; readonly user?: UserId },
      actor: Actor
    ) => Effect.Effect<void, AccountNotFound>
    /** The ids of credentials that any process revokes from now on, each within a second. */
    readonly revocations: Stream.Stream<TokenId>
    /** Ends when the credential is revoked or expires, or when its user loses a scope that the principal has. */
    readonly untilEnded: (
      principal: Pick<Authorization.Principal, "tokenId" | "scopes" | "expiresAtMillis">
    ) => Effect.Effect<void>

    /** The user that signs in with an identity of a provider; null: it is linked to none. */
    readonly userOfIdentity: (identity: Identity) => Effect.Effect<User | null>
    readonly linkIdentity: (
      identity: Identity,
      user: Pick<User, "tenant" | "user">,
      actor: Actor
    ) => Effect.Effect<void, AccountNotFound>
  }
>()("@bough/gateway/Accounts") {}

/** A user as an OpenID provider knows them. The subject is never reused by the provider; an e-mail address may be. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
}

/** Tenants, users, credentials, quotas and the audit log as data of the API. */
import * as Schema from "effect/Schema"
import { Scope } from "../Authorization.ts"

/** Ids of tenants and users are also names of folders. */
export const AccountName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9._-]{0,62}$/u, {
    expected: "1 to 63 lower-case letters, digits, dots, dashes or underscores, beginning with a letter or digit"
  })
)

const Millis = Schema.Natural
const Scopes = Schema.Array(Scope)
const Label = Schema.String.check(Schema.isMaxLength(200))

export const Tenant = Schema.Struct({
  tenant: Schema.String,
  name: Schema.String,
  /** True for the tenant whose admins manage every tenant. */
  isOperator: Schema.Boolean,
  createdAtMillis: Millis
}).annotate({ identifier: "Tenant" })

export const CreateTenant = Schema.Struct({ tenant: AccountName, name: Label }).annotate({ identifier: "CreateTenant" })

export const User = Schema.Struct({
  tenant: Schema.String,
  user: Schema.String,
  name: Schema.String,
  /** The scopes that a credential of the user may have; it may also have fewer. */
  scopes: Scopes,
  createdAtMillis: Millis
}).annotate({ identifier: "User" })

export const CreateUser = Schema.Struct({ user: AccountName, name: Label, scopes: Scopes }).annotate({
  identifier: "CreateUser"
})

export const UserScopes = Schema.Struct({ scopes: Scopes }).annotate({ identifier: "UserScopes" })

export const Credential = Schema.Struct({
  tokenId: Schema.String,
  /** A bearer token, the cookie of a page, or an unused sign-in link. */
  kind: Schema.Literals(["token", "cookie", "link"]),
  tenant: Schema.String,
  user: Schema.String,
  scopes: Scopes,
  label: Schema.String,
  createdAtMillis: Millis,
  /** Null: the credential does not expire. */
  expiresAtMillis: Schema.NullOr(Millis),
  /** The minute of the latest use; null: it was never used. */
  lastUsedAtMillis: Schema.NullOr(Millis)
}).annotate({ identifier: "Credential" })

export const CreateToken = Schema.Struct({
  label: Label,
  /** Each must also be a scope of the requesting credential. */
  scopes: Scopes,
  /** Null: the token does not expire. */
  lifetimeSeconds: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 315_360_000 })))
}).annotate({ identifier: "CreateToken" })

/** The only response that contains the secret, of which the server stores a digest. */
export const IssuedCredential = Schema.Struct({ credential: Credential, secret: Schema.String }).annotate({
  identifier: "IssuedCredential"
})

/** A new user, with the link that signs the user in once; the link's secret is the fragment of `/sign-in`. */
export const AddedUser = Schema.Struct({ user: User, link: IssuedCredential }).annotate({ identifier: "AddedUser" })

export const QuotaResource = Schema.Literals(["sessions", "concurrentSteps", "moneyPerDay", "storage", "attachments"])

/** `storage` is in bytes, `moneyPerDay` in millionths of a US dollar per UTC day; the others are counted. */
export const QuotaUsage = Schema.Struct({
  resource: QuotaResource,
  /** Null: unlimited. */
  limit: Schema.NullOr(Schema.Natural),
  used: Schema.Natural,
  /** Null: the count is never reset. */
  resetsAtMillis: Schema.NullOr(Millis)
}).annotate({ identifier: "QuotaUsage" })

const limit = Schema.optionalKey(Schema.NullOr(Schema.Natural))

/** Null removes a limit; limits that are not named are unchanged. */
export const QuotaLimits = Schema.Struct({
  sessions: limit,
  concurrentSteps: limit,
  moneyPerDay: limit,
  storage: limit,
  attachments: limit
}).annotate({ identifier: "QuotaLimits" })

export const AuditRecord = Schema.Struct({
  seq: Schema.Natural,
  atMillis: Millis,
  actor: Schema.Struct({
    tenant: Schema.NullOr(Schema.String),
    user: Schema.NullOr(Schema.String),
    tokenId: Schema.NullOr(Schema.String),
    address: Schema.NullOr(Schema.String)
  }),
  action: Schema.String,
  tenant: Schema.NullOr(Schema.String),
  subject: Schema.String,
  detail: Schema.String
}).annotate({ identifier: "AuditRecord" })

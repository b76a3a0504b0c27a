/** Rows of tenants, users and credentials as values. PostgreSQL's driver returns a BIGINT as text, SQLite's as a number. */
import * as AccessScope from "./AccessScope.ts"
import type { Credential, Tenant, User } from "./Accounts.ts"
import type { TenantId, TokenId, UserId } from "./Principal.ts"

type Millis = number | string

export interface TenantRow {
  readonly tenant_id: string
  readonly name: string
  readonly is_operator: number
  readonly created_at_millis: Millis
}

export interface UserRow {
  readonly tenant_id: string
  readonly user_id: string
  readonly name: string
  readonly scopes: string
  readonly created_at_millis: Millis
}

export interface CredentialRow {
  readonly credential_id: string
  readonly kind: string
  readonly tenant_id: string
  readonly user_id: string
  readonly scopes: string
  readonly label: string
  readonly created_at_millis: Millis
  readonly expires_at_millis: Millis | null
  readonly last_used_at_millis: Millis | null
}

const orNull = (millis: Millis | null): number | null => (millis === null ? null : Number(millis))

export const toTenant = (row: TenantRow): Tenant => ({
  tenant: row.tenant_id as TenantId,
  name: row.name,
  isOperator: row.is_operator === 1,
  createdAtMillis: Number(row.created_at_millis)
})

export const toUser = (row: UserRow): User => ({
  tenant: row.tenant_id as TenantId,
  user: row.user_id as UserId,
  name: row.name,
  scopes: AccessScope.fromText(row.scopes),
  createdAtMillis: Number(row.created_at_millis)
})

export const toCredential = (row: CredentialRow): Credential => ({
  tokenId: row.credential_id as TokenId,
  kind: row.kind as Credential["kind"],
  tenant: row.tenant_id as TenantId,
  user: row.user_id as UserId,
  scopes: AccessScope.fromText(row.scopes),
  label: row.label,
  createdAtMillis: Number(row.created_at_millis),
  expiresAtMillis: orNull(row.expires_at_millis),
  lastUsedAtMillis: orNull(row.last_used_at_millis)
})

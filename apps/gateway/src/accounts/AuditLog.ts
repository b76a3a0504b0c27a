/** Records administrative acts and refused access, in the order in which they were stored. Rows are only added. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { TenantId, TokenId, UserId } from "./Principal.ts"

/** The principal of an act and their address, or the operator at the machine's own command line. */
export interface Actor {
  readonly tenant: TenantId | null
  readonly user: UserId | null
  readonly tokenId: TokenId | null
  readonly address: string | null
}

/** The operator at the command line of the machine. */
export const commandLine: Actor = { tenant: null, user: null, tokenId: null, address: null }

export type AuditAction =
  | "tenant.added"
  | "tenant.removed"
  | "tenant.quotas-changed"
  | "user.added"
  | "user.scopes-changed"
  | "user.removed"
  | "user.identity-linked"
  | "token.issued"
  | "token.revoked"
  | "link.issued"
  | "session.signed-in"
  | "session.signed-out"
  | "sign-in.rejected"
  | "approval.access-denied"

export interface AuditRecord {
  readonly seq: number
  readonly atMillis: number
  readonly actor: Actor
  readonly action: AuditAction
  /** The tenant that the act concerns; null: none is known. */
  readonly tenant: TenantId | null
  /** The user, token or resource that the act concerns. */
  readonly subject: string
  /** Names of scopes, limits and the like; never a secret. */
  readonly detail: string
}

export class AuditLog extends Context.Service<
  AuditLog,
  {
    readonly record: (entry: Omit<AuditRecord, "seq" | "atMillis">) => Effect.Effect<void>
    /** Lists the newest first; null as tenant: the acts of all tenants, and those without one. */
    readonly list: (filter: {
      readonly tenant: TenantId | null
      readonly beforeSeq?: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<AuditRecord>>
  }
>()("@bough/gateway/AuditLog") {}

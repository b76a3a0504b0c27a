/** The audit log in the gateway's database. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { type AuditAction, AuditLog, type AuditRecord } from "./AuditLog.ts"
import * as Counter from "./Counter.ts"
import type { TenantId, TokenId, UserId } from "./Principal.ts"

interface Row {
  readonly seq: number | string
  readonly at_millis: number | string
  readonly actor_tenant_id: string | null
  readonly actor_user_id: string | null
  readonly actor_credential_id: string | null
  readonly actor_address: string | null
  readonly action: string
  readonly tenant_id: string | null
  readonly subject: string
  readonly detail: string
}

const toRecord = (row: Row): AuditRecord => ({
  seq: Number(row.seq),
  atMillis: Number(row.at_millis),
  actor: {
    tenant: row.actor_tenant_id as TenantId | null,
    user: row.actor_user_id as UserId | null,
    tokenId: row.actor_credential_id as TokenId | null,
    address: row.actor_address
  },
  action: row.action as AuditAction,
  tenant: row.tenant_id as TenantId | null,
  subject: row.subject,
  detail: row.detail
})

/** The maximum length of a stored text: requests without a credential also add rows. */
const maxLength = 500

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const record: AuditLog["Service"]["record"] = ({ action, actor, detail, subject, tenant }) =>
    Effect.gen(function* () {
      const seq = yield* Counter.next(sql, "audit_counter")
      yield* sql`INSERT INTO audit ${sql.insert({
        seq,
        at_millis: yield* Clock.currentTimeMillis,
        actor_tenant_id: actor.tenant,
        actor_user_id: actor.user,
        actor_credential_id: actor.tokenId,
        actor_address: actor.address,
        action,
        tenant_id: tenant,
        subject: subject.slice(0, maxLength),
        detail: detail.slice(0, maxLength)
      })}`
    }).pipe(sql.withTransaction, Effect.orDie)

  const list: AuditLog["Service"]["list"] = ({ beforeSeq, limit, tenant }) =>
    sql<Row>`SELECT * FROM audit WHERE ${sql.and([
      sql`seq < ${beforeSeq ?? Number.MAX_SAFE_INTEGER}`,
      ...(tenant === null ? [] : [sql`tenant_id = ${tenant}`])
    ])} ORDER BY seq DESC LIMIT ${limit}`.pipe(
      Effect.map((rows) => rows.map(toRecord)),
      Effect.orDie
    )

  return AuditLog.of({ record, list })
})

export const layer: Layer.Layer<AuditLog, never, SqlClient> = Layer.effect(AuditLog, make)

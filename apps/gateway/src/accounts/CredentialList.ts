/** Lists and revokes credentials. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type CredentialRow, toCredential } from "./AccountRows.ts"
import { AccountNotFound, type Accounts } from "./Accounts.ts"
import type { AccountsContext } from "./AccountsContext.ts"
import type { TenantId, UserId } from "./Principal.ts"
import { orDie } from "./SqlFailure.ts"

type Service = Pick<Accounts["Service"], "credentials" | "revoke">

export const make = (context: AccountsContext): Service => ({
  credentials: credentials(context),
  revoke: revoke(context)
})

const credentials = ({ sql }: AccountsContext): Service["credentials"] =>
  Effect.fnUntraced(function* (tenant: TenantId, user?: UserId) {
    const nowMillis = yield* Clock.currentTimeMillis
    const rows = yield* sql<CredentialRow>`SELECT credential_id, kind, tenant_id, user_id, scopes, label,
      created_at_millis, expires_at_millis, last_used_at_millis FROM credentials WHERE ${sql.and([
        sql`tenant_id = ${tenant}`,
        sql`revoked_at_millis IS NULL`,
        sql`(expires_at_millis IS NULL OR expires_at_millis > ${nowMillis})`,
        ...(user === undefined ? [] : [sql`user_id = ${user}`])
      ])} ORDER BY created_at_millis, credential_id`
    return rows.map(toCredential)
  }, Effect.orDie)

const revoke = ({ audit, revocations, sql }: AccountsContext): Service["revoke"] =>
  Effect.fnUntraced(
    function* ({ tenant, tokenId, user }, actor) {
      const nowMillis = yield* Clock.currentTimeMillis
      const revoked = yield* sql<{
        readonly credential_id: string
        readonly user_id: string
      }>`UPDATE credentials SET revoked_at_millis = ${nowMillis} WHERE ${sql.and([
        sql`(credential_id = ${tokenId} OR issued_from = ${tokenId})`,
        sql`tenant_id = ${tenant}`,
        sql`revoked_at_millis IS NULL`,
        ...(user === undefined ? [] : [sql`user_id = ${user}`])
      ])} RETURNING credential_id, user_id`
      if (revoked.length === 0) return yield* new AccountNotFound({ kind: "token", id: tokenId })
      yield* revocations.record(revoked.map((row) => row.credential_id))
      const action = actor.tokenId === tokenId ? "session.signed-out" : "token.revoked"
      yield* audit.record({ action, actor, tenant, subject: tokenId, detail: revoked[0].user_id })
    },
    sql.withTransaction,
    orDie
  )

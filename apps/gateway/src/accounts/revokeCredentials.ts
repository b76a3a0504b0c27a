/** Revokes live credentials of a tenant or of one user, and closes open streams. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { AccountsContext } from "./AccountsContext.ts"
import type { TenantId } from "./Principal.ts"

export const revokeCredentials = Effect.fnUntraced(function* (
  { revocations, sql }: AccountsContext,
  owner: { readonly tenant: TenantId; readonly user?: string }
) {
  const nowMillis = yield* Clock.currentTimeMillis
  const ended = yield* sql<{ readonly credential_id: string }>`
    UPDATE credentials SET revoked_at_millis = ${nowMillis} WHERE ${sql.and([
      sql`tenant_id = ${owner.tenant}`,
      sql`revoked_at_millis IS NULL`,
      ...(owner.user === undefined ? [] : [sql`user_id = ${owner.user}`])
    ])} RETURNING credential_id`
  yield* revocations.record(ended.map((row) => row.credential_id))
})

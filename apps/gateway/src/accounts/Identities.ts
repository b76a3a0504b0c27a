/** The identities at providers that sign in as users. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { toUser, type UserRow } from "./AccountRows.ts"
import { AccountNotFound, type Accounts, type User } from "./Accounts.ts"
import type { AccountsContext } from "./AccountsContext.ts"
import type { Actor } from "./AuditLog.ts"
import { orDie } from "./SqlFailure.ts"

type Service = Pick<Accounts["Service"], "userOfIdentity" | "linkIdentity">

export const make = (context: AccountsContext): Service => ({
  userOfIdentity: userOfIdentity(context),
  linkIdentity: linkIdentity(context)
})

const userOfIdentity =
  ({ sql }: AccountsContext): Service["userOfIdentity"] =>
  ({ issuer, subject }) =>
    sql<UserRow>`SELECT u.* FROM identities i
    JOIN users u ON u.tenant_id = i.tenant_id AND u.user_id = i.user_id
    JOIN tenants t ON t.tenant_id = u.tenant_id
    WHERE i.issuer = ${issuer} AND i.subject = ${subject}
      AND u.removed_at_millis IS NULL AND t.removed_at_millis IS NULL`.pipe(
      Effect.map(([row]) => (row === undefined ? null : toUser(row))),
      Effect.orDie
    )

const linkIdentity = ({ audit, sql }: AccountsContext): Service["linkIdentity"] =>
  Effect.fnUntraced(
    function* ({ issuer, subject }, { tenant, user }: Pick<User, "tenant" | "user">, actor: Actor) {
      const nowMillis = yield* Clock.currentTimeMillis
      const live = yield* sql`SELECT 1 FROM users
      WHERE tenant_id = ${tenant} AND user_id = ${user} AND removed_at_millis IS NULL`
      if (live.length === 0) return yield* new AccountNotFound({ kind: "user", id: user })
      yield* sql`INSERT INTO identities ${sql.insert({
        issuer,
        subject,
        tenant_id: tenant,
        user_id: user,
        linked_at_millis: nowMillis
      })} ON CONFLICT (issuer, subject) DO UPDATE SET
      tenant_id = excluded.tenant_id, user_id = excluded.user_id, linked_at_millis = excluded.linked_at_millis`
      yield* audit.record({ action: "user.identity-linked", actor, tenant, subject: user, detail: issuer })
    },
    sql.withTransaction,
    orDie
  )

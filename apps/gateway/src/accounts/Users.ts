/** Users in the database. A removal sets a date, since ids are never reused. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as AccessScope from "./AccessScope.ts"
import { toUser, type UserRow } from "./AccountRows.ts"
import { AccountExists, AccountNotFound, type Accounts } from "./Accounts.ts"
import type { AccountsContext } from "./AccountsContext.ts"
import { revokeCredentials } from "./revokeCredentials.ts"
import { orDie } from "./SqlFailure.ts"

type Service = Pick<Accounts["Service"], "addUser" | "users" | "setUserScopes" | "removeUser">

export const make = (context: AccountsContext): Service => ({
  addUser: addUser(context),
  users: users(context),
  setUserScopes: setUserScopes(context),
  removeUser: removeUser(context)
})

const addUser = ({ audit, sql }: AccountsContext): Service["addUser"] =>
  Effect.fnUntraced(
    function* ({ name, scopes, tenant, user }, actor) {
      const createdAtMillis = yield* Clock.currentTimeMillis
      const live = yield* sql`SELECT 1 FROM tenants WHERE tenant_id = ${tenant} AND removed_at_millis IS NULL`
      if (live.length === 0) return yield* new AccountNotFound({ kind: "tenant", id: tenant })
      const added = yield* sql`INSERT INTO users ${sql.insert({
        tenant_id: tenant,
        user_id: user,
        name,
        scopes: AccessScope.toText(scopes),
        created_at_millis: createdAtMillis,
        removed_at_millis: null
      })} ON CONFLICT DO NOTHING RETURNING user_id`
      if (added.length === 0) return yield* new AccountExists({ kind: "user", id: user })
      const detail = AccessScope.toText(scopes)
      yield* audit.record({ action: "user.added", actor, tenant, subject: user, detail })
      return { tenant, user, name, scopes: AccessScope.sortScopes(scopes), createdAtMillis }
    },
    sql.withTransaction,
    orDie
  )

const users =
  ({ sql }: AccountsContext): Service["users"] =>
  (tenant) =>
    sql<UserRow>`SELECT * FROM users WHERE tenant_id = ${tenant} AND removed_at_millis IS NULL ORDER BY user_id`.pipe(
      Effect.map((rows) => rows.map(toUser)),
      Effect.orDie
    )

const setUserScopes = ({ audit, revocations, sql }: AccountsContext): Service["setUserScopes"] =>
  Effect.fnUntraced(
    function* ({ scopes, tenant, user }, actor) {
      const text = AccessScope.toText(scopes)
      const changed = yield* sql`UPDATE users SET scopes = ${text}
      WHERE tenant_id = ${tenant} AND user_id = ${user} AND removed_at_millis IS NULL RETURNING user_id`
      if (changed.length === 0) return yield* new AccountNotFound({ kind: "user", id: user })
      const live = yield* sql<{ readonly credential_id: string }>`SELECT credential_id FROM credentials
      WHERE tenant_id = ${tenant} AND user_id = ${user} AND revoked_at_millis IS NULL`
      // Streams that were opened with more scopes are closed, and authenticate again.
      yield* revocations.record(live.map((row) => row.credential_id))
      yield* audit.record({ action: "user.scopes-changed", actor, tenant, subject: user, detail: text })
    },
    sql.withTransaction,
    orDie
  )

const removeUser = (context: AccountsContext): Service["removeUser"] =>
  Effect.fnUntraced(
    function* ({ tenant, user }, actor) {
      const nowMillis = yield* Clock.currentTimeMillis
      const removed = yield* context.sql`UPDATE users SET removed_at_millis = ${nowMillis}
      WHERE tenant_id = ${tenant} AND user_id = ${user} AND removed_at_millis IS NULL RETURNING user_id`
      if (removed.length === 0) return yield* new AccountNotFound({ kind: "user", id: user })
      yield* revokeCredentials(context, { tenant, user })
      yield* context.audit.record({ action: "user.removed", actor, tenant, subject: user, detail: "" })
    },
    context.sql.withTransaction,
    orDie
  )

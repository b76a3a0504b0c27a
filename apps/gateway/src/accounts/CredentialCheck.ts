/** Checks presented secrets, and whether a credential still gives access. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as PubSub from "effect/PubSub"
import * as Redacted from "effect/Redacted"
import type { SqlClient } from "effect/sql/SqlClient"
import * as AccessScope from "./AccessScope.ts"
import { type CredentialRow, toCredential } from "./AccountRows.ts"
import { type Accounts, CredentialRejected } from "./Accounts.ts"
import type { AccountsContext } from "./AccountsContext.ts"
import * as CredentialSecret from "./CredentialSecret.ts"
import type { Principal, TokenId } from "./Principal.ts"
import { orDie } from "./SqlFailure.ts"

type Service = Pick<Accounts["Service"], "authenticate" | "untilEnded">
type OpenPrincipal = Parameters<Service["untilEnded"]>[0]

/** `last_used_at_millis` is written at most once in this time. */
const useResolutionMillis = 60_000
/** The hash for an unknown id, so that an unknown id takes as long as a wrong secret. */
const noHash = "0".repeat(64)

export const make = (context: AccountsContext): Service => ({
  authenticate: authenticate(context),
  untilEnded: untilEnded(context)
})

/** A credential with the hash of its secret, the scopes of its user, and the dates that may have ended it. */
interface StoredRow extends CredentialRow {
  readonly secret_hash: string
  readonly revoked_at_millis: number | string | null
  readonly user_scopes: string
  readonly user_removed_at_millis: number | string | null
  readonly tenant_removed_at_millis: number | string | null
  readonly is_operator: number
}

const isLive = (row: StoredRow, nowMillis: number): boolean =>
  row.revoked_at_millis === null &&
  row.user_removed_at_millis === null &&
  row.tenant_removed_at_millis === null &&
  (row.expires_at_millis === null || Number(row.expires_at_millis) > nowMillis)

const find = (sql: SqlClient, id: TokenId) =>
  Effect.map(
    sql<StoredRow>`SELECT c.*, t.is_operator, u.scopes AS user_scopes,
        u.removed_at_millis AS user_removed_at_millis, t.removed_at_millis AS tenant_removed_at_millis
      FROM credentials c
      JOIN users u ON u.tenant_id = c.tenant_id AND u.user_id = c.user_id
      JOIN tenants t ON t.tenant_id = c.tenant_id
      WHERE c.credential_id = ${id}`,
    ([row]): StoredRow | null => row ?? null
  )

/** Returns the row of a live credential of one of these kinds. */
export const verify = Effect.fnUntraced(function* (
  sql: SqlClient,
  secret: Redacted.Redacted,
  kinds: ReadonlyArray<string>
) {
  const presented = CredentialSecret.parse(Redacted.value(secret))
  if (presented === null) return yield* new CredentialRejected({ isGuess: true })
  const nowMillis = yield* Clock.currentTimeMillis
  const row = yield* find(sql, presented.id)
  const isSecret = CredentialSecret.matches(presented.hash, row?.secret_hash ?? noHash)
  if (row === null || !isSecret || presented.kind !== row.kind) return yield* new CredentialRejected({ isGuess: true })
  if (!isLive(row, nowMillis) || !kinds.includes(row.kind)) return yield* new CredentialRejected({ isGuess: false })
  return { row, nowMillis }
})

const authenticate = ({ sql }: AccountsContext): Service["authenticate"] =>
  Effect.fnUntraced(function* (secret) {
    const { nowMillis, row } = yield* verify(sql, secret, ["token", "cookie"])
    const lastUsed = row.last_used_at_millis
    if (lastUsed === null || Number(lastUsed) <= nowMillis - useResolutionMillis)
      yield* sql`UPDATE credentials SET last_used_at_millis = ${nowMillis} WHERE credential_id = ${row.credential_id}`
    return toPrincipal(row)
  }, orDie)

/** True while the credential has all scopes of the principal. */
const hasAllScopes = Effect.fnUntraced(function* (sql: SqlClient, principal: OpenPrincipal) {
  const row = yield* find(sql, principal.tokenId as TokenId)
  if (row === null || !isLive(row, yield* Clock.currentTimeMillis)) return false
  const now = toPrincipal(row).scopes
  return [...principal.scopes].every((scope) => now.has(scope))
}, Effect.orDie)

const untilRevoked = ({ revocations, sql }: AccountsContext, principal: OpenPrincipal) =>
  Effect.scoped(
    Effect.gen(function* () {
      const subscription = yield* revocations.subscribe
      // The subscription begins before the check, so no revocation between the authentication of the request and this
      // point is missed.
      while (yield* hasAllScopes(sql, principal)) {
        while ((yield* PubSub.take(subscription)) !== principal.tokenId);
      }
    })
  )

const untilEnded =
  (context: AccountsContext): Service["untilEnded"] =>
  (principal) =>
    principal.expiresAtMillis === null
      ? untilRevoked(context, principal)
      : Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
          Effect.raceFirst(untilRevoked(context, principal), sleepMillis(principal.expiresAtMillis! - nowMillis))
        )

/** A timer is limited to 2^31 - 1 milliseconds, so longer times are split. */
const sleepMillis = (millis: number): Effect.Effect<void> => {
  const maxTimerMillis = 2 ** 31 - 1
  return millis <= maxTimerMillis
    ? Effect.sleep(Math.max(0, millis))
    : Effect.andThen(
        Effect.sleep(maxTimerMillis),
        Effect.suspend(() => sleepMillis(millis - maxTimerMillis))
      )
}

const toPrincipal = (row: StoredRow): Principal => {
  const { expiresAtMillis, scopes, tenant, tokenId, user } = toCredential(row)
  return {
    tenant,
    user,
    scopes: new Set(AccessScope.intersection(scopes, AccessScope.fromText(row.user_scopes))),
    kind: row.kind as Principal["kind"],
    tokenId,
    expiresAtMillis,
    isOperator: row.is_operator === 1
  }
}

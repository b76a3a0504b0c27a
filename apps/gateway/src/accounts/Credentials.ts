/** Tokens, cookies and sign-in links: one table, by kind. Only hashes are stored. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as PubSub from "effect/PubSub"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as AccessScope from "./AccessScope.ts"
import { type CredentialRow, toCredential } from "./AccountRows.ts"
import {
  AccountNotFound,
  type Accounts,
  type Credential,
  CredentialRejected,
  type CredentialRequest,
  type IssuedCredential,
  ScopeNotHeld
} from "./Accounts.ts"
import type { Actor, AuditLog } from "./AuditLog.ts"
import * as CredentialSecret from "./CredentialSecret.ts"
import type { Principal, TenantId, TokenId, UserId } from "./Principal.ts"
import type { Revocations } from "./Revocations.ts"
import { orDie } from "./SqlFailure.ts"

type Service = Accounts["Service"]
type OpenPrincipal = Parameters<Service["untilEnded"]>[0]

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

/** `last_used_at_millis` is written at most once in this time. */
const useResolutionMillis = 60_000
/** The hash for an unknown id, so that an unknown id takes as long as a wrong secret. */
const noHash = "0".repeat(64)

interface Insertion {
  readonly kind: Credential["kind"]
  readonly request: CredentialRequest
  readonly actor: Actor
  /** The token that a cookie was issued for; the cookie ends with it. */
  readonly issuedFrom: TokenId | null
}

const issuedAction = { token: "token.issued", link: "link.issued", cookie: "session.signed-in" } as const

export const make = Effect.fnUntraced(function* (audit: AuditLog["Service"], revocations: Revocations) {
  const sql = yield* SqlClient

  const find = (id: TokenId) =>
    Effect.map(
      sql<StoredRow>`SELECT c.*, t.is_operator, u.scopes AS user_scopes,
          u.removed_at_millis AS user_removed_at_millis, t.removed_at_millis AS tenant_removed_at_millis
        FROM credentials c
        JOIN users u ON u.tenant_id = c.tenant_id AND u.user_id = c.user_id
        JOIN tenants t ON t.tenant_id = c.tenant_id
        WHERE c.credential_id = ${id}`,
      ([row]): StoredRow | null => row ?? null
    )

  const verify = Effect.fnUntraced(function* (secret: Redacted.Redacted, kinds: ReadonlyArray<string>) {
    const presented = CredentialSecret.parse(Redacted.value(secret))
    if (presented === null) return yield* new CredentialRejected({ isGuess: true })
    const nowMillis = yield* Clock.currentTimeMillis
    const row = yield* find(presented.id)
    const isSecret = CredentialSecret.matches(presented.hash, row?.secret_hash ?? noHash)
    if (row === null || !isSecret || presented.kind !== row.kind)
      return yield* new CredentialRejected({ isGuess: true })
    if (!isLive(row, nowMillis) || !kinds.includes(row.kind)) return yield* new CredentialRejected({ isGuess: false })
    return { row, nowMillis }
  })

  const authenticate: Service["authenticate"] = Effect.fnUntraced(function* (secret) {
    const { nowMillis, row } = yield* verify(secret, ["token", "cookie"])
    const lastUsed = row.last_used_at_millis
    if (lastUsed === null || Number(lastUsed) <= nowMillis - useResolutionMillis)
      yield* sql`UPDATE credentials SET last_used_at_millis = ${nowMillis} WHERE credential_id = ${row.credential_id}`
    return toPrincipal(row)
  }, orDie)

  const insert = Effect.fnUntraced(
    function* ({
      actor,
      issuedFrom,
      kind,
      request
    }: Insertion): Effect.fn.Return<IssuedCredential, AccountNotFound | ScopeNotHeld | SqlError> {
      const { label, lifetimeMillis, scopes, tenant, user } = request
      const userScopes = yield* sql<{ readonly scopes: string }>`SELECT u.scopes FROM users u
      JOIN tenants t ON t.tenant_id = u.tenant_id
      WHERE u.tenant_id = ${tenant} AND u.user_id = ${user}
        AND u.removed_at_millis IS NULL AND t.removed_at_millis IS NULL`
      if (userScopes.length === 0) return yield* new AccountNotFound({ what: "user", id: user })
      const allowedScopes = AccessScope.fromText(userScopes[0].scopes)
      const excessScopes = scopes.filter((scope) => !allowedScopes.includes(scope))
      if (excessScopes.length > 0) return yield* new ScopeNotHeld({ scopes: excessScopes })

      const nowMillis = yield* Clock.currentTimeMillis
      const { hash, id, text } = CredentialSecret.mint(kind)
      const row = {
        credential_id: id,
        kind,
        secret_hash: hash,
        tenant_id: tenant,
        user_id: user,
        scopes: AccessScope.toText(scopes),
        label,
        issued_from: issuedFrom,
        created_at_millis: nowMillis,
        expires_at_millis: lifetimeMillis === null ? null : nowMillis + lifetimeMillis,
        last_used_at_millis: null,
        revoked_at_millis: null
      }
      yield* sql`INSERT INTO credentials ${sql.insert(row)}`
      const detail = `${user}: ${row.scopes}`
      yield* audit.record({ action: issuedAction[kind], actor, tenant, subject: id, detail })
      return { credential: toCredential(row), secret: text }
    },
    sql.withTransaction,
    orDie
  )

  const signIn: Service["signIn"] = Effect.fnUntraced(
    function* (secret, { address, lifetimeMillis }) {
      const { nowMillis, row } = yield* verify(secret, ["link", "token"])
      if (row.kind === "link") {
        const used = yield* sql`UPDATE credentials SET revoked_at_millis = ${nowMillis}
          WHERE credential_id = ${row.credential_id} AND revoked_at_millis IS NULL RETURNING credential_id`
        if (used.length === 0) return yield* new CredentialRejected({ isGuess: false })
      }
      const { expiresAtMillis, scopes, tenant, tokenId, user } = toCredential(row)
      // A link's own lifetime limits only its use; a token's lifetime limits the cookie, too.
      const maxLifetimeMillis =
        row.kind === "token" && expiresAtMillis !== null ? expiresAtMillis - nowMillis : lifetimeMillis
      const request = {
        tenant,
        user,
        scopes: AccessScope.intersection(scopes, AccessScope.fromText(row.user_scopes)),
        label: `signed in with a ${row.kind}`,
        lifetimeMillis: Math.min(lifetimeMillis, maxLifetimeMillis)
      }
      const actor = { tenant, user, tokenId, address }
      return yield* insert({ kind: "cookie", request, actor, issuedFrom: row.kind === "token" ? tokenId : null }).pipe(
        Effect.mapError(() => new CredentialRejected({ isGuess: false }))
      )
    },
    sql.withTransaction,
    orDie
  )

  const credentials: Service["credentials"] = Effect.fnUntraced(function* (tenant: TenantId, user?: UserId) {
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

  const revoke: Service["revoke"] = Effect.fnUntraced(
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
      if (revoked.length === 0) return yield* new AccountNotFound({ what: "token", id: tokenId })
      yield* revocations.record(revoked.map((row) => row.credential_id))
      const action = actor.tokenId === tokenId ? "session.signed-out" : "token.revoked"
      yield* audit.record({ action, actor, tenant, subject: tokenId, detail: revoked[0].user_id })
    },
    sql.withTransaction,
    orDie
  )

  /** True while the credential has all scopes of the principal. */
  const isStillGiven = Effect.fnUntraced(function* (principal: OpenPrincipal) {
    const row = yield* find(principal.tokenId as TokenId)
    if (row === null || !isLive(row, yield* Clock.currentTimeMillis)) return false
    const now = toPrincipal(row).scopes
    return [...principal.scopes].every((scope) => now.has(scope))
  }, Effect.orDie)

  const untilRevoked = (principal: OpenPrincipal) =>
    Effect.scoped(
      Effect.gen(function* () {
        const subscription = yield* revocations.subscribe
        // The subscription begins before the check, so no revocation between the authentication of the request and this
        // point is missed.
        while (yield* isStillGiven(principal)) {
          while ((yield* PubSub.take(subscription)) !== principal.tokenId);
        }
      })
    )

  const untilEnded: Service["untilEnded"] = (principal) =>
    principal.expiresAtMillis === null
      ? untilRevoked(principal)
      : Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
          Effect.raceFirst(untilRevoked(principal), sleepMillis(principal.expiresAtMillis! - nowMillis))
        )

  return {
    authenticate,
    issue: (request: CredentialRequest, actor: Actor) => insert({ kind: "token", request, actor, issuedFrom: null }),
    issueLink: (request: CredentialRequest, actor: Actor) => insert({ kind: "link", request, actor, issuedFrom: null }),
    issueCookie: (request: CredentialRequest, actor: Actor) =>
      insert({ kind: "cookie", request, actor, issuedFrom: null }),
    signIn,
    credentials,
    revoke,
    revocations: revocations.stream,
    untilEnded
  }
})

/** A timer is limited to 2^31 - 1 milliseconds, so longer times are split. */
const sleepMillis = (millis: number): Effect.Effect<void> => {
  const longest = 2 ** 31 - 1
  return millis <= longest
    ? Effect.sleep(Math.max(0, millis))
    : Effect.andThen(
        Effect.sleep(longest),
        Effect.suspend(() => sleepMillis(millis - longest))
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

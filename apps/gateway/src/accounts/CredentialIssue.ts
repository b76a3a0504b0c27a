/** Issues tokens, cookies and sign-in links. Only hashes of their secrets are stored. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import * as AccessScope from "./AccessScope.ts"
import { toCredential } from "./AccountRows.ts"
import {
  AccountNotFound,
  type Accounts,
  type Credential,
  CredentialRejected,
  type CredentialRequest,
  type IssuedCredential,
  ScopeNotHeld
} from "./Accounts.ts"
import type { AccountsContext } from "./AccountsContext.ts"
import type { Actor } from "./AuditLog.ts"
import * as CredentialCheck from "./CredentialCheck.ts"
import * as CredentialSecret from "./CredentialSecret.ts"
import type { TokenId } from "./Principal.ts"
import { orDie } from "./SqlFailure.ts"

type Service = Pick<Accounts["Service"], "issue" | "issueLink" | "issueCookie" | "signIn">

interface Insertion {
  readonly kind: Credential["kind"]
  readonly request: CredentialRequest
  readonly actor: Actor
  /** The token that a cookie was issued for; the cookie ends with it. */
  readonly issuedFrom: TokenId | null
}

const issuedAction = { token: "token.issued", link: "link.issued", cookie: "session.signed-in" } as const

export const make = (context: AccountsContext): Service => {
  const insert = insertCredential(context)
  return {
    issue: (request, actor) => insert({ kind: "token", request, actor, issuedFrom: null }),
    issueLink: (request, actor) => insert({ kind: "link", request, actor, issuedFrom: null }),
    issueCookie: (request, actor) => insert({ kind: "cookie", request, actor, issuedFrom: null }),
    signIn: signIn(context, insert)
  }
}

const insertCredential = ({ audit, sql }: AccountsContext) =>
  Effect.fnUntraced(
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
      if (userScopes.length === 0) return yield* new AccountNotFound({ kind: "user", id: user })
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

const signIn = ({ sql }: AccountsContext, insert: ReturnType<typeof insertCredential>): Service["signIn"] =>
  Effect.fnUntraced(
    function* (secret, { address, lifetimeMillis }) {
      const { nowMillis, row } = yield* CredentialCheck.verify(sql, secret, ["link", "token"])
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

/**
 * Sign-ins that were begun at a provider. They are stored so that another gateway over the store can finish them; each
 * is used once.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { createHash } from "node:crypto"

export interface OpenIdRequest {
  /** The random state, which goes to the provider and, in a cookie, to the browser. */
  readonly state: string
  /** The secret of PKCE. */
  readonly verifier: string
  readonly nonce: string
}

export const lifetimeMillis = 10 * 60_000

const hashOf = (state: string): string => createHash("sha256").update(state, "utf8").digest("hex")

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  return {
    begin: ({ nonce, state, verifier }: OpenIdRequest) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        yield* sql`DELETE FROM openid_requests WHERE expires_at_millis <= ${nowMillis}`
        yield* sql`INSERT INTO openid_requests ${sql.insert({
          state_hash: hashOf(state),
          verifier,
          nonce,
          expires_at_millis: nowMillis + lifetimeMillis
        })}`
      }).pipe(sql.withTransaction, Effect.orDie),
    /** Returns the request of that state and deletes it; null: the state is unknown, used or expired. */
    finish: (state: string) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const [row] = yield* sql<{
          readonly verifier: string
          readonly nonce: string
          readonly expires_at_millis: number | string
        }>`DELETE FROM openid_requests WHERE state_hash = ${hashOf(state)} RETURNING verifier, nonce, expires_at_millis`
        if (row === undefined || Number(row.expires_at_millis) <= nowMillis) return null
        return { state, verifier: row.verifier, nonce: row.nonce } satisfies OpenIdRequest
      }).pipe(Effect.orDie)
  }
})

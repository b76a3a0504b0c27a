/**
 * The stored idempotency keys of users, with the responses of the requests that first used them. All processes over the
 * store share the keys.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"

/** After this time, an earlier request with the key counts as lost with its process. */
const maxRunMillis = 120_000
const waitMillis = 100
const maxWaits = 50

const Row = Schema.Struct({
  digest: Schema.String,
  startedAtMillis: Schema.Finite,
  status: Schema.NullOr(Schema.Finite),
  headers: Schema.NullOr(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))),
  body: Schema.NullOr(Schema.String)
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

/** The response of the request that first used the key. */
export interface StoredResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request with a key. */
export interface KeyedRequest {
  readonly user: string
  readonly key: string
  /** The digest of the request: another request with the same key is refused. */
  readonly digest: string
}

/**
 * `Claimed`: this request got the key and has to run. `InProgress`: an earlier request with the key did not end within
 * the wait.
 */
export type Claim =
  | { readonly _tag: "Claimed" }
  | { readonly _tag: "Reused" }
  | { readonly _tag: "InProgress" }
  | { readonly _tag: "Repeated"; readonly answer: StoredResponse }

export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** Returns true if this request gets the key. */
  const claimKey = Effect.fnUntraced(function* ({ digest, key, user }: KeyedRequest) {
    const nowMillis = yield* Clock.currentTimeMillis
    const row = { user_key: user, idempotency_key: key, request_digest: digest, started_at_millis: nowMillis }
    const claimed = yield* sql`
      INSERT INTO idempotency_keys ${sql.insert(row)}
      ON CONFLICT (user_key, idempotency_key) DO UPDATE SET started_at_millis = ${nowMillis}
        WHERE idempotency_keys.status IS NULL AND idempotency_keys.started_at_millis < ${nowMillis - maxRunMillis}
          AND idempotency_keys.request_digest = ${digest}
      RETURNING idempotency_key`
    return claimed.length > 0
  })

  const find = ({ key, user }: KeyedRequest) =>
    sql`SELECT request_digest AS digest, started_at_millis AS "startedAtMillis", status, headers, body
        FROM idempotency_keys WHERE user_key = ${user} AND idempotency_key = ${key}`.pipe(
      Effect.flatMap(decodeRows),
      Effect.map(([row]) => row)
    )

  /** Waits for the first request with the key; null: it failed, and the key is free. */
  const awaitFirst = Effect.fnUntraced(function* (keyed: KeyedRequest) {
    for (let waits = 0; waits < maxWaits; waits++) {
      const row = yield* find(keyed)
      if (row === undefined) return null
      if (row.digest !== keyed.digest) return { _tag: "Reused" } satisfies Claim
      if (row.status !== null) {
        const answer = { status: row.status, headers: row.headers ?? {}, body: row.body ?? "" }
        return { _tag: "Repeated", answer } satisfies Claim
      }
      yield* Effect.sleep(waitMillis)
    }
    return { _tag: "InProgress" } satisfies Claim
  })

  return {
    claim: Effect.fnUntraced(function* (keyed: KeyedRequest): Effect.fn.Return<Claim> {
      while (!(yield* Effect.orDie(claimKey(keyed)))) {
        const claim = yield* Effect.orDie(awaitFirst(keyed))
        if (claim !== null) return claim
      }
      return { _tag: "Claimed" }
    }),
    /** Frees the key after a failure, so that a retry runs. */
    forget: ({ key, user }: KeyedRequest) =>
      Effect.orDie(
        Effect.asVoid(sql`DELETE FROM idempotency_keys WHERE user_key = ${user} AND idempotency_key = ${key}`)
      ),
    /** Stores the response for repetitions of the request. */
    keep: ({ key, user }: KeyedRequest, { body, headers, status }: StoredResponse) =>
      Effect.orDie(
        Effect.asVoid(sql`UPDATE idempotency_keys
          SET status = ${status}, headers = ${JSON.stringify(headers)}, body = ${body}
          WHERE user_key = ${user} AND idempotency_key = ${key}`)
      ),
    removeBefore: (millis: number) => sql`DELETE FROM idempotency_keys WHERE started_at_millis < ${millis}`
  }
})

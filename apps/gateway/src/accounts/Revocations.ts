/**
 * Notifies streams that a credential lost access. Rows are numbered in the order of their commits, so a process that
 * continues from the last number also gets every revocation of other processes.
 */
import * as Effect from "effect/Effect"
import * as PubSub from "effect/PubSub"
import { SqlClient } from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import * as Counter from "./Counter.ts"
import type { TokenId } from "./Principal.ts"

/** A revocation reaches open streams within this time and one read. */
const pollInterval = "200 millis"
const page = 1000

interface Row {
  readonly seq: number | string
  readonly credential_id: string
}

/** Polls until the scope closes. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const revoked = yield* PubSub.unbounded<TokenId>()
  let seen = Number(
    (yield* sql<{ readonly latest: number | string }>`SELECT latest FROM revocation_counter`.pipe(Effect.orDie))[0]
      .latest
  )

  const poll = Effect.gen(function* () {
    const rows = yield* sql<Row>`
      SELECT seq, credential_id FROM revocations WHERE seq > ${seen} ORDER BY seq LIMIT ${page}`
    for (const row of rows) {
      seen = Number(row.seq)
      yield* PubSub.publish(revoked, row.credential_id as TokenId)
    }
    return rows.length
  })

  yield* poll.pipe(
    Effect.repeat({ while: (count) => count === page }),
    // After a failed read of a busy database, the next poll reads again.
    Effect.ignore,
    Effect.andThen(Effect.sleep(pollInterval)),
    Effect.forever,
    Effect.forkScoped
  )

  return {
    stream: Stream.fromPubSub(revoked),
    /** Subscribes until the scope closes; the stream has the revocations from then on. */
    subscribe: PubSub.subscribe(revoked),
    /** Records that the credentials lost access. Call it only in the transaction that revokes the access. */
    record: (ids: ReadonlyArray<string>) =>
      Effect.forEach(
        ids,
        (credential_id) =>
          Effect.flatMap(
            Counter.next(sql, "revocation_counter"),
            (seq) => sql`INSERT INTO revocations ${sql.insert({ seq, credential_id })}`
          ),
        { discard: true }
      )
  }
})

export type Revocations = Effect.Success<typeof make>

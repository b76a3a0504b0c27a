/** Numbers rows in the order of their commits: the counter's row is locked until the transaction that took a number ends. */
import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Returns the next number; only within a transaction that also inserts its row. */
export const next = (sql: SqlClient, table: "revocation_counter" | "audit_counter"): Effect.Effect<number, SqlError> =>
  Effect.map(
    sql<{ readonly latest: number | string }>`
      UPDATE ${sql(table)} SET latest = latest + 1 WHERE id = 1 RETURNING latest`,
    ([row]) => Number(row.latest)
  )

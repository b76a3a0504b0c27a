/** The table of idempotency keys of users, with the responses. */
import type { DatabaseStep } from "../database/DatabaseStep.ts"

export const steps: ReadonlyArray<DatabaseStep> = [
  {
    name: "idempotency-1",
    statements: [
      `CREATE TABLE idempotency_keys (
        user_key TEXT NOT NULL,
        idempotency_key TEXT NOT NULL,
        -- sha256 of method, path and body.
        request_digest TEXT NOT NULL,
        started_at_millis BIGINT NOT NULL,
        -- Null while the request runs.
        status INTEGER,
        headers TEXT,
        body TEXT,
        PRIMARY KEY (user_key, idempotency_key)
      )`,
      "CREATE INDEX idempotency_keys_by_age ON idempotency_keys (started_at_millis)"
    ]
  }
]

/** Tables of tenants, users and their tokens. No secret is stored, only its digest. */
import type { DatabaseStep } from "../database/DatabaseStep.ts"

export const steps: ReadonlyArray<DatabaseStep> = [
  {
    name: "accounts-1",
    statements: [
      "CREATE TABLE tenants (name TEXT PRIMARY KEY, created_at_millis BIGINT NOT NULL)",
      `CREATE TABLE users (
        tenant TEXT NOT NULL REFERENCES tenants (name),
        name TEXT NOT NULL,
        created_at_millis BIGINT NOT NULL,
        PRIMARY KEY (tenant, name)
      )`,
      `CREATE TABLE tokens (
        id TEXT PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        tenant TEXT NOT NULL,
        user_name TEXT NOT NULL,
        name TEXT NOT NULL,
        scopes TEXT NOT NULL,
        created_at_millis BIGINT NOT NULL,
        expires_at_millis BIGINT,
        revoked_at_millis BIGINT,
        FOREIGN KEY (tenant, user_name) REFERENCES users (tenant, name)
      )`,
      "CREATE INDEX tokens_revoked ON tokens (revoked_at_millis)"
    ]
  }
]

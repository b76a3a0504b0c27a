/**
 * The tables of users, credentials and quotas, in SQL for SQLite and PostgreSQL. Times are epoch milliseconds; secrets
 * are stored as hashes.
 */
import type { DatabaseStep } from "../database/DatabaseStep.ts"

export const steps: ReadonlyArray<DatabaseStep> = [
  {
    name: "accounts-1",
    statements: [
      `CREATE TABLE tenants (
        tenant_id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        is_operator INTEGER NOT NULL,
        created_at_millis BIGINT NOT NULL,
        removed_at_millis BIGINT
      )`,
      `CREATE TABLE users (
        tenant_id TEXT NOT NULL REFERENCES tenants,
        user_id TEXT NOT NULL,
        name TEXT NOT NULL,
        scopes TEXT NOT NULL,
        created_at_millis BIGINT NOT NULL,
        removed_at_millis BIGINT,
        PRIMARY KEY (tenant_id, user_id)
      )`,
      `CREATE TABLE identities (
        issuer TEXT NOT NULL,
        subject TEXT NOT NULL,
        tenant_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        linked_at_millis BIGINT NOT NULL,
        PRIMARY KEY (issuer, subject),
        FOREIGN KEY (tenant_id, user_id) REFERENCES users
      )`,
      `CREATE TABLE credentials (
        credential_id TEXT PRIMARY KEY,
        kind TEXT NOT NULL,
        secret_hash TEXT NOT NULL,
        tenant_id TEXT NOT NULL,
        user_id TEXT NOT NULL,
        scopes TEXT NOT NULL,
        label TEXT NOT NULL,
        issued_from TEXT,
        created_at_millis BIGINT NOT NULL,
        expires_at_millis BIGINT,
        last_used_at_millis BIGINT,
        revoked_at_millis BIGINT,
        FOREIGN KEY (tenant_id, user_id) REFERENCES users
      )`,
      `CREATE INDEX credentials_by_user ON credentials (tenant_id, user_id)`,
      `CREATE INDEX credentials_by_origin ON credentials (issued_from)`,
      // Counts revocations in the order of their commits: the row is locked until the transaction ends.
      `CREATE TABLE revocation_counter (id INTEGER PRIMARY KEY, latest BIGINT NOT NULL)`,
      `INSERT INTO revocation_counter (id, latest) VALUES (1, 0)`,
      `CREATE TABLE revocations (
        seq BIGINT PRIMARY KEY,
        credential_id TEXT NOT NULL
      )`,
      `CREATE TABLE audit_counter (id INTEGER PRIMARY KEY, latest BIGINT NOT NULL)`,
      `INSERT INTO audit_counter (id, latest) VALUES (1, 0)`,
      `CREATE TABLE audit (
        seq BIGINT PRIMARY KEY,
        at_millis BIGINT NOT NULL,
        actor_tenant_id TEXT,
        actor_user_id TEXT,
        actor_credential_id TEXT,
        actor_address TEXT,
        action TEXT NOT NULL,
        tenant_id TEXT,
        subject TEXT NOT NULL,
        detail TEXT NOT NULL
      )`,
      `CREATE INDEX audit_by_tenant ON audit (tenant_id, seq)`,
      `CREATE TABLE sign_in_failures (
        address TEXT PRIMARY KEY,
        failures INTEGER NOT NULL,
        last_at_millis BIGINT NOT NULL
      )`,
      `CREATE INDEX sign_in_failures_by_time ON sign_in_failures (last_at_millis)`,
      `CREATE TABLE openid_requests (
        state_hash TEXT PRIMARY KEY,
        verifier TEXT NOT NULL,
        nonce TEXT NOT NULL,
        expires_at_millis BIGINT NOT NULL
      )`,
      `CREATE TABLE quota_limits (
        tenant_id TEXT NOT NULL REFERENCES tenants,
        resource TEXT NOT NULL,
        most BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, resource)
      )`,
      // The period is a UTC date for a daily limit, else empty.
      `CREATE TABLE quota_usage (
        tenant_id TEXT NOT NULL REFERENCES tenants,
        resource TEXT NOT NULL,
        period TEXT NOT NULL,
        amount BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, resource, period)
      )`,
      `CREATE TABLE step_permits (
        tenant_id TEXT NOT NULL REFERENCES tenants,
        slot INTEGER NOT NULL,
        holder TEXT NOT NULL,
        expires_at_millis BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, slot)
      )`
    ]
  }
]

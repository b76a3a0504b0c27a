/** The tables of webhooks, of their messages, and of the positions up to which journals were read for them. */
import type { DatabaseStep } from "../database/DatabaseStep.ts"

export const steps: ReadonlyArray<DatabaseStep> = [
  {
    name: "webhooks-1",
    statements: [
      `CREATE TABLE webhooks (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL,
        user_name TEXT NOT NULL,
        url TEXT NOT NULL,
        events TEXT NOT NULL,
        -- Requests are signed with it, so it is stored as it is.
        secret TEXT NOT NULL,
        old_secret TEXT,
        old_secret_until_millis BIGINT,
        created_at_millis BIGINT NOT NULL,
        disabled_at_millis BIGINT
      )`,
      "CREATE INDEX webhooks_by_user ON webhooks (tenant, user_name)",
      `CREATE TABLE webhook_deliveries (
        id TEXT PRIMARY KEY,
        webhook_id TEXT NOT NULL,
        type TEXT NOT NULL,
        body TEXT NOT NULL,
        state TEXT NOT NULL,
        attempts INTEGER NOT NULL,
        created_at_millis BIGINT NOT NULL,
        -- Of a pending one: when it is due. An attempt sets it ahead, so that the message of a killed process is due again.
        next_attempt_at_millis BIGINT,
        in_flight INTEGER NOT NULL,
        delivered_at_millis BIGINT,
        last_status INTEGER,
        last_error TEXT
      )`,
      "CREATE INDEX webhook_deliveries_due ON webhook_deliveries (state, next_attempt_at_millis)",
      "CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, created_at_millis, id)",
      `CREATE TABLE webhook_reads (
        session_id TEXT PRIMARY KEY,
        next_seq BIGINT NOT NULL,
        -- 1: the newest step is a compaction, whose reply ends no turn.
        is_compacting INTEGER NOT NULL
      )`
    ]
  }
]

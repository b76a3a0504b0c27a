/** The tables of model calls and of tool calls, filled from the journals, each call once. */
import type { DatabaseStep } from "../database/DatabaseStep.ts"

export const steps: ReadonlyArray<DatabaseStep> = [
  {
    name: "usage-1",
    statements: [
      `CREATE TABLE model_calls (
        session_id TEXT NOT NULL,
        seq BIGINT NOT NULL,
        tree_id TEXT NOT NULL,
        user_key TEXT NOT NULL,
        -- The UTC day on which the call was read, within a minute of when it was made.
        day TEXT NOT NULL,
        model TEXT NOT NULL,
        input_tokens BIGINT NOT NULL,
        cached_input_tokens BIGINT NOT NULL,
        output_tokens BIGINT NOT NULL,
        cost_usd DOUBLE PRECISION,
        PRIMARY KEY (session_id, seq)
      )`,
      "CREATE INDEX model_calls_by_user ON model_calls (user_key, day)",
      `CREATE TABLE model_calls_read (
        session_id TEXT PRIMARY KEY,
        next_seq BIGINT NOT NULL,
        model TEXT NOT NULL
      )`
    ]
  },
  {
    name: "usage-2",
    statements: [
      `CREATE TABLE model_calls_read_up_to (
        id BIGINT PRIMARY KEY CHECK (id = 1),
        -- All sessions that changed before this time of the store's clock were read.
        up_to_millis BIGINT NOT NULL
      )`
    ]
  },
  {
    name: "usage-3",
    statements: [
      `CREATE TABLE tool_calls (
        session_id TEXT NOT NULL,
        seq BIGINT NOT NULL,
        -- Empty: nothing of a tool ran, so the name may be the model's own.
        tool TEXT NOT NULL,
        outcome TEXT NOT NULL,
        elapsed_millis BIGINT NOT NULL,
        PRIMARY KEY (session_id, seq)
      )`
    ]
  }
]

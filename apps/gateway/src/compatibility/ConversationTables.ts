/** The table of conversations that have a key in another protocol. */
import type { DatabaseStep } from "../database/DatabaseStep.ts"

export const steps: ReadonlyArray<DatabaseStep> = [
  {
    name: "compatibility-1",
    statements: [
      // `entries`: the length of the journal when the key was stored; -1 if the key names the current state of the
      // session.
      `CREATE TABLE compatibility_conversations (
        user_key TEXT NOT NULL,
        conversation_key TEXT NOT NULL,
        session_id TEXT NOT NULL,
        entries BIGINT NOT NULL,
        created_at_millis BIGINT NOT NULL,
        PRIMARY KEY (user_key, conversation_key)
      )`
    ]
  }
]

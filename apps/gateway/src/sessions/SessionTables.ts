/** Tables of the gateway's facts about sessions that are not in their journals. */
import type { DatabaseStep } from "../database/DatabaseStep.ts"

export const steps: ReadonlyArray<DatabaseStep> = [
  {
    name: "sessions-1",
    statements: [
      `CREATE TABLE workspaces (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL,
        user_name TEXT NOT NULL,
        created_at_millis BIGINT NOT NULL
      )`,
      "CREATE INDEX workspaces_by_user ON workspaces (tenant, user_name)"
    ]
  },
  {
    name: "sessions-2",
    // The model that a tree was created with; no row: its agent's model.
    statements: ["CREATE TABLE session_models (tree_id TEXT PRIMARY KEY, model TEXT NOT NULL)"]
  }
]

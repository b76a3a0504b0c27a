/** The table of attachments. Their bytes are files below the folder of their tenant. */
import type { DatabaseStep } from "../database/DatabaseStep.ts"

export const steps: ReadonlyArray<DatabaseStep> = [
  {
    name: "attachments-1",
    statements: [
      `CREATE TABLE attachments (
        id TEXT PRIMARY KEY,
        tree_id TEXT NOT NULL,
        tenant TEXT NOT NULL,
        user_name TEXT NOT NULL,
        name TEXT NOT NULL,
        media_type TEXT NOT NULL,
        bytes BIGINT NOT NULL,
        digest TEXT NOT NULL,
        created_at_millis BIGINT NOT NULL
      )`,
      "CREATE INDEX attachments_by_tree ON attachments (tree_id, created_at_millis, id)",
      // The bytes of an uploaded archive in the workspace: they count to the tenant's storage until the workspace is
      // removed.
      "ALTER TABLE workspaces ADD COLUMN stored_bytes BIGINT NOT NULL DEFAULT 0",
      // The digest of that archive; null: the workspace was made empty.
      "ALTER TABLE workspaces ADD COLUMN upload_digest TEXT"
    ]
  }
]

/** The services that the parts of the accounts share. */
import type { SqlClient } from "effect/sql/SqlClient"
import type { AuditLog } from "./AuditLog.ts"
import type { Revocations } from "./Revocations.ts"

export interface AccountsContext {
  readonly sql: SqlClient
  readonly audit: AuditLog["Service"]
  readonly revocations: Revocations
}

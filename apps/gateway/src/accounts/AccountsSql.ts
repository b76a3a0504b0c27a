/** The accounts in the gateway's database, with the audit log of every change in the change's own transaction. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { Accounts } from "./Accounts.ts"
import type { AccountsContext } from "./AccountsContext.ts"
import { AuditLog } from "./AuditLog.ts"
import * as AuditLogSql from "./AuditLogSql.ts"
import * as CredentialCheck from "./CredentialCheck.ts"
import * as CredentialIssue from "./CredentialIssue.ts"
import * as CredentialList from "./CredentialList.ts"
import * as Identities from "./Identities.ts"
import * as Revocations from "./Revocations.ts"
import * as Tenants from "./Tenants.ts"
import * as Users from "./Users.ts"

const accounts = Layer.effect(
  Accounts,
  Effect.gen(function* () {
    const revocations = yield* Revocations.make
    const context: AccountsContext = { sql: yield* SqlClient, audit: yield* AuditLog, revocations }
    return Accounts.of({
      ...Tenants.make(context),
      ...Users.make(context),
      ...Identities.make(context),
      ...CredentialCheck.make(context),
      ...CredentialIssue.make(context),
      ...CredentialList.make(context),
      revocations: revocations.stream
    })
  })
)

export const layer: Layer.Layer<Accounts | AuditLog, never, SqlClient> = Layer.provideMerge(accounts, AuditLogSql.layer)

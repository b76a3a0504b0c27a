/** The accounts in the gateway's database, with the audit log of every change in the change's own transaction. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { Accounts } from "./Accounts.ts"
import { AuditLog } from "./AuditLog.ts"
import * as AuditLogSql from "./AuditLogSql.ts"
import * as Credentials from "./Credentials.ts"
import * as People from "./People.ts"
import * as Revocations from "./Revocations.ts"

const accounts = Layer.effect(
  Accounts,
  Effect.gen(function* () {
    const audit = yield* AuditLog
    const revocations = yield* Revocations.make
    return Accounts.of({
      ...(yield* People.make(audit, revocations)),
      ...(yield* Credentials.make(audit, revocations))
    })
  })
)

export const layer: Layer.Layer<Accounts | AuditLog, never, SqlClient> = Layer.provideMerge(accounts, AuditLogSql.layer)

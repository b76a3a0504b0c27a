/** Revokes a credential of the data folder from a process of its own: `revoke FOLDER TENANT TOKEN_ID`. */
import * as Effect from "effect/Effect"
import * as AccountsSql from "../../../src/accounts/AccountsSql.ts"
import { Accounts } from "../../../src/accounts/Accounts.ts"
import { commandLine } from "../../../src/accounts/AuditLog.ts"
import { TenantId, TokenId } from "../../../src/accounts/Principal.ts"
import * as GatewayDatabase from "../../../src/database/GatewayDatabase.ts"
import * as Layer from "effect/Layer"

const [folder, tenant, tokenId] = process.argv.slice(2)

await Effect.runPromise(
  Effect.flatMap(Accounts, (accounts) =>
    accounts.revoke({ tenant: TenantId.make(tenant), tokenId: TokenId.make(tokenId) }, commandLine)
  ).pipe(Effect.provide(Layer.provide(AccountsSql.layer, GatewayDatabase.layer(folder))))
)

/** A gateway database in a folder of its own, which is removed with the scope. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as AccountsSql from "../../src/accounts/AccountsSql.ts"
import * as Quotas from "../../src/accounts/Quotas.ts"
import * as SignInFailures from "../../src/accounts/SignInFailures.ts"
import * as GatewayDatabase from "../../src/database/GatewayDatabase.ts"

export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "bough-accounts-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Everything of `src/accounts` over the database of that folder. */
export const layerIn = (folder: string) =>
  Layer.mergeAll(Quotas.layer, SignInFailures.layer()).pipe(
    Layer.provideMerge(AccountsSql.layer),
    Layer.provideMerge(GatewayDatabase.layer(folder))
  )

export const layer = Layer.unwrap(Effect.map(temporaryFolder, layerIn))

/** Migrates a file to a later version, all steps in one transaction: after a crash the file is unchanged. */
import type { Database } from "./driver/Database.ts"
import * as Format from "./Format.ts"
import * as Tables from "./Tables.ts"

/** Migrates the file in one `sync` body, so that a failing step changes nothing. */
export const migrate = (
  database: Database,
  nowMillis: number,
  steps: ReadonlyArray<Tables.Step> = Tables.steps
): void => {
  if (Format.versionOf(database) === steps.length) return
  database.exec("BEGIN IMMEDIATE")
  // Read again under the lock, because another process may have migrated it first.
  for (let version = Format.versionOf(database); version < steps.length; version++) {
    const step = steps[version]
    if (typeof step === "string") database.exec(step)
    else step(database)
    database.run("INSERT INTO migrations VALUES (?, ?)", [version + 1, nowMillis])
  }
  database.exec(`PRAGMA application_id = ${Format.applicationId}; PRAGMA user_version = ${steps.length}; COMMIT`)
}

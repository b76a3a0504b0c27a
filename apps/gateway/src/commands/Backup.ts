/** `backup`: copies everything that the gateway stores while it serves. The copy is a data folder: start with `--data` to restore. */
import { Directory } from "@bough/disk"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { existsSync, readdirSync, realpathSync } from "node:fs"
import { join, resolve } from "node:path"
import { backup as copyDatabase, DatabaseSync } from "node:sqlite"
import { copyFolder } from "./CopyFolder.ts"
import { DataDirectory } from "./DataDirectory.ts"

/** The backup failed; the content of the target is not a backup. */
export class BackupFailed extends Schema.TaggedError<BackupFailed>()("BackupFailed", { message: Schema.String }) {}

/**
 * Copies sessions before the accounts that own their workspaces: a session that a user creates during the backup is
 * missing from both copies, or only from the first.
 */
const databases = [join("sessions", "bough.db"), "gateway.db"]
const folders = ["config", "tenants"]

const copy = (from: string, to: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() => new DatabaseSync(from, { readOnly: true })),
    (database) => Effect.tryPromise(() => copyDatabase(database, to)),
    (database) => Effect.sync(() => database.close())
  )

/**
 * Copies a data folder to a folder that is new or empty, and returns the paths of files that could not be read. SQLite's
 * online backup copies each database in its state of one moment.
 */
export const backup = Effect.fnUntraced(
  function* (dataDirectory: string, target: string) {
    if (!existsSync(join(dataDirectory, "gateway.db"))) {
      return yield* new BackupFailed({ message: `${dataDirectory} contains no data of a gateway` })
    }
    if (existsSync(target) && readdirSync(target).length > 0) {
      return yield* new BackupFailed({ message: `${target} is not empty: name a new folder` })
    }
    Directory.makePrivate(join(target, "sessions"))
    Directory.makePrivate(target)
    for (const file of databases) yield* copy(join(dataDirectory, file), join(target, file))
    return yield* Effect.try(() =>
      folders.flatMap((name) => {
        const from = join(dataDirectory, name)
        // The operator may have moved the folder to another disk, behind a link.
        return existsSync(from) ? copyFolder(realpathSync(from), join(target, name)) : []
      })
    )
  },
  Effect.catchIf(
    (error) => !(error instanceof BackupFailed),
    (error) => Effect.fail(new BackupFailed({ message: `the backup failed: ${String(error.cause)}` }))
  )
)

export const command = Command.make(
  "backup",
  { target: Argument.String("DIR").pipe(Argument.withDescription("A new folder for the copy")) },
  ({ target }) =>
    Effect.gen(function* () {
      const { dataDirectory } = yield* DataDirectory
      const unread = yield* backup(dataDirectory, resolve(target))
      for (const path of unread) yield* Console.error(`not copied, since it cannot be read: ${JSON.stringify(path)}`)
      yield* Console.log(`copied to ${resolve(target)}; restore with: bough-gateway --data ${resolve(target)}`)
    })
).pipe(Command.withDescription("Copy everything that the gateway stores, while it serves"))

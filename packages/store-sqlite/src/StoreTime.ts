/** Compares the store's clock with the system's, for an operator who wants to inspect or set it. */
import type { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type * as SqliteClient from "./driver/SqliteClient.ts"
import * as Refusal from "./Refusal.ts"
import * as StoreClock from "./StoreClock.ts"
import * as StoreFile from "./StoreFile.ts"

export type { Deviation } from "./StoreClock.ts"

interface FilePosition {
  readonly directory: string
}

const looked = (
  { directory }: FilePosition,
  look: (client: SqliteClient.SqliteClient) => Effect.Effect<StoreClock.Deviation, SqlError>
): Effect.Effect<StoreClock.Deviation, SessionStore.StoreRefused> =>
  Effect.scoped(
    Effect.flatMap(StoreFile.open(directory), (client) =>
      Effect.mapError(look(client), (error) => Refusal.fromSql(StoreFile.pathIn(directory), error))
    )
  )

/** Reads the deviation without changing anything. */
export const inspect = (file: FilePosition) => looked(file, StoreClock.inspect)

/** Sets the store's clock to the system's, which ends approvals whose deadline has passed by it. */
export const accept = (file: FilePosition) => looked(file, StoreClock.accept)

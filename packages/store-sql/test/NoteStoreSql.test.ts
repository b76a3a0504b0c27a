/** Notes in the session database pass what every NoteStore must. */
import { noteStoreSpec } from "@bough/testing/noteStoreSpec"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SessionStoreSql } from "../src/index.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

noteStoreSpec(
  "SQLite",
  Layer.unwrap(Effect.map(temporaryDirectory, (directory) => SessionStoreSql.layer({ directory })))
)

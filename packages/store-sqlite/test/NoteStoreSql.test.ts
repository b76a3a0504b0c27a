/** Notes and scratchpads in the session database, and in memory, pass the tests of every store of them. */
import { noteStoreSpec } from "@bough/tool/testing/noteStoreSpec"
import { scratchpadStoreSpec } from "@bough/tool/testing/scratchpadStoreSpec"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { NoteStoreMemory, SessionStoreSql } from "../src/index.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const adapter = Layer.unwrap(Effect.map(temporaryDirectory, (directory) => SessionStoreSql.layer({ directory })))

noteStoreSpec("SQLite", adapter)
scratchpadStoreSpec("SQLite", adapter)

noteStoreSpec("SQLite in memory", NoteStoreMemory.layer)
scratchpadStoreSpec("SQLite in memory", NoteStoreMemory.layer)

/** The SQLite adapter passes the tests of every adapter. */
import { blobStoreSpec } from "@bough/runtime/testing/blobStoreSpec"
import { sessionStoreSpec } from "@bough/runtime/testing/sessionStoreSpec"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SessionStoreSql } from "../src/index.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

const inNewDirectory = Layer.unwrap(Effect.map(temporaryDirectory, (directory) => SessionStoreSql.layer({ directory })))

sessionStoreSpec("SQLite", inNewDirectory)
blobStoreSpec("SQLite", inNewDirectory)

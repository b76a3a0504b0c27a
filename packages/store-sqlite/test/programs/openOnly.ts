/** Opens a store and closes it again, and prints a line after each. Argument: its directory. */
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { SessionStoreSql } from "../../src/index.ts"

const [directory = ""] = process.argv.slice(2)
const opened = Effect.andThen(
  SessionStore.SessionStore,
  Effect.sync(() => void writeSync(1, "opened\n"))
)
await Effect.runPromise(Effect.provide(opened, SessionStoreSql.layer({ directory })))
writeSync(1, "closed\n")

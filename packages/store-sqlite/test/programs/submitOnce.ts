/** Puts one message into a tree's inbox. Arguments: directory, tree, text. */
import { Session } from "@bough/protocol"
import { SessionStore } from "@bough/runtime"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { SessionStoreSql } from "../../src/index.ts"

const [directory, tree, text] = process.argv.slice(2)
const treeId = Session.SessionId.make(tree)

const program = Effect.gen(function* () {
  const store = yield* SessionStore.SessionStore
  const command = { _tag: "SteerSession", sessionId: treeId, text } as const
  const { inserted } = yield* store.submit({ treeId, dedupeKey: text, command, principal: "another process" })
  writeSync(1, inserted ? "inserted\n" : "known\n")
})

Effect.runFork(Effect.provide(program, SessionStoreSql.layer({ directory })))
